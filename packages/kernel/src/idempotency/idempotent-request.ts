import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, conflict, InputError } from '../errors.ts'
import { errorBody } from '../http/error-handler.ts'
import { newId } from '../ids.ts'
import type { Scope, TransactionScope } from '../scope.ts'
import {
  claimKey,
  type FirstResponse,
  findFirstResponse,
  releaseKey,
  storeClaimedResponse,
  storeFirstResponse,
  tryLockKey,
} from './idempotent-requests.repository.ts'

/** One request that must not have two effects. */
export interface IdempotentRequest {
  /** Keys of different endpoints are independent of each other. */
  endpoint: string
  key: string
  /** Another body under the same key is refused. */
  body: unknown
  /**
   * The user whom the request is about: everything that is stored of it is erased with the user.
   * Null only where the request names no existing user.
   */
  userId: string | null
  /** Failures are not stored, so that the next request with the key tries again. */
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

/** How the answer was created. */
type Outcome = { body: string } | { error: AppError }

/**
 * Does the work once for all requests of a key
 * (docs/contract/11-orders.md#idempotency-of-ordering): later ones get the first answer. The work
 * and its answer are one transaction, so no crash can separate them; a failure rolls the work back
 * and stores the answer.
 * @throws AppError 409 `idempotency_conflict` while the first one runs, and for another body
 */
export async function runIdempotently(
  scope: Scope,
  request: IdempotentRequest,
  work: (tx: TransactionScope) => Promise<unknown>,
): Promise<IdempotentResponse> {
  const { endpoint, key, at } = request
  const hash = hashOf(request.body)
  return scope.transaction(async (tx) => {
    if (!(await tryLockKey(tx, endpoint, key))) throw stillRunning()
    const stored = await findFirstResponse(tx, request, at)
    if (stored !== undefined) return replay(stored, hash)
    const outcome = await tryWork(tx, work)
    const answer = 'error' in outcome ? toFailure(outcome.error) : { status: 200, ...outcome }
    const isStored = !('error' in outcome) || !request.storesOnlySuccess
    if (isStored) {
      await storeFirstResponse(tx, request, {
        request_hash: hash,
        ...answer,
        user_id: request.userId,
        created_at: at,
        expires_at: endOf(request),
      })
    }
    return { ...answer, isReplayed: false }
  })
}

/** Longer than any such work takes; after a crash the key is blocked for this time. */
const MOST_WORK_MS = 60_000

/**
 * Stores the answer of the work in the transaction that has its effect.
 * @throws AppError 409 when the work took so long that another request of the key does it by now
 */
export type StoreAnswer = (tx: TransactionScope, answer: unknown) => Promise<void>

/**
 * Does the work as runIdempotently does, for work that waits for other services outside of
 * transactions: the key is claimed in a statement of its own, and the work itself stores its answer
 * where its effect commits. After a crash in between the key is free after a minute.
 * @throws AppError 409 `idempotency_conflict`
 */
export async function runClaimed(
  scope: Scope,
  request: IdempotentRequest,
  work: (storeAnswer: StoreAnswer) => Promise<unknown>,
): Promise<IdempotentResponse> {
  const { at } = request
  const hash = hashOf(request.body)
  const holder = newId()
  const held = { holder, held_until: new Date(at.getTime() + MOST_WORK_MS) }
  const expires_at = endOf(request)
  const claim = { request_hash: hash, ...held, user_id: request.userId, at, expires_at }
  if (!(await claimKey(scope, request, claim))) {
    const stored = await findFirstResponse(scope, request, at)
    if (stored === undefined) throw stillRunning()
    return replay(stored, hash)
  }
  const store = async (tx: TransactionScope, row: { status: number; body: string }) => {
    if (!(await storeClaimedResponse(tx, request, holder, row))) throw stillRunning()
  }
  try {
    const answer = await work((tx, answer) =>
      store(tx, { status: 200, body: JSON.stringify(answer) }),
    )
    return { status: 200, body: JSON.stringify(answer), isReplayed: false }
  } catch (error) {
    if (!isOutcome(error) || request.storesOnlySuccess) {
      await releaseKey(scope, request, holder)
      throw error
    }
    const failure = toFailure(error)
    await scope.transaction((tx) => store(tx, failure))
    return { ...failure, isReplayed: false }
  }
}

const stillRunning = () =>
  conflict('idempotency_conflict', 'A request with this key is still running.')

const endOf = ({ at, retentionMs }: IdempotentRequest) => new Date(at.getTime() + retentionMs)

/** @throws AppError 409 when the key was used for another request */
function replay({ status, body, request_hash }: FirstResponse, hash: Buffer): IdempotentResponse {
  if (request_hash.equals(hash)) return { status, body, isReplayed: true }
  throw conflict('idempotency_conflict', 'The key was used for another request.')
}

/** Does the work behind a savepoint, so that an error leaves the transaction usable. */
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
    if (!isOutcome(error)) throw error
    await sql`rollback to savepoint before_work`.execute(tx.db)
    return { error }
  }
}

/** A malformed request and an error of ours are not outcomes: the key stays free. */
const isOutcome = (error: unknown): error is AppError =>
  error instanceof AppError && !(error instanceof InputError) && error.status < 500

function toFailure(error: AppError): { status: number; body: string } {
  return { status: error.status, body: JSON.stringify(errorBody(error)) }
}

/** Returns the same hash for the same JSON, in whatever order its keys are. */
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
