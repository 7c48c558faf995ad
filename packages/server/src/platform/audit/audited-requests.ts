import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isUuid } from '../ids.ts'
import type { Clock } from '../time/clock.ts'
import type { ActorKind, AuditEntry } from './audit-chain.ts'
import type { AuditLog } from './audit-log.ts'

/** Who sends a request; set by the hooks that authenticate. */
export interface Actor {
  kind: ActorKind
  /** Of the key, or of the management key that made the token. */
  id: string
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    /** Tells the log of an answer that a route has taken over from the framework, with its status. */
    audit: (status: number) => Promise<void> | undefined
  }
}

const UNWRITTEN = new AppError(
  503,
  'audit_unavailable',
  'The audit log cannot be written. The change may have been made; look before you try again.',
)

/** Where bodies and answers have the id of the person they are about. */
interface Subject {
  user_id?: unknown
  order?: Subject
}

/**
 * Writes every request of a known caller to the audit log. A change is in it before it is answered; when it
 * cannot be written, the answer is 503. A read is queued and does not wait.
 */
export function registerAudit(
  app: FastifyInstance,
  { audit, clock }: { audit: AuditLog; clock: Clock },
): void {
  const people = new WeakMap<FastifyRequest, string | null>()

  const entryOf = (request: FastifyRequest, actor: Actor, status: number): AuditEntry => ({
    at: clock.now(),
    environmentId: request.scope?.environment.id ?? null,
    actorKind: actor.kind,
    actorId: actor.id,
    method: request.method,
    route: request.routeOptions.url ?? '',
    status,
    userId: personOf(request) ?? people.get(request) ?? null,
    objectId: objectOf(request),
  })
  const write = (request: FastifyRequest, status: number): Promise<void> | undefined => {
    if (request.actor === null) return undefined
    const entry = entryOf(request, request.actor, status)
    return isRead(request) ? audit.enqueue(entry) : audit.append(entry)
  }

  app.decorateRequest('actor', null)
  app.decorateRequest('audit', function (status) {
    return write(this, status)
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const person = subjectOf(payload)
    if (person !== undefined) people.set(request, person)
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const written = isRefused.has(reply) ? undefined : write(request, reply.statusCode)
    if (written === undefined) return done(null, payload)
    written.then(
      () => done(null, payload),
      (cause) => {
        isRefused.add(reply)
        request.log.error({ err: cause }, 'a change is not in the audit log')
        done(UNWRITTEN)
      },
    )
  })
}

/** Answers that tell that the log is away: nothing more can be written of them. */
const isRefused = new WeakSet<FastifyReply>()

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

const uuidOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined

/** The person that the address, or else the body, names. */
function personOf({ params, query, body }: FastifyRequest): string | undefined {
  const [path, search] = [params as Subject, query as Subject]
  return uuidOf(path?.user_id) ?? uuidOf(search?.user_id) ?? subjectOf(body)
}

/** The person that a body or an answer is about. */
function subjectOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { user_id, order } = content as Subject
  return uuidOf(user_id) ?? uuidOf(order?.user_id)
}

/** The last id of the path beside the person's, such as that of an order. */
function objectOf({ params }: FastifyRequest): string | null {
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
