import { type Command, Option } from 'commander'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import {
  describeOutcome,
  EVENT_STATUSES,
  type EventStatus,
  type EventSummary,
  MOST_ROWS,
  readRows,
} from './webhooks.ts'

interface Options extends EnvironmentChoice {
  status?: EventStatus
  type?: string
  user?: string
  since?: string
  until?: string
  limit: number
  json?: boolean
}

export function addWebhooksEventsCommand(parent: Command): void {
  const command = parent
    .command('events')
    .description('list events with their deliveries, newest first')
    .addOption(
      new Option('--status <status>', 'only events with a delivery of this status').choices(
        EVENT_STATUSES,
      ),
    )
    .option('--type <type>', 'only events of this type, or with a trailing *')
    .option('--user <id>', 'only events about this person, by user id')
    .option('--since <date>', 'only events since this day, or date and time')
    .option('--until <date>', 'only events until this day, or date and time')
    .option('--limit <number>', 'maximum number', wholeNumber(1, MOST_ROWS), 50)
    .option('--json', 'print the list as JSON')
  addEnvironmentOptions(command).action(async (options: Options, self: Command) => {
    const connection = readConnection(self)
    const { path } = await findEnvironment(connection, options)
    const { status, type: event_type, user: user_id, since, until, limit } = options
    const query = { status, event_type, user_id, since, until }
    const list = await readRows<EventSummary>(connection, `${path}/event`, query, limit)
    if (options.json) return console.log(JSON.stringify(list.rows, null, 2))
    if (list.rows.length === 0) return console.error('No events.')
    console.log(formatTable(COLUMNS, list.rows))
    if (list.hasMore) console.error('\nThere are older ones: see --limit and --until.')
  })
}

const COLUMNS: Column<EventSummary>[] = [
  { title: 'Time', text: ({ created_at: at }) => at },
  { title: 'Type', text: ({ event_type: type }) => type },
  { title: 'User id', text: ({ user_id: id }) => id ?? '–' },
  { title: 'Id', text: ({ id }) => id },
  { title: 'Deliveries', text: describeOutcome },
]
