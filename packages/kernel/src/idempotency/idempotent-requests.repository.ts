import { type Generated, sql } from 'kysely'
import type { Scope, TransactionScope } from '../scope.ts'

interface IdempotentAnswersTable {
  environment_id: string
  endpoint: string
  key: string
  request_hash: Buffer
  /** Status of the answer; null, as the body, while the request runs. */
  status: number | null
  body: string | null
  created_at: Date
  expires_at: Date
  user_id: string | null
  holder: Generated<string | null>
  held_until: Generated<Date | null>
}

declare module '../postgres/database.ts' {
  interface Database {
    idempotent_answers: IdempotentAnswersTable
  }
}

/** Answer to the first request of a key. */
export interface FirstResponse {
  request_hash: Buffer
  status: number
  body: string
}

/** A key and its endpoint. */
export interface KeyOfEndpoint {
  endpoint: string
  key: string
}

/** Locks the key until the transaction ends; returns false when another request has it. */
export async function tryLockKey(
  { db, environment }: Scope,
  endpoint: string,
  key: string,
): Promise<boolean> {
  const name = JSON.stringify(['idempotency', environment.id, endpoint, key])
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(db)
  return rows[0]?.locked ?? false
}

/** Returns the stored answer of a key; undefined also while its first request runs. */
export async function findFirstResponse(
  { db, environment }: Scope,
  { endpoint, key }: KeyOfEndpoint,
  at: Date,
): Promise<FirstResponse | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'status', 'body'])
    .where('environment_id', '=', environment.id)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  const { status, body } = row ?? {}
  if (row === undefined || status == null || body == null) return undefined
  return { request_hash: row.request_hash, status, body }
}

/** Stores an answer, in place of one that is too old to count. */
export async function storeFirstResponse(
  { db, environment }: Scope,
  { endpoint, key }: KeyOfEndpoint,
  answer: FirstResponse & Pick<IdempotentAnswersTable, 'user_id' | 'created_at' | 'expires_at'>,
): Promise<void> {
  await db
    .insertInto('idempotent_answers')
    .values({ environment_id: environment.id, endpoint, key, ...answer })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'endpoint', 'key']).doUpdateSet(answer),
    )
    .execute()
}

/**
 * Claims a key for a running request until `heldUntil` at most; returns false when it is not free.
 */
export async function claimKey(
  { db, environment }: Scope,
  { endpoint, key }: KeyOfEndpoint,
  claim: Pick<IdempotentAnswersTable, 'request_hash' | 'user_id' | 'expires_at'> & {
    holder: string
    at: Date
    held_until: Date
  },
): Promise<boolean> {
  const { at, ...held } = claim
  const columns = { ...held, status: null, body: null, created_at: at }
  const taken = await db
    .insertInto('idempotent_answers')
    .values({ environment_id: environment.id, endpoint, key, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'endpoint', 'key'])
        .doUpdateSet(columns)
        .where((where) =>
          where.or([
            where('idempotent_answers.expires_at', '<=', at),
            where.and([
              where('idempotent_answers.status', 'is', null),
              where('idempotent_answers.held_until', '<=', at),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

/** Stores the answer of a claim; returns false when another request has the key by now. */
export async function storeClaimedResponse(
  { db, environment }: TransactionScope,
  { endpoint, key }: KeyOfEndpoint,
  holder: string,
  answer: { status: number; body: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotent_answers')
    .set({ ...answer, holder: null, held_until: null })
    .where('environment_id', '=', environment.id)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Releases a claimed key. */
export async function releaseKey(
  { db, environment }: Scope,
  { endpoint, key }: KeyOfEndpoint,
  holder: string,
): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('environment_id', '=', environment.id)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .execute()
}
