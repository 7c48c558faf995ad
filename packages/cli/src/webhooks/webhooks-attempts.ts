import { type Command, Option } from 'commander'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { formatCount } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import { type Attempt, MOST_ROWS, pathOfWebhook, readRows } from './webhooks.ts'

interface Options extends EnvironmentChoice {
  webhook: string
  status?: Attempt['status']
  type?: string
  limit: number
  json?: boolean
}

export function addWebhooksAttemptsCommand(parent: Command): void {
  const command = parent
    .command('attempts')
    .description('list the attempts to deliver events to a webhook, newest first')
    .requiredOption('--webhook <id>', 'id of the webhook')
    .addOption(
      new Option('--status <status>', 'outcome of the attempts').choices([
        'succeeded',
        'failed',
      ] as const),
    )
    .option('--type <type>', 'only events of this type, or with a trailing *')
    .option('--limit <number>', 'maximum number', wholeNumber(1, MOST_ROWS), 50)
    .option('--json', 'print the list as JSON, with the responses')
  addEnvironmentOptions(command).action(async (options: Options, self: Command) => {
    const connection = readConnection(self)
    const { webhook, status, type: event_type, limit } = options
    const path = `${pathOfWebhook(await findEnvironment(connection, options), webhook)}/attempt`
    const list = await readRows<Attempt>(connection, path, { status, event_type }, limit)
    if (options.json) return console.log(JSON.stringify(list.rows, null, 2))
    if (list.rows.length === 0) return console.error('No attempts.')
    console.log(formatTable(COLUMNS, list.rows))
    if (list.hasMore) console.error('\nThere are older ones: see --limit.')
  })
}

const COLUMNS: Column<Attempt>[] = [
  { title: 'Time', text: ({ timestamp }) => timestamp },
  { title: 'Type', text: ({ event_type: type }) => type },
  { title: 'Event', text: ({ event_id: id }) => id },
  { title: 'No.', text: ({ number }) => String(number), align: 'right' },
  {
    title: 'Answer',
    text: ({ response_status_code: code, error }) => String(code ?? `none: ${error}`),
  },
  { title: 'ms', text: ({ duration_ms: duration }) => formatCount(duration), align: 'right' },
]
