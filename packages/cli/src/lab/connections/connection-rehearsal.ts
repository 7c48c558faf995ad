import { basename } from 'node:path'
import type { Command } from 'commander'
import { callManagement } from '../../connection/api-client.ts'
import { addEnvironmentOptions } from '../../keys/environment-options.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { readInput } from '../../terminal/input.ts'
import { collectValue } from '../../terminal/option-values.ts'
import { type Column, formatFields, formatTable } from '../../terminal/table.ts'
import { type ConnectionChoice, findConnection } from './found-connection.ts'

interface Options extends ConnectionChoice {
  order?: string[]
}

interface Result {
  test: string | null
  code: string | null
  loinc: string | null
  name: string
  value: string
  unit: string | null
  range: string | null
  flags: string[]
  status: string
  notes: string | null
}

interface Update {
  kind: string
  numbers: string[]
  patient: Record<string, string | null> | null
  results: Result[]
  missing: string[]
  documents: { name: string; content_type: string; sha256: string }[]
}

interface Rehearsal {
  orders: { order_id: string; problem: string | null; content: string | null }[]
  messages: { name: string; problem: string | null; updates: Update[] }[]
}

/** Maximum of the server. */
const MOST_FILES = 500

export function addRehearseCommand(group: Command): void {
  const command = group
    .command('rehearse')
    .description('show what orders would become, and what sample results say')
    .argument('<name>', 'name of the connection')
    .argument('[files...]', 'sample results of the laboratory')
    .option('--order <id>', 'an order whose message is written; repeatable', collectValue)
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nNothing is sent and nothing is stored. It prints personal data.')
  addEnvironmentOptions(command).action(
    async (name: string, files: string[], options: Options, self: Command) => {
      const { connection, path } = await findConnection(self, options, name)
      if (files.length > MOST_FILES) {
        throw new CliError(`A rehearsal reads at most ${MOST_FILES} files.`)
      }
      const messages = await Promise.all(
        files.map(async (file) => ({
          name: basename(file),
          content: (await readInput(file)).toString('base64'),
        })),
      )
      const body = { order_ids: options.order ?? [], messages }
      const found = await callManagement<Rehearsal>(connection, 'POST', `${path}/rehearse`, {
        body,
      })
      if (options.json) console.log(JSON.stringify(readable(found), null, 2))
      else
        console.log(
          [...found.orders.map(formatOrder), ...found.messages.map(formatMessage)].join('\n\n'),
        )
      const failed = [...found.orders, ...found.messages].filter(({ problem }) => problem !== null)
      if (failed.length > 0) throw new CliError(`${failed.length} had a problem.`)
    },
  )
}

/** Adds the messages of orders as lines of text beside their bytes. */
const readable = ({ orders, messages }: Rehearsal) => ({
  orders: orders.map((order) => ({ ...order, segments: segmentsOf(order.content) })),
  messages,
})

/** Returns the segments of a message; bytes that are not UTF-8 are read as ISO 8859-1. */
function segmentsOf(content: string | null): string[] | null {
  if (content === null) return null
  const bytes = Buffer.from(content, 'base64')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    text = bytes.toString('latin1')
  }
  return text.split(/[\r\n]+/).filter((line) => line !== '')
}

function formatOrder({ order_id: id, problem, content }: Rehearsal['orders'][number]): string {
  const lines = segmentsOf(content) ?? [`PROBLEM  ${problem}`]
  return [`Order ${id}`, ...lines].join('\n')
}

function formatMessage({ name, problem, updates }: Rehearsal['messages'][number]): string {
  if (problem !== null) return `${name}\nPROBLEM  ${problem}`
  return [name, ...updates.map(formatUpdate)].join('\n')
}

function formatUpdate({ kind, numbers, patient, results, missing, documents }: Update): string {
  const person = Object.values(patient ?? {}).filter((value) => value !== null)
  const head = formatFields([
    ['Kind', kind],
    ['Numbers', numbers.join(', ') || 'none'],
    ['Patient', person.join(', ') || null],
    ['Missing', missing.join(', ') || null],
    ...documents.map(({ name, content_type: type, sha256 }): [string, string] => [
      'Document',
      `${name}, ${type}, SHA-256 ${sha256}`,
    ]),
  ])
  return results.length === 0 ? head : `${head}\n${formatTable(RESULTS, results)}`
}

const RESULTS: Column<Result>[] = [
  { title: 'Test', text: ({ test }) => test ?? '–' },
  { title: 'Code', text: ({ code }) => code ?? '–' },
  { title: 'LOINC', text: ({ loinc }) => loinc ?? '–' },
  { title: 'Name', text: ({ name }) => name },
  { title: 'Value', align: 'right', text: ({ value }) => value.split('\n')[0] ?? '' },
  { title: 'Unit', text: ({ unit }) => unit ?? '' },
  { title: 'Range', text: ({ range }) => range ?? '' },
  { title: 'Flags', text: ({ flags }) => flags.join(' ') },
  { title: 'Status', text: ({ status }) => status },
]
