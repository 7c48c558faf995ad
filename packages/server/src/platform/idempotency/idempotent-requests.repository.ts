import { sql } from 'kysely'
import type { Scope } from '../scope.ts'

interface IdempotentAnswersTable {
  environment_id: string
  endpoint: string
  key: string
  request_hash: Buffer
  status: number
  body: string
  created_at: Date
}

declare module '../postgres/database.ts' {
  interface Database {
    idempotent_answers: IdempotentAnswersTable
  }
}

/** What the first request of a key was answered. */
export type FirstResponse = Pick<IdempotentAnswersTable, 'request_hash' | 'status' | 'body'>

/** Takes the key until the transaction ends; false when another request has it. */
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

export function findFirstResponse(
  { db, environment }: Scope,
  endpoint: string,
  key: string,
  since: Date,
): Promise<FirstResponse | undefined> {
  return db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'status', 'body'])
    .where('environment_id', '=', environment.id)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst()
}

/** Stores an answer, in place of one that is too old to count. */
export async function storeFirstResponse(
  { db, environment }: Scope,
  endpoint: string,
  key: string,
  answer: FirstResponse & { at: Date },
): Promise<void> {
  const { request_hash, status, body, at: created_at } = answer
  const columns = { request_hash, status, body, created_at }
  await db
    .insertInto('idempotent_answers')
    .values({ environment_id: environment.id, endpoint, key, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'endpoint', 'key']).doUpdateSet(columns),
    )
    .execute()
}
