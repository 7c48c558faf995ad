import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, conflict, InputError } from '../errors.ts'
import { errorBody } from '../http/error-handler.ts'
import type { Scope, TransactionScope } from '../scope.ts'
import {
  findFirstResponse,
  storeFirstResponse,
  tryLockKey,
} from './idempotent-requests.repository.ts'

/** One request that must not have two effects. */
export interface IdempotentRequest {
  /** Keys of different endpoints have nothing to do with each other. */
  endpoint: string
  key: string
  /** Another body under the same key is refused. */
  body: unknown
  /** Failures are not stored, so that the next request of the key tries anew. */
  storesOnlySuccess: boolean
  retentionMs: number
  at: Date
}

export interface IdempotentResponse {
  status: number
  /** JSON. */
  body: string
  isReplayed: boolean
}

/** How the answer itself came about. */
type Outcome = { body: string } | { error: AppError }

/**
 * Does the work once for all requests of a key
 * (docs/contract/11-orders.md#idempotency-of-ordering): later ones get the first answer. The work
 * and its answer are one transaction, so no crash can part them; a failure takes the work back and
 * keeps the answer.
 * @throws AppError 409 `idempotency_conflict` while the first one runs, and for another body
 */
export async function runIdempotently(
  scope: Scope,
  request: IdempotentRequest,
  work: (tx: TransactionScope) => Promise<unknown>,
): Promise<IdempotentResponse> {
  const { endpoint, key } = request
  const hash = hashOf(request.body)
  return scope.transaction(async (tx) => {
    if (!(await tryLockKey(tx, endpoint, key))) {
      throw conflict('idempotency_conflict', 'A request with this key is still running.')
    }
    const since = new Date(request.at.getTime() - request.retentionMs)
    const stored = await findFirstResponse(tx, endpoint, key, since)
    if (stored !== undefined) {
      if (stored.request_hash.equals(hash)) return { ...pick(stored), isReplayed: true }
      throw conflict('idempotency_conflict', 'The key was used for another request.')
    }
    const outcome = await tryWork(tx, work)
    const answer = 'error' in outcome ? toFailure(outcome.error) : { status: 200, ...outcome }
    const isStored = !('error' in outcome) || !request.storesOnlySuccess
    if (isStored) {
      const row = { request_hash: hash, ...answer, at: request.at }
      await storeFirstResponse(tx, endpoint, key, row)
    }
    return { ...answer, isReplayed: false }
  })
}

const pick = ({ status, body }: { status: number; body: string }) => ({ status, body })

/** Does the work behind a savepoint, so that a refusal leaves the transaction usable. */
async function tryWork(
  tx: TransactionScope,
  work: (tx: TransactionScope) => Promise<unknown>,
): Promise<Outcome> {
  await sql`savepoint before_work`.execute(tx.db)
  try {
    const answer = await work(tx)
    await sql`release savepoint before_work`.execute(tx.db)
    return { body: JSON.stringify(answer) }
  } catch (error) {
    // A malformed request and a fault of ours are no outcome: the key stays free.
    const isOutcome = error instanceof AppError && !(error instanceof InputError)
    if (!isOutcome || error.status >= 500) throw error
    await sql`rollback to savepoint before_work`.execute(tx.db)
    return { error }
  }
}

function toFailure(error: AppError): { status: number; body: string } {
  return { status: error.status, body: JSON.stringify(errorBody(error)) }
}

/** The same for the same JSON, in whatever order its keys stand. */
function hashOf(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(body)))
    .digest()
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
