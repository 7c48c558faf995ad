import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { onlyDevicesSql } from '../connections/index.ts'
import { dataVersionSql } from './data-versions.repository.ts'
import { EVERYONE } from './day-writes.global.repository.ts'

interface CachedDaysTable {
  environment_id: string
  user_id: string
  series: string
  /** Days since 1970-01-01 in UTC. */
  day: number
  revision: string
  content: Buffer | null
  additions: Buffer
  read_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    cached_days: CachedDaysTable
  }
}

/** Days of one series of a person, both ends included; days since 1970-01-01 in UTC. */
export interface DayRange {
  userId: string
  series: string
  firstDay: number
  lastDay: number
}

/** A day that was read before. */
export interface CachedDay {
  day: number
  revision: string
  /** Compressed samples; null where there is no copy. */
  content: Buffer | null
  additions: Buffer
  read_at: Date
}

/** What was found of the days of several series. */
export interface FoundDays {
  /** Ids of devices by provider, of providers that have exactly one device of the person. */
  devices: Map<string, string>
  /** Of the data, as old as the days are; undefined while there is none, or when not wanted. */
  version: string | undefined
  /** Series with days to which a write has begun and not ended. */
  written: ReadonlySet<string>
  days: FoundDay[]
}

type FoundDay = CachedDay & { series: string }

interface FoundRow extends Omit<FoundDay, 'day'> {
  devices: Record<string, string> | null
  written: string[] | null
  version: string | null
  day: number | null
}

/** Days of several series of a person. */
type DaysOfSeries = Omit<DayRange, 'series'> & { series: readonly string[] }

/** Returns the writes to days of a range that are open, as a part of a statement. */
const openWrites = ({ environment }: Pick<Scope, 'environment'>, range: DaysOfSeries) => sql`
  from day_writes w
  where w.environment_id = ${environment.id} and w.user_id in (${range.userId}, ${EVERYONE})
    and w.series = any (${[...range.series]}::text[])
    and w.first_day <= ${range.lastDay} and w.last_day >= ${range.firstDay}`

/**
 * Returns the cached days of a range, perhaps with the version of the data, in one statement;
 * undefined when there is no such person.
 */
export async function findCachedDays(
  scope: Scope,
  range: DaysOfSeries,
  { isVersioned }: { isVersioned: boolean },
): Promise<FoundDays | undefined> {
  const { db, environment } = scope
  // Limited, so that what is of the person is not computed for each day.
  const { rows } = await sql<FoundRow>`
    select devices, written, version, series, day, revision, content, additions, read_at
    from (
      select users.environment_id, users.id, ${onlyDevicesSql} as devices,
        (select array_agg(w.series) ${openWrites(scope, range)}) as written,
        ${isVersioned ? dataVersionSql(scope) : sql`null`} as version
      from users
      where users.environment_id = ${environment.id} and users.id = ${range.userId}
        and users.deleted_at is null
      limit 1
    ) as person
    left join cached_days on cached_days.environment_id = person.environment_id
      and cached_days.user_id = person.id and series = any (${[...range.series]}::text[])
      and day between ${range.firstDay} and ${range.lastDay}`.execute(prepared(db))
  const [first] = rows
  if (first === undefined) return undefined
  return {
    devices: new Map(Object.entries(first.devices ?? {})),
    version: first.version ?? undefined,
    written: new Set(first.written),
    days: rows.filter((row): row is FoundRow & FoundDay => row.day !== null),
  }
}

/** Remembers that days were read. */
export async function rememberDays(
  { db, environment, clock }: Scope,
  { userId, series }: DayRange,
  days: readonly number[],
): Promise<void> {
  await db
    .insertInto('cached_days')
    .columns(['environment_id', 'user_id', 'series', 'day', 'read_at'])
    .expression(
      sql`select ${environment.id}::uuid, ${userId}::uuid, ${series}, day, ${clock.now()}::timestamptz
        from unnest(${[...days]}::integer[]) as day order by day`,
    )
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'series', 'day']).doNothing(),
    )
    .execute()
}

/**
 * Stores the content of a day, unless a write has reached the day since `revision` was read, or is
 * on its way.
 */
export async function storeDay(
  scope: Scope,
  { userId, series }: DayRange,
  { day, revision }: Pick<CachedDay, 'day' | 'revision'>,
  content: Buffer,
): Promise<void> {
  const { db, environment, clock } = scope
  const range = { userId, series: [series], firstDay: day, lastDay: day }
  await db
    .updateTable('cached_days')
    .set({ content, additions: Buffer.alloc(0), read_at: clock.now() })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('series', '=', series)
    .where('day', '=', day)
    .where('revision', '=', revision)
    .where(sql<boolean>`not exists (select ${openWrites(scope, range)})`)
    .execute()
}

/** Notes that the days of a range are still read. */
export async function touchDays(
  { db, environment, clock }: Scope,
  { userId, series, firstDay, lastDay }: DayRange,
): Promise<void> {
  await db
    .updateTable('cached_days')
    .set({ read_at: clock.now() })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('series', '=', series)
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .execute()
}
