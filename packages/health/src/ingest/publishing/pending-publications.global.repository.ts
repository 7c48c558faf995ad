import { coalesce, eventWriter, insertEventPart, partEvents } from '@salus/kernel/events/outbox'
import { anyOf, inTransaction, recordsOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import { type Generated, sql } from 'kysely'
import { attemptsUpsert } from '../../connections/index.ts'
import type { PublicationEvents } from './publication-events.ts'

/**
 * Data on their way into the other store whose events are not yet written: samples of a series by
 * their range, or summaries or workout streams by their ids.
 */
export interface PendingPublication {
  environment_id: string
  user_id: string
  /** Read name of a series, resource of summaries, or `workout_stream`. */
  resource: string
  provider: string
  /** The same for everything that one flush stores. */
  id: string
  range_start: Date | null
  range_end: Date | null
  /** Stored versions of samples are above it; null where a source itself dates its samples. */
  least_version: number | null
  /** null for samples. */
  summary_ids: string[] | null
  /** Public address of the deployment, for logos. */
  base_url: string
  created_at: Date
}

interface PendingPublicationsTable extends PendingPublication {
  /** Time of the last failure; null outside quarantine. */
  quarantined_at: Date | null
  failures: Generated<number>
  /** Code or class of the last error without its message, because drivers quote rows in them. */
  failure: string | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    pending_publications: PendingPublicationsTable
  }
}

const PENDING_COLUMNS = [
  'environment_id',
  'user_id',
  'resource',
  'provider',
  'id',
  'range_start',
  'range_end',
  'least_version',
  'summary_ids',
  'base_url',
  'created_at',
] as const satisfies (keyof PendingPublication)[]

/**
 * Inserts pending publications; returns older ones of the same resources and users, oldest first.
 */
export function insertPending(
  db: Db,
  pending: readonly PendingPublication[],
): Promise<PendingPublication[]> {
  // Excludes the rows of this statement, which does not see its own.
  const { columns, records } = recordsOf('pending_publications', pending)
  return prepared(db)
    .with('inserted', (query) =>
      query.insertInto('pending_publications').columns(columns).expression(records),
    )
    .selectFrom('pending_publications')
    .select(PENDING_COLUMNS)
    .where('environment_id', '=', anyOf(valuesOf(pending, 'environment_id')))
    .where('user_id', '=', anyOf(valuesOf(pending, 'user_id')))
    .where('resource', '=', anyOf(valuesOf(pending, 'resource')))
    .where('quarantined_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

/**
 * Writes the events, deletes their pending publications and counts the attempts, in one statement
 * or transaction.
 */
export async function publishEvents(
  db: Db,
  pending: readonly PendingPublication[],
  { plain, coalesced, attempts }: PublicationEvents,
): Promise<void> {
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('pending_publications')
      .where('environment_id', '=', anyOf(valuesOf(pending, 'environment_id')))
      .where('user_id', '=', anyOf(valuesOf(pending, 'user_id')))
      .where('resource', '=', anyOf(valuesOf(pending, 'resource')))
      .where('provider', '=', anyOf(valuesOf(pending, 'provider')))
      .where('id', '=', anyOf(valuesOf(pending, 'id')))
      .returning('id')
  // Locked before any count, also in recovery.
  const counting = (query: Pick<Db, 'insertInto'>) =>
    attemptsUpsert(query, [...attempts.values()], 'deleted')
  const [first, ...others] = partEvents(plain)
  const write = async (on: Db): Promise<void> => {
    if (first === undefined) await counting(prepared(on).with('deleted', deletion)).execute()
    else {
      const deletingFirst = eventWriter(on).with('deleted', deletion)
      await insertEventPart(deletingFirst.with('counted', counting), first)
    }
    for (const part of others) await insertEventPart(eventWriter(on), part)
    // The same order everywhere avoids deadlocks between processes.
    const inOrder = coalesced.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    for (const { key, row } of inOrder) await coalesce(on, row, key)
  }
  // Nearly always one statement, which needs no transaction.
  if (others.length === 0 && coalesced.length === 0) await write(db)
  else await inTransaction(db, write)
}

function valuesOf<Key extends keyof PendingPublication>(
  pending: readonly PendingPublication[],
  key: Key,
): Set<PendingPublication[Key]> {
  return new Set(pending.map((one) => one[key]))
}

/**
 * Returns those created before a time, oldest first: their writer did not complete.
 * @param quarantinedBefore Quarantined ones are included when they failed before this time.
 */
export function listPendingBefore(
  db: Db,
  before: Date,
  quarantinedBefore: Date,
  limit: number,
): Promise<PendingPublication[]> {
  return db
    .selectFrom('pending_publications')
    .selectAll()
    .where('created_at', '<=', before)
    .where((where) =>
      where.or([
        where('quarantined_at', 'is', null),
        where('quarantined_at', '<', quarantinedBefore),
      ]),
    )
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, resource, provider, id`)
    .limit(limit)
    .execute()
}

/** Locks one for the rest of the transaction; returns false when it is gone or locked. */
export async function lockPending(db: Db, pending: PendingPublication): Promise<boolean> {
  const row = await db
    .selectFrom('pending_publications')
    .select('id')
    .where('environment_id', '=', pending.environment_id)
    .where('user_id', '=', pending.user_id)
    .where('resource', '=', pending.resource)
    .where('provider', '=', pending.provider)
    .where('id', '=', pending.id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Failures before quarantine, and the age below which nothing is quarantined, since trouble may
 * pass.
 */
const MOST_FAILURES = 2
const YOUNG_MS = 30_000

/**
 * Counts a failure. After a few of them it is quarantined, so that it blocks nothing until it is
 * retried.
 * @returns whether it is in quarantine now
 */
export async function countFailure(
  db: Db,
  pending: PendingPublication,
  failure: string,
  at: Date,
): Promise<boolean> {
  const old = new Date(at.getTime() - YOUNG_MS)
  const row = await db
    .updateTable('pending_publications')
    .set({
      failures: sql`failures + 1`,
      failure,
      quarantined_at: sql`case
        when failures >= ${MOST_FAILURES} and created_at <= ${old} then ${at}::timestamptz end`,
    })
    .where('environment_id', '=', pending.environment_id)
    .where('user_id', '=', pending.user_id)
    .where('resource', '=', pending.resource)
    .where('provider', '=', pending.provider)
    .where('id', '=', pending.id)
    .returning('quarantined_at')
    .executeTakeFirst()
  return (row?.quarantined_at ?? null) !== null
}

/** Returns the number of quarantined publications. */
export async function countQuarantined(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pending_publications')
    .select((select) => select.fn.countAll().as('count'))
    .where('quarantined_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
