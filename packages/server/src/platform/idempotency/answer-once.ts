import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, conflict, InputError } from '../errors.ts'
import { errorBody } from '../http/error-handler.ts'
import type { Db } from '../postgres/database.ts'
import { findStoredAnswer, storeAnswer, tryLockKey } from './stored-answers.repository.ts'

/** One request that must not have two effects. */
export interface IdempotentRequest {
  db: Db
  environmentId: string
  /** Keys of different endpoints have nothing to do with each other. */
  endpoint: string
  key: string
  /** What was asked; another question under the same key is refused. */
  question: unknown
  /** Failures are not stored, so that the next request of the key tries anew. */
  storesOnlySuccess: boolean
  retentionMs: number
  at: Date
}

export interface IdempotentAnswer {
  status: number
  /** JSON. */
  body: string
  isReplayed: boolean
}

/** How the answer itself came about. */
type Outcome = { body: string } | { error: AppError }

/**
 * Does the work once for all requests of a key (contract 11, "Idempotency of ordering"): later ones
 * get the first answer. The work and its answer are one transaction, so no crash can part them; a
 * failure takes the work back and keeps the answer.
 * @throws AppError 409 `idempotency_conflict` while the first one runs, and for another question
 */
export async function answerOnce(
  request: IdempotentRequest,
  work: (transaction: Db) => Promise<unknown>,
): Promise<IdempotentAnswer> {
  const { environmentId, endpoint, key } = request
  const hash = hashOf(request.question)
  return request.db.transaction().execute(async (transaction) => {
    if (!(await tryLockKey(transaction, environmentId, endpoint, key))) {
      throw conflict('idempotency_conflict', 'A request with this key is still running.')
    }
    const since = new Date(request.at.getTime() - request.retentionMs)
    const stored = await findStoredAnswer(transaction, environmentId, endpoint, key, since)
    if (stored !== undefined) {
      if (stored.request_hash.equals(hash)) return { ...pick(stored), isReplayed: true }
      throw conflict('idempotency_conflict', 'The key was used for another request.')
    }
    const outcome = await tryWork(transaction, work)
    const answer = 'error' in outcome ? toFailure(outcome.error) : { status: 200, ...outcome }
    const isStored = !('error' in outcome) || !request.storesOnlySuccess
    if (isStored) {
      const row = { request_hash: hash, ...answer, at: request.at }
      await storeAnswer(transaction, environmentId, endpoint, key, row)
    }
    return { ...answer, isReplayed: false }
  })
}

const pick = ({ status, body }: { status: number; body: string }) => ({ status, body })

/** Does the work behind a savepoint, so that a refusal leaves the transaction usable. */
async function tryWork(
  transaction: Db,
  work: (transaction: Db) => Promise<unknown>,
): Promise<Outcome> {
  await sql`savepoint before_work`.execute(transaction)
  try {
    const answer = await work(transaction)
    await sql`release savepoint before_work`.execute(transaction)
    return { body: JSON.stringify(answer) }
  } catch (error) {
    // A malformed request and a fault of ours are no outcome: the key stays free.
    const isOutcome = error instanceof AppError && !(error instanceof InputError)
    if (!isOutcome || error.status >= 500) throw error
    await sql`rollback to savepoint before_work`.execute(transaction)
    return { error }
  }
}

function toFailure(error: AppError): { status: number; body: string } {
  return { status: error.status, body: JSON.stringify(errorBody(error)) }
}

/** The same for the same JSON, in whatever order its keys stand. */
function hashOf(question: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(question)))
    .digest()
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
