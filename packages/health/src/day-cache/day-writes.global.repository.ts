import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { DataChange } from '@salus/kernel/data-changes'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import { sql } from 'kysely'

/** Writes of all environments: callers of the port share an insert. */

interface DayWritesTable {
  id: string
  environment_id: string
  user_id: string
  series: string
  first_day: number
  last_day: number
  begun_at: Date
}

interface DataVersionsTable {
  environment_id: string
  user_id: string
  version: string
}

interface DataEpochsTable {
  id: string
  usable_from: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    day_writes: DayWritesTable
    data_versions: DataVersionsTable
    data_epochs: DataEpochsTable
  }
}

/** In place of the id of a person: a write, or a version, of all people of an environment. */
export const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** A cached day that a write may change. */
export interface WrittenDay {
  environmentId: string
  userId: string
  series: string
  day: number
}

/** What a write adds to a cached day. */
export interface DayAddition extends WrittenDay {
  addition: Buffer
}

/** Returns the day of an instant: days since 1970-01-01 in UTC. */
export const dayOf = (epochMilliseconds: number): number => Math.floor(epochMilliseconds / DAY_MS)

const rangesSql = (changes: readonly DataChange[]) => sql`
  select environment_id, user_id, series, first_day, last_day from unnest(
  ${changes.map(({ environmentId }) => environmentId)}::uuid[],
  ${changes.map(({ userId }) => userId)}::uuid[],
  ${changes.map(({ resource }) => resource)}::text[],
  ${changes.map(({ from }) => dayOf(from))}::integer[],
  ${changes.map(({ to }) => dayOf(to))}::integer[]
) as range (environment_id, user_id, series, first_day, last_day)`

/** Gives the people in rows of a part of a statement another version of their data. */
const versionsSql = (part: 'ranges' | 'given_up') => sql`
  insert into data_versions (environment_id, user_id, version)
  select environment_id, user_id, gen_random_uuid()
  from (select distinct environment_id, user_id from ${sql.ref(part)}) as people
  order by environment_id, user_id
  on conflict (environment_id, user_id) do update set version = excluded.version`

/**
 * Marks days as being written, so that they are read from ClickHouse until the write ends.
 * @returns the days of which a copy exists
 */
export async function beginDayWrite(
  db: Db,
  id: string,
  changes: readonly DataChange[],
  at: Date,
): Promise<WrittenDay[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<WrittenDay>`
    with ranges as (${rangesSql(changes)}), begun as (
      insert into day_writes (id, environment_id, user_id, series, first_day, last_day, begun_at)
      select ${id}::uuid, environment_id, user_id, series, first_day, last_day, ${at}::timestamptz
      from ranges
    )
    select environment_id as "environmentId", user_id as "userId", series, day
    from ranges join cached_days using (environment_id, user_id, series)
    where day between first_day and last_day and content is not null`.execute(prepared(db))
  return rows
}

/** Bytes of unread additions from which a copy is not worth its writes. */
const MOST_ADDED_BYTES = 65_536

/**
 * Ends a write: its people have another version. Copies get what it added; those without an
 * addition become invalid, and so do copies with many additions, and all when the write took so
 * long that it was given up.
 */
export async function endDayWrite(
  db: Db,
  id: string,
  changes: readonly DataChange[],
  additions: readonly DayAddition[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    with ranges as (${rangesSql(changes)}), ended as (
      delete from day_writes using ranges
      where day_writes.environment_id = ranges.environment_id
        and day_writes.user_id = ranges.user_id and day_writes.series = ranges.series
        and day_writes.id = ${id}
      returning 1
    ), versions as (${versionsSql('ranges')}), added as (
      select environment_id, user_id, series, day, addition from unnest(
        ${additions.map(({ environmentId }) => environmentId)}::uuid[],
        ${additions.map(({ userId }) => userId)}::uuid[],
        ${additions.map(({ series }) => series)}::text[],
        ${additions.map(({ day }) => day)}::integer[],
        ${additions.map(({ addition }) => addition)}::bytea[]
      ) as added (environment_id, user_id, series, day, addition)
    ), written as (
      select cached.environment_id, cached.user_id, cached.series, cached.day,
        case when exists (select from ended) and length(cached.additions) < ${MOST_ADDED_BYTES}
          then addition end as addition
      from ranges
      join cached_days cached using (environment_id, user_id, series)
      left join added on added.environment_id = cached.environment_id
        and added.user_id = cached.user_id and added.series = cached.series
        and added.day = cached.day
      where cached.day between first_day and last_day
      order by 1, 2, 3, 4
      for update of cached
    )
    update cached_days cached
    set revision = gen_random_uuid(),
      content = case when written.addition is not null then cached.content end,
      additions = case when written.addition is not null and cached.content is not null
        then cached.additions || written.addition else ''::bytea end
    from written
    where cached.environment_id = written.environment_id and cached.user_id = written.user_id
      and cached.series = written.series and cached.day = written.day`.execute(prepared(db))
}

/** Ends a write that changed nothing. */
export async function dropDayWrite(db: Db, id: string, changes: readonly DataChange[]) {
  if (changes.length === 0) return
  await sql`
    with ranges as (${rangesSql(changes)})
    delete from day_writes using ranges
    where day_writes.environment_id = ranges.environment_id
      and day_writes.user_id = ranges.user_id and day_writes.series = ranges.series
      and day_writes.id = ${id}`.execute(prepared(db))
}

/**
 * Gives up writes that began before a time, and the copies of their days. Their rows may be stored,
 * so their people have another version.
 */
export async function giveUpDayWrites(db: Db, before: Date): Promise<void> {
  await sql`
    with given_up as (
      delete from day_writes where begun_at < ${before} returning *
    ), versions as (${versionsSql('given_up')})
    delete from cached_days cached using given_up
    where cached.environment_id = given_up.environment_id
      and given_up.user_id in (cached.user_id, ${EVERYONE}) and cached.series = given_up.series
      and cached.day between given_up.first_day and given_up.last_day`.execute(db)
}

/**
 * Removes copies of the days of a series up to a time, of all people of an environment, after their
 * samples were deleted.
 */
export async function removeDaysBefore(
  db: Db,
  environmentId: string,
  series: string,
  before: Date,
): Promise<void> {
  await db
    .deleteFrom('cached_days')
    .where('environment_id', '=', environmentId)
    .where('series', '=', series)
    .where('day', '<=', dayOf(before.getTime()))
    .execute()
}

/** Removes copies of days that were not read since a time. @returns their number */
export async function removeUnreadDays(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cached_days where ctid = any (array(
      select ctid from cached_days where read_at < ${before} order by read_at limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Begins an epoch of versions where a crash of the database ended it, which counts from a time. */
export async function beginEpoch(db: Db, usableFrom: Date): Promise<void> {
  await sql`insert into data_epochs (usable_from) values (${usableFrom}) on conflict do nothing`.execute(
    db,
  )
}

/**
 * Whether a removal of rows is under way, or waits to be: it continues without the process that
 * began it.
 */
export async function hasOpenRemovals(clickhouse: ClickHouse): Promise<boolean> {
  const rows = await clickhouse.queryRows(
    'select 1 as one from system.mutations where database = currentDatabase() and not is_done limit 1',
  )
  return rows.length > 0
}
