import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { findOrganizationId } from '../keys/team-keys.ts'
import { CliError } from '../terminal/cli-error.ts'
import { confirm } from '../terminal/confirm.ts'
import { pause, untilInterrupted } from '../terminal/interruption.ts'
import { createProgressDisplay } from '../terminal/progress-display.ts'

interface DemoTeam {
  status: 'none' | 'filling' | 'ready' | 'failed'
  team_id: string | null
  steps: { step: string; status: 'waiting' | 'running' | 'done' | 'failed' }[]
  problem: string | null
}

interface Options {
  organization?: string
}

const LOOK_MS = 700

const HELP = `
Seven fictional people with 90 days of data, orders at every stage, reports and
webhooks, in a team of their own. Your own teams do not change, and the demo
team can be removed as a whole. Filling it takes half a minute.

Examples:
  $ salus demo fill && salus console
  $ salus demo remove`

export function addDemoCommands(program: Command): void {
  const demo = program
    .command('demo')
    .description('a team of fictional people to look around in (needs a management key)')
    .addHelpText('after', HELP)
  demo
    .command('fill')
    .description('fill the demo team, and wait for the end')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .action(async (options: Options, command: Command) => {
      await fillDemoTeam(await findDemoTeam(command, options))
    })
  demo
    .command('remove')
    .description('delete the demo team with its people')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .option('--yes', 'skip the confirmation')
    .action(async (options: Options & { yes?: boolean }, command: Command) => {
      await remove(await findDemoTeam(command, options), options.yes ?? false)
    })
}

type Ask = (method: 'GET' | 'POST' | 'DELETE') => Promise<DemoTeam>

async function findDemoTeam(command: Command, { organization }: Options): Promise<Ask> {
  const connection: Connection = readConnection(command)
  const organizationId = await findOrganizationId(connection, organization)
  const path = `/v1/org/${encodeURIComponent(organizationId)}/demo_team`
  return (method) => callManagement<DemoTeam>(connection, method, path)
}

async function fillDemoTeam(ask: Ask): Promise<void> {
  const team = await ask('POST')
  if (team.status === 'ready') return console.log(`The demo team ${team.team_id} exists.`)
  const { status, problem, team_id: teamId } = await waitUntilFilled(ask, team)
  if (status !== 'ready') {
    throw new CliError(`The demo team was not filled. ${problem ?? 'It was removed meanwhile.'}`)
  }
  console.log(`The demo team ${teamId} is filled. "salus console" opens it.`)
}

function waitUntilFilled(ask: Ask, begun: DemoTeam): Promise<DemoTeam> {
  const display = createProgressDisplay('Demo team', process.stderr)
  const explain = (): string => 'The server continues; "salus demo fill" waits for it again.'
  return untilInterrupted(explain, async (signal) => {
    let team = begun
    for (; team.status === 'filling'; team = await ask('GET')) {
      const done = team.steps.filter(({ status }) => status === 'done').length
      const running = team.steps.find(({ status }) => status === 'running')?.step ?? ''
      display.show({ done, total: team.steps.length, details: running.replaceAll('_', ' ') })
      await pause(LOOK_MS, signal)
    }
    return team
  }).finally(() => display.clear())
}

async function remove(ask: Ask, isAgreed: boolean): Promise<void> {
  const { status } = await ask('GET')
  if (status === 'none') return console.log('There is no demo team.')
  if (!isAgreed) await confirm('Delete the demo team with its people?', 'the demo team')
  await ask('DELETE')
  console.log('The demo team is removed.')
}
