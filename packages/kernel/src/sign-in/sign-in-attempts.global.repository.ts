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

/** Key of the row that counts all networks together. */
const ALTOGETHER = Buffer.alloc(0)

/**
 * Number of failed attempts of a network in its minute, including this one, and that of all others.
 */
export interface FailedAttempts {
  ofNetwork: number
  altogether: number
}

/** Counts an attempt as failed until it is taken back, and removes former minutes. */
export async function addFailedAttempt(
  db: Db,
  minute: Date,
  networkHash: Buffer,
): Promise<FailedAttempts> {
  // The row of all networks comes last, because it is locked for the shortest time and always in
  // this order.
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

/** Takes back an attempt that did not fail, or that was none. */
export async function takeBackAttempt(db: Db, minute: Date, networkHash: Buffer): Promise<void> {
  await takeBackFailure(db, minute, networkHash)
  await takeBackFailure(db, minute, ALTOGETHER)
}

/** Key of a failure count: its hash, and the last minute of the window in which it counts. */
export interface CountedFor {
  minute: Date
  hash: Buffer
}

/**
 * Counts a failure for each key, and removes windows that are over.
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

/** Takes back failures that did not happen. */
export async function takeBackFailures(db: Db, counted: readonly CountedFor[]): Promise<void> {
  for (const { minute, hash } of counted) await takeBackFailure(db, minute, hash)
}

async function takeBackFailure(db: Db, minute: Date, hash: Buffer): Promise<void> {
  await sql`
    update sign_in_attempts set failed = failed - 1
    where minute = ${minute} and network_hash = ${hash}`.execute(db)
}
