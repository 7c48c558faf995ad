import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import { onlyDevicesSql } from '../connections/index.ts'
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

export interface FoundDays {
  /** Ids of devices by provider, of providers that have exactly one device of the person. */
  devices: Map<string, string>
  /** Whether a write to these days has begun and not ended. */
  isWritten: boolean
  days: CachedDay[]
}

/** Whether a write to a day of the range is open, in a statement that names it `w`. */
const openWrite = (scope: Scope, range: DayRange): RawBuilder<boolean> => sql<boolean>`exists (
  select from day_writes w
  where w.environment_id = ${scope.environment.id} and w.user_id in (${range.userId}, ${EVERYONE})
    and w.series = ${range.series}
    and w.first_day <= ${range.lastDay} and w.last_day >= ${range.firstDay}
)`

/** Returns the cached days of a range, or undefined when there is no such person. */
export async function findCachedDays(
  scope: Scope,
  range: DayRange,
): Promise<FoundDays | undefined> {
  const { db, environment } = scope
  const rows = await db
    .selectFrom('users')
    .leftJoin('cached_days as cached', (join) =>
      join
        .onRef('cached.environment_id', '=', 'users.environment_id')
        .onRef('cached.user_id', '=', 'users.id')
        .on('cached.series', '=', range.series)
        .on('cached.day', '>=', range.firstDay)
        .on('cached.day', '<=', range.lastDay),
    )
    .select([
      onlyDevicesSql.as('devices'),
      openWrite(scope, range).as('is_written'),
      'cached.day',
      'cached.revision',
      'cached.content',
      'cached.additions',
      'cached.read_at',
    ])
    .where('users.environment_id', '=', environment.id)
    .where('users.id', '=', range.userId)
    .where('users.deleted_at', 'is', null)
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  return {
    devices: new Map(Object.entries(first.devices ?? {})),
    isWritten: first.is_written,
    days: rows.filter((row): row is typeof row & CachedDay => row.day !== null),
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
  const range = { userId, series, firstDay: day, lastDay: day }
  await db
    .updateTable('cached_days')
    .set({ content, additions: Buffer.alloc(0), read_at: clock.now() })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('series', '=', series)
    .where('day', '=', day)
    .where('revision', '=', revision)
    .where(sql<boolean>`not ${openWrite(scope, range)}`)
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
