import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'

interface SignInAttemptsTable {
  minute: Date
  network_hash: Buffer
  failed: number
}

declare module '../postgres/database.ts' {
  interface Database {
    sign_in_attempts: SignInAttemptsTable
  }
}

/** The row that counts all networks together. */
const ALTOGETHER = Buffer.alloc(0)

/** How often an attempt of a network failed in its minute, with this one, and all others did. */
export interface FailedAttempts {
  ofNetwork: number
  altogether: number
}

/** Counts an attempt as failed until it is taken back, and forgets former minutes. */
export async function addFailedAttempt(
  db: Db,
  minute: Date,
  networkHash: Buffer,
): Promise<FailedAttempts> {
  // Everybody's row comes last: it is locked for the shortest, and always in this order.
  const { rows } = await sql<{ network_hash: Buffer; failed: number }>`
    with former as (delete from sign_in_attempts where minute < ${minute})
    insert into sign_in_attempts as present (minute, network_hash, failed)
    values (${minute}, ${networkHash}, 1), (${minute}, ${ALTOGETHER}, 1)
    on conflict (minute, network_hash) do update set failed = present.failed + 1
    returning network_hash, failed`.execute(db)
  const failedOf = (hash: Buffer): number =>
    rows.find((row) => row.network_hash.equals(hash))?.failed ?? 1
  return { ofNetwork: failedOf(networkHash), altogether: failedOf(ALTOGETHER) }
}

/** The attempt did not fail, or was none. */
export async function takeBackAttempt(db: Db, minute: Date, networkHash: Buffer): Promise<void> {
  await takeBackFailure(db, minute, networkHash)
  await takeBackFailure(db, minute, ALTOGETHER)
}

/**
 * What failures are counted for: a hash of it, and the last minute of the window in which they
 * count.
 */
export interface CountedFor {
  minute: Date
  hash: Buffer
}

/**
 * Counts a failure for each of them, and forgets windows that are over.
 * @returns Their counts, in the same order
 */
export async function addFailures(
  db: Db,
  counted: readonly CountedFor[],
  present: Date,
): Promise<number[]> {
  const values = counted.map(({ minute, hash }) => sql`(${minute}::timestamptz, ${hash}::bytea, 1)`)
  const { rows } = await sql<{ network_hash: Buffer; failed: number }>`
    with former as (delete from sign_in_attempts where minute < ${present})
    insert into sign_in_attempts as present (minute, network_hash, failed)
    select * from (values ${sql.join(values)}) as given (minute, hash, failed) order by hash
    on conflict (minute, network_hash) do update set failed = present.failed + 1
    returning network_hash, failed`.execute(db)
  return counted.map(
    ({ hash }) => rows.find(({ network_hash }) => network_hash.equals(hash))?.failed ?? 1,
  )
}

/** They did not fail. */
export async function takeBackFailures(db: Db, counted: readonly CountedFor[]): Promise<void> {
  for (const { minute, hash } of counted) await takeBackFailure(db, minute, hash)
}

async function takeBackFailure(db: Db, minute: Date, hash: Buffer): Promise<void> {
  await sql`
    update sign_in_attempts set failed = failed - 1
    where minute = ${minute} and network_hash = ${hash}`.execute(db)
}
