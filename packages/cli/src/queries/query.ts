import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { QueryAnswer, SourceRule } from '@salus/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { callApi, openApiStream } from '../connection/api-client.ts'
import { ApiError } from '../connection/api-errors.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { suggestNames } from '../terminal/nearest-names.ts'
import { formatBytes } from '../terminal/number-format.ts'
import { collectValue } from '../terminal/option-values.ts'
import { findUser, type UserChoice } from '../users/users.ts'
import { type QueryBody, readQueryFile, type Timeframe } from './query-file.ts'
import { GROUPINGS, type Grouping, makePresetQuery, PRESET_NAMES } from './query-preset.ts'
import { formatQueryTable } from './query-table.ts'

interface Options extends UserChoice {
  file?: string
  metric?: string[]
  by: Grouping
  past?: Timeframe['past']
  anchor: string
  parquet?: string
  json?: boolean
}

const PARQUET = 'application/vnd.service.tar+gzip+parquet'

const EXAMPLES = `
Examples:
  $ salus query --client-user-id alex --metric steps --by day --past 2w
  $ salus query --client-user-id alex --metric sleep.efficiency --by weekday
  $ salus query --client-user-id alex --file sleep.json --past 30d
  $ salus query --user 4c3e… --file weekly.json --parquet weekly.tar.gz

The file, or stdin for -, contains one query, a list of them, or the whole body
of the request with its timeframe:
  {"select": [{"func": "sum",
               "arg": {"merged": "steps", "field": "value"}}],
   "group_by": [{"date_trunc": {"value": 1, "unit": "day"},
                 "arg": {"index": "merged"}}]}`

export function addQueryCommand(program: Command): void {
  program
    .command('query')
    .description('query the data of a person')
    .option(
      '--metric <name>',
      'a series (steps), a column (sleep.efficiency) or sleep_score; repeatable',
      collectValue,
    )
    .addOption(
      new Option('--by <length>', 'unit of time of a row').choices(GROUPINGS).default('day'),
    )
    .option('--file <path>', 'JSON file of the query or queries; - is stdin')
    .option('--user <id>', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option(
      '--past <period>',
      'length of the timeframe, such as 90m, 12h, 30d, 8w, 6mo or 2y',
      parsePeriod,
    )
    .option('--anchor <date>', 'last day of the timeframe', parseDay, today())
    .option('--parquet <path>', 'write a gzipped tar of Parquet files, one for each query')
    .option('--json', 'print the response of the server')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options, command: Command) => {
      const { parquet, json } = options
      const connection = readConnection(command)
      const body = await readBody(options)
      const { user_id: userId } = await findUser(connection, options)
      const path = `/aggregate/v1/user/${userId}/query`
      const explain = (error: unknown) => explainRefusal(connection, options.metric ?? [], error)
      if (parquet !== undefined) {
        const answer = await openApiStream(connection, path, body, PARQUET).catch(explain)
        const target = createWriteStream(parquet)
        await pipeline(Readable.from(answer), target)
        console.error(`Wrote ${formatBytes(target.bytesWritten)} to ${parquet}.`)
        return
      }
      const answer = await callApi<QueryAnswer>(connection, 'POST', path, { body }).catch(explain)
      if (json) return console.log(JSON.stringify(answer, null, 2))
      const tables = answer.results.map(({ table }, index) => {
        const metric = options.metric?.[index]
        return formatQueryTable(table, metric === undefined ? [] : [options.by, metric])
      })
      console.log(tables.join('\n\n\n'))
      for (const rule of rulesOf(answer)) console.error(RULES[rule])
    })
}

/** How sources are counted, in the words of docs/queries.md. */
const RULES: Record<SourceRule, string> = {
  merged: 'Sources are merged: each instant counts once.',
  one_source: 'One source counts for each group.',
  all_sources: 'All sources count, even where several measured the same.',
}

/** Returns the source rules of a response, each once; an older server sends none. */
const rulesOf = ({ results }: QueryAnswer): SourceRule[] =>
  [...new Set(results.map((result) => result.source_rule))].filter((rule) => rule in RULES)

/** @throws CliError unless there is either a file or a metric */
async function readBody({ file, metric, by, past, anchor }: Options): Promise<QueryBody> {
  if ((file === undefined) === (metric === undefined)) {
    throw new CliError('Give either --metric NAME or --file PATH.')
  }
  const timeframe = past && ({ type: 'relative', anchor, past } as const)
  if (file !== undefined) return readQueryFile(file, timeframe)
  const queries = (metric ?? []).map((name) => makePresetQuery(name, by))
  const usual = { type: 'relative', anchor, past: { value: 30, unit: 'day' } } as const
  return { timeframe: timeframe ?? usual, queries }
}

interface QueryTables {
  summaries: { name: string; columns: { name: string }[] }[]
  series: { name: string }[]
  merged: { name: string }[]
}

/**
 * Names the unknown metric of a refused query, and suggests similar names.
 * @throws CliError, or the error if it has another cause
 */
async function explainRefusal(
  connection: Connection,
  metrics: readonly string[],
  error: unknown,
): Promise<never> {
  if (metrics.length === 0 || !(error instanceof ApiError) || error.status !== 422) throw error
  const tables = await callApi<QueryTables>(connection, 'GET', '/aggregate/v1/table')
  const names = new Set([
    ...PRESET_NAMES,
    ...[...tables.merged, ...tables.series].map(({ name }) => name),
    ...tables.summaries.flatMap((table) =>
      table.columns.map(({ name }) => `${table.name}.${name}`),
    ),
  ])
  const unknown = metrics.find((metric) => !names.has(metric))
  if (unknown === undefined) throw error
  throw new CliError(`There is no metric ${unknown}.${suggestNames(unknown, names)}`)
}

const UNITS: Record<string, string> = {
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
}

function parsePeriod(text: string): Timeframe['past'] {
  const [, count, letters = ''] = /^(\d{1,6})([a-z]{1,2})$/.exec(text) ?? []
  const unit = UNITS[letters]
  const value = Number(count)
  if (unit === undefined || !(value >= 1)) {
    throw new InvalidArgumentError('Write it like 90m, 12h, 30d, 8w, 6mo or 2y.')
  }
  return { value, unit }
}

function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
  throw new InvalidArgumentError('Write it like 2026-01-31.')
}

/** Returns today in the local time. */
function today(): string {
  const now = new Date()
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
