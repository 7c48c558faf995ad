import type { Command } from 'commander'
import { callManagement } from '../../connection/api-client.ts'
import { readConnection } from '../../connection/config.ts'
import { addEnvironmentOptions, findEnvironment } from '../../keys/environment-options.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { type Column, formatFields, formatTable } from '../../terminal/table.ts'
import { addImportCommand } from './connection-import.ts'
import { addMessageCommands } from './connection-messages.ts'
import { addRehearseCommand } from './connection-rehearsal.ts'
import { type ConnectionChoice, findConnection } from './found-connection.ts'

/** A laboratory connection as the server returns it. */
export interface LabConnection {
  name: string
  lab: string
  is_enabled: boolean
  is_held: boolean
  config: { profile: string; orders?: { kind: string }; results?: { kind: string } }
  secrets: string[]
  queue: {
    waiting: number
    oldest_waiting_at: string | null
    refused: number
    last_answered_at: string | null
  }
  receiving_problem: string | null
  last_received_at: string | null
  alerts: string[]
}

interface Check {
  is_ready: boolean
  checks: { name: string; problem: string | null; detail: string | null }[]
}

const EXAMPLES = `
Examples:
  $ salus lab-connection import quest.json --secret sftp=@id_ed25519 --dry-run
  $ salus lab-connection check quest-main --environment production
  $ salus lab-connection rehearse quest-main results/*.hl7
  $ salus lab-connection status quest-main

Every setting of a configuration is in docs/lab-connections.md.`

/** Adds the commands of connections to laboratories. */
export function addLabConnectionCommands(program: Command): void {
  const group = program
    .command('lab-connection')
    .description('connections to laboratories (needs a management key)')
    .addHelpText('after', EXAMPLES)
  addImportCommand(group)
  addListCommand(group)
  addStatusCommand(group)
  addCheckCommand(group)
  addRehearseCommand(group)
  addHoldCommands(group)
  addMessageCommands(group)
}

function addListCommand(group: Command): void {
  const command = group
    .command('list')
    .description('list connections with their queues and alerts')
    .option('--json', 'print the list as JSON')
  addEnvironmentOptions(command).action(async (options: ConnectionChoice, self: Command) => {
    const connection = readConnection(self)
    const { path } = await findEnvironment(connection, options)
    const { data } = await callManagement<{ data: LabConnection[] }>(
      connection,
      'GET',
      `${path}/lab_connection`,
    )
    if (options.json) return console.log(JSON.stringify(data, null, 2))
    if (data.length === 0) return console.error('No connections to laboratories.')
    console.log(formatTable(COLUMNS, data))
  })
}

const stateOf = ({ is_enabled, is_held }: LabConnection): string => {
  if (!is_enabled) return 'disabled'
  return is_held ? 'held' : 'enabled'
}

const COLUMNS: Column<LabConnection>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Laboratory', text: ({ lab }) => lab },
  { title: 'State', text: stateOf },
  { title: 'Waiting', align: 'right', text: ({ queue }) => String(queue.waiting) },
  { title: 'Refused', align: 'right', text: ({ queue }) => String(queue.refused) },
  { title: 'Last received', text: ({ last_received_at: at }) => at ?? '–' },
  { title: 'Alerts', text: ({ alerts }) => alerts.join(', ') || '–' },
]

function addStatusCommand(group: Command): void {
  const command = group
    .command('status')
    .description('show the state, the queue and the alerts of a connection')
    .argument('<name>', 'name of the connection')
    .option('--json', 'print the connection as JSON')
  addEnvironmentOptions(command).action(
    async (name: string, options: ConnectionChoice, self: Command) => {
      const { connection, path } = await findConnection(self, options, name)
      const found = await callManagement<LabConnection>(connection, 'GET', path)
      console.log(options.json ? JSON.stringify(found, null, 2) : formatStatus(found))
    },
  )
}

function formatStatus(found: LabConnection): string {
  const { queue, config } = found
  const oldest = queue.oldest_waiting_at
  const waiting =
    oldest === null ? String(queue.waiting) : `${queue.waiting}, the oldest since ${oldest}`
  return formatFields([
    ['Connection', found.name],
    ['Laboratory', found.lab],
    ['Profile', config.profile],
    ['State', stateOf(found)],
    ['Orders', config.orders?.kind ?? 'not sent'],
    ['Results', config.results?.kind ?? 'not received'],
    ['Secrets', found.secrets.join(', ') || null],
    ['Waiting', waiting],
    ['Refused', String(queue.refused)],
    ['Last answered', queue.last_answered_at ?? 'never'],
    ['Last received', found.last_received_at ?? 'never'],
    ['Receiving problem', found.receiving_problem],
    ['Alerts', found.alerts.join(', ') || 'none'],
  ])
}

function addCheckCommand(group: Command): void {
  const command = group
    .command('check')
    .description('try ports, sign-ins and folders of a connection; no message is sent')
    .argument('<name>', 'name of the connection')
    .option('--json', 'print the checks as JSON')
  addEnvironmentOptions(command).action(
    async (name: string, options: ConnectionChoice, self: Command) => {
      const { connection, path } = await findConnection(self, options, name)
      const { is_ready: isReady, checks } = await callManagement<Check>(
        connection,
        'POST',
        `${path}/check`,
      )
      if (options.json) console.log(JSON.stringify({ is_ready: isReady, checks }, null, 2))
      else {
        for (const { name: part, problem, detail } of checks) {
          console.log(problem === null ? `ok       ${part}` : `PROBLEM  ${part}: ${problem}`)
          if (detail !== null) console.log(`         ${detail}`)
        }
      }
      if (!isReady) throw new CliError('The connection is not ready.')
    },
  )
}

function addHoldCommands(group: Command): void {
  for (const [name, description, done] of [
    ['hold', 'keep orders from being sent, until they are released', 'Orders are held back.'],
    ['release', 'send orders again, with those that wait', 'Orders are sent again.'],
  ] as const) {
    const command = group
      .command(name)
      .description(description)
      .argument('<name>', 'name of the connection')
      .option('--json', 'print the connection as JSON')
    addEnvironmentOptions(command).action(
      async (of: string, options: ConnectionChoice, self: Command) => {
        const { connection, path } = await findConnection(self, options, of)
        const changed = await callManagement<LabConnection>(connection, 'POST', `${path}/${name}`)
        if (options.json) return console.log(JSON.stringify(changed, null, 2))
        console.log(`${done} ${changed.queue.waiting} wait.`)
      },
    )
  }
}
