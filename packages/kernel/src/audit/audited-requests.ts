import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { Db } from '../postgres/database.ts'
import { inOneTransaction, isOfFailedTransaction } from '../postgres/transaction.ts'
import type { Clock } from '../time/clock.ts'
import type { ActorKind } from './audit-chain.ts'
import { insertPending, type NewAuditEntry } from './audit-log.global.repository.ts'
import type { AuditLog } from './audit-log.ts'

/** Sender of a request; set by the hooks that authenticate. */
export interface Actor {
  kind: ActorKind
  /**
   * Id of the key, of the management key that created the token, of the session of an app, of a
   * link or of the portal, of the share, or of the link code.
   */
  id: string
  /** The user that an app acts for: the subject of a request that names no user. */
  userId?: string
}

/** The row that the transaction of a change has recorded. */
interface PendingRow {
  id: string
  userId: string | null
  isCommitted: boolean
}

const UNWRITTEN = new AppError(
  503,
  'audit_unavailable',
  'The audit log cannot be written. The change may have been made; check before you try again.',
)

/** Fields in which bodies and answers have the id of the user whom they are about. */
interface Subject {
  user_id?: unknown
  order?: Subject
}

/**
 * Writes every request of a known caller to the audit log. A change in a transaction of its scope
 * is recorded in that transaction. Any other change is in the log before it is answered; when it
 * cannot be written, the answer is 503. Reads and failed requests are queued and do not wait.
 */
export function registerAudit(
  app: FastifyInstance,
  options: { audit: AuditLog; clock: Clock },
): void {
  const requests = new AuditedRequests(options)
  app.decorateRequest('actor', null)
  app.decorateRequest('audit', function (status) {
    return requests.write(this, status)
  })
  app.decorateRequest('transact', {
    getter() {
      return isRead(this) ? undefined : (db, work) => requests.transact(this, db, work)
    },
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    requests.recordUserOfAnswer(request, payload)
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const written = isRefused.has(reply) ? undefined : requests.write(request, reply.statusCode)
    if (written === undefined) return done(null, payload)
    written.then(
      () => done(null, payload),
      (cause) => {
        isRefused.add(reply)
        request.log.error({ err: cause }, 'a change was not written to the audit log')
        done(UNWRITTEN)
      },
    )
  })
}

class AuditedRequests {
  readonly #audit: AuditLog
  readonly #clock: Clock
  /** The users whom answers are about. */
  readonly #people = new WeakMap<FastifyRequest, string>()
  readonly #pending = new WeakMap<FastifyRequest, PendingRow>()

  constructor({ audit, clock }: { audit: AuditLog; clock: Clock }) {
    this.#audit = audit
    this.#clock = clock
  }

  recordUserOfAnswer(request: FastifyRequest, answer: unknown): void {
    const person = subjectOf(answer)
    if (person !== undefined) this.#people.set(request, person)
  }

  /** Logs an answer; the caller has to wait for the returned promise. */
  write(request: FastifyRequest, status: number): Promise<void> | undefined {
    if (request.actor === null) return undefined
    const pending = this.#pending.get(request)
    const entry = this.#entryOf(request, request.actor, status)
    if (pending !== undefined) entry.pendingId = pending.id
    // Only the answer may have named the user.
    const isRecorded = pending?.isCommitted && pending.userId === entry.userId
    const waits = status < 400 && !isRecorded && !isRead(request)
    return waits ? this.#audit.append(entry) : this.#audit.enqueue(entry)
  }

  /** The first transaction of a request that commits records the whole request. */
  async transact<Result>(
    request: FastifyRequest,
    db: Db,
    work: (transaction: Db) => Promise<Result>,
  ): Promise<Result> {
    const pending = this.#pending.get(request) ?? { id: newId(), userId: null, isCommitted: false }
    if (request.actor === null || pending.isCommitted) return inOneTransaction(db, work)
    this.#pending.set(request, pending)
    const entry = this.#entryOf(request, request.actor, null)
    const result = await inOneTransaction(db, work, (transaction, result) => {
      entry.userId ??= subjectOf(result) ?? null
      return insertPending(transaction, pending.id, entry).catch((cause) => {
        if (isOfFailedTransaction(cause)) throw cause
        request.log.error(
          { err: cause },
          'a change is rolled back: it cannot be written to the audit log',
        )
        throw UNWRITTEN
      })
    })
    pending.userId = entry.userId
    pending.isCommitted = true
    return result
  }

  #entryOf(request: FastifyRequest, actor: Actor, status: number | null): NewAuditEntry {
    return {
      at: this.#clock.now(),
      environmentId: request.scope?.environment.id ?? null,
      actorKind: actor.kind,
      actorId: actor.id,
      method: request.method,
      route: request.routeOptions.url ?? '',
      status,
      userId: personOf(request) ?? this.#people.get(request) ?? actor.userId ?? null,
      objectId: objectIdOf(request),
    }
  }
}

/** Answers that report that the log cannot be written; nothing more can be logged about them. */
const isRefused = new WeakSet<FastifyReply>()

/** Whether a request changes nothing. */
export const isRead = ({
  method,
  routeOptions: { config },
}: Pick<FastifyRequest, 'method'> & {
  routeOptions: { config: { isRead?: boolean } }
}): boolean => config.isRead ?? (method === 'GET' || method === 'HEAD')

const uuidOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined

/** Returns the user that the address, or else the body, names. */
function personOf({ params, query, body }: FastifyRequest): string | undefined {
  const [path, search] = [params as Subject, query as Subject]
  return uuidOf(path?.user_id) ?? uuidOf(search?.user_id) ?? subjectOf(body)
}

/** Returns the user that a body or an answer is about. */
function subjectOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { user_id, order } = content as Subject
  return uuidOf(user_id) ?? uuidOf(order?.user_id)
}

/** Returns the last id of the path besides that of the user, such as that of an order. */
function objectIdOf({ params }: FastifyRequest): string | null {
  const {
    user_id: _person,
    org_id: _organization,
    ...others
  } = (params ?? {}) as Subject & {
    org_id?: unknown
  }
  return (
    Object.values(others)
      .flatMap((value) => uuidOf(value) ?? [])
      .at(-1) ?? null
  )
}
