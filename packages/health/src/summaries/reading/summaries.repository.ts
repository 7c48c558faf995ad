import {
  fallbackZoneParameters,
  localOffsetSql,
  localTimeSql,
} from '@salus/kernel/clickhouse/local-time-sql'
import { parseRowStream } from '@salus/kernel/clickhouse/result-rows'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { type SummaryRow, WORKOUT_STREAM_CHANNELS, type WorkoutStreamChannel } from '../summary.ts'
import { SUMMARY_TABLES, type SummaryResource } from '../summary-tables.registry.ts'
import { readShortRange } from './short-reads.repository.ts'
import type { Person } from './stored-rows.ts'
import type { DatedResource, DateFilter } from './summary-dates.ts'

/** A row with its raw item. */
type RawSummary<R extends SummaryResource = SummaryResource> = SummaryRow<R> & {
  /** JSON text. */
  raw: string
}

export type Stored<R extends DatedResource> = R extends SummaryResource ? R : 'sleep'

const storedOf = (resource: DatedResource): SummaryResource =>
  resource === 'sleep_cycle' ? 'sleep' : resource

const byProvider = (provider: string): string =>
  provider === '' ? '' : ' and provider = {provider:String}'

export function parametersOf({ environment }: Scope, person: Person, provider: string) {
  const { userId, fallbackZone } = person
  return {
    environmentId: environment.id,
    userId,
    ...fallbackZoneParameters(fallbackZone),
    provider,
  }
}

/** A row from the engine, before toRow renames its columns. */
interface AnsweredRow {
  local_day: string
  local_offset: number | null
  started_ms: number
  ended_ms: number
  created_ms: number
  updated_ms: number
}

const TEXTS = [
  'id',
  'provider',
  'source_type',
  'app_id',
  'device_model',
  'external_id',
  'time_zone',
]

/** Returns SQL of the instant that determines the day of a row. */
const instantOf = (resource: SummaryResource): string =>
  resource === 'sleep' ? 'ended_at' : 'started_at'

/**
 * Returns SQL of the rows of one user that were not removed, with day and offset at the time of
 * reading. Has the parameters environmentId and userId and those of the fallback zone. Computed
 * columns have names of their own, so that conditions on stored columns refer to these.
 */
export function personRowsSql(
  resource: SummaryResource,
  fallbackZone: string | null,
  condition = '',
): string {
  const instant = instantOf(resource)
  // A user without a zone is read in UTC, which does not mean that they were there.
  const offset = fallbackZone === null ? 'timezone_offset' : localOffsetSql(instant)
  return `(
    select *,
      coalesce(calendar_date, toDate32(${localTimeSql(instant)})) as local_day,
      toDate32(${localTimeSql('ended_at')}) as local_end_day,
      ${offset} as local_offset
    from ${SUMMARY_TABLES[resource].table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}${condition}
  )`
}

/** Returns SQL of the columns that toRow reads, over rows of personRowsSql. */
function rowColumnsSql(resource: SummaryResource): string {
  const instants = ['started', 'ended', 'created', 'updated']
  return [
    ...TEXTS,
    ...Object.keys(SUMMARY_TABLES[resource].columns),
    'local_day',
    'local_offset',
    ...instants.map((name) => `toUnixTimestamp64Milli(${name}_at) as ${name}_ms`),
  ].join(', ')
}

/** Converts a row of the engine to a row of a summary. */
export function toRow<R extends SummaryResource>(answered: object): SummaryRow<R> {
  const { local_day, local_offset, started_ms, ended_ms, created_ms, updated_ms, ...columns } =
    answered as AnsweredRow
  return {
    ...columns,
    calendar_date: local_day,
    timezone_offset: local_offset,
    started_at: started_ms,
    ended_at: ended_ms,
    created_at: created_ms,
    updated_at: updated_ms,
  } as unknown as SummaryRow<R>
}

/**
 * Yields summaries of a user within a range, each with the raw item, in the order of
 * docs/contract/06-summaries.md#common-query-parameters.
 */
export function readRawSummaryRows<R extends DatedResource>(
  scope: Scope,
  resource: R,
  person: Person,
  provider: string,
  dates: DateFilter,
): AsyncGenerator<RawSummary<Stored<R>>[]> {
  return readRows<RawSummary<Stored<R>>>(scope, resource, person, provider, dates, RAW)
}

/** Like readRawSummaryRows, without the raw items. */
export function readSummaryRows<R extends DatedResource>(
  scope: Scope,
  resource: R,
  person: Person,
  provider: string,
  dates: DateFilter,
): AsyncGenerator<SummaryRow<Stored<R>>[]> {
  return readRows<SummaryRow<Stored<R>>>(scope, resource, person, provider, dates)
}

/** Returns all of them at once. */
export async function listSummaries<R extends DatedResource>(
  scope: Scope,
  resource: R,
  person: Person,
  provider: string,
  dates: DateFilter,
  /** SQL of more columns, each followed by a comma. */
  furtherColumns = '',
): Promise<SummaryRow<Stored<R>>[]> {
  const rows: SummaryRow<Stored<R>>[] = []
  const asked = [scope, resource, person, provider, dates, furtherColumns] as const
  const pages = readRows<SummaryRow<Stored<R>>>(...asked)
  for await (const page of pages) rows.push(...page)
  return rows
}

const RAW = 'raw, '

/** Maximum number of summaries in one read. */
export const MOST_ROWS = 200_000

/**
 * Yields rows of a range, a chunk at a time. A short range is read at once, which the engine starts
 * faster.
 * @throws AppError 400 `range_too_large`
 */
async function* readRows<Row>(
  scope: Scope,
  resource: DatedResource,
  person: Person,
  provider: string,
  dates: DateFilter,
  furtherColumns = '',
): AsyncGenerator<Row[], void, undefined> {
  const stored = storedOf(resource)
  const { clickhouse } = scope
  const isRaw = furtherColumns === RAW
  if (dates.ofRows !== undefined && (isRaw || furtherColumns === '')) {
    const condition = { sql: byProvider(provider), provider }
    yield await readShortRange(scope, stored, person, condition, { filter: dates.ofRows, isRaw })
    return
  }
  const parameters = { ...parametersOf(scope, person, provider), ...dates.parameters }
  const from = `from ${personRowsSql(stored, person.fallbackZone, byProvider(provider))}
    where ${dates.where}`
  const sql = `select ${furtherColumns}${rowColumnsSql(stored)} ${from} order by ${dates.orderBy}`
  if (!dates.isLong) {
    const rows = await clickhouse.queryRows<object>(sql, parameters)
    yield rows.map((row) => toRow(row) as Row)
    return
  }
  const [counted] = await clickhouse.queryRows<{ count: number }>(
    `select count() as count ${from}`,
    parameters,
  )
  if (counted !== undefined && counted.count > MOST_ROWS) throw TOO_MANY_ROWS
  const chunks = clickhouse.queryStream(sql, parameters, 'JSONEachRow')
  for await (const rows of parseRowStream<object>(chunks)) {
    yield rows.map((row) => toRow(row) as Row)
  }
}

export const TOO_MANY_ROWS = badRequest(
  'range_too_large',
  'The range holds more than 200,000 summaries. Ask for less.',
  { most_rows: MOST_ROWS },
)

/** Returns the profile with the latest change, with the raw item. */
export async function findNewestProfile(
  scope: Scope,
  person: Person,
  provider: string,
): Promise<RawSummary<'profile'> | undefined> {
  const [row] = await scope.clickhouse.queryRows<object>(
    `select raw, ${rowColumnsSql('profile')}
    from ${personRowsSql('profile', person.fallbackZone, byProvider(provider))}
    order by updated_at desc, id
    limit 1`,
    parametersOf(scope, person, provider),
  )
  return row && (toRow(row) as RawSummary<'profile'>)
}

/** Returns the birth date in the latest profile that has one. */
export async function findBirthDate(
  { clickhouse, environment }: Pick<Scope, 'clickhouse' | 'environment'>,
  userId: string,
): Promise<string | null> {
  const [row] = await clickhouse.queryRows<{ birth_date: string }>(
    `select birth_date from profile_summaries final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and birth_date is not null
    order by updated_at desc, id
    limit 1`,
    { environmentId: environment.id, userId },
  )
  return row?.birth_date ?? null
}

/** Returns the owner of a summary, even of a removed one. */
export async function findSummaryOwner(
  scope: Scope,
  resource: 'workouts' | 'sleep',
  id: string,
): Promise<string | undefined> {
  // Not FINAL, which could not use the index of ids; an id has one owner in all its versions.
  const find = (settings: string) =>
    scope.clickhouse.queryRows<{ user_id: string }>(
      `select user_id from ${SUMMARY_TABLES[resource].table}
      where environment_id = {environmentId:UUID} and id = {id:UUID}
      limit 1 ${settings}`,
      { environmentId: scope.environment.id, id },
    )
  const [row] = await find('settings skip_unavailable_shards = 1')
  if (row || !scope.clickhouse.cluster) return row?.user_id
  // It may be on a shard that is down, and then its owner is unknown.
  return (await find(''))[0]?.user_id
}

type WorkoutStreamRow = Record<WorkoutStreamChannel, (number | null)[]> & {
  /** Unix seconds. */
  time: number[]
}

/** Returns the stream of a workout, if it has one; a channel without data is empty. */
export async function findWorkoutStream(
  { clickhouse, environment }: Scope,
  userId: string,
  workoutId: string,
): Promise<WorkoutStreamRow | undefined> {
  const [row] = await clickhouse.queryRows<WorkoutStreamRow>(
    `select time, ${WORKOUT_STREAM_CHANNELS.join(', ')} from workout_streams final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and workout_id = {workoutId:UUID}`,
    { environmentId: environment.id, userId, workoutId },
  )
  return row
}
