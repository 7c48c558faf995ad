import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { AuditLog } from '../audit/audit-log.ts'
import { AppError, RateLimitError } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { MinuteCounts } from '../http/rate-limits.ts'
import type { Stores } from '../scope.ts'
import {
  addFailures,
  type CountedFor,
  takeBackFailures,
} from './sign-in-attempts.global.repository.ts'
import { type GuessLimit, SIGN_IN_KINDS, type SignInKind } from './sign-ins.ts'

/**
 * Maximum number of failures that a process adds to the audit log in a minute, because they stay
 * there forever.
 */
const MOST_AUDITED = 60

interface SignInFailuresOptions extends Pick<Stores, 'db' | 'clock'> {
  audit: AuditLog
  registry: Registry
  config: { failedSignInLimit: number }
}

/** Gives every request its `signIns`. Processes count together in PostgreSQL. */
export function registerSignInFailures(app: App, options: SignInFailuresOptions): void {
  const failures = new SignInFailures(options)
  app.decorateRequest('signIns', {
    getter() {
      return {
        refuse: (kind) => failures.refuse(this, kind),
        watch: async (kind, codes, work, isLimited = false) => {
          try {
            return await work()
          } catch (error) {
            const isWrong = error instanceof AppError && codes.includes(error.errorType)
            if (isWrong && isLimited) await failures.refuse(this, kind)
            else if (isWrong) failures.note(this, kind)
            throw error
          }
        },
        note: (kind) => failures.note(this, kind),
        begin: (limits) => failures.begin(limits),
      }
    },
  })
}

class SignInFailures {
  readonly #options: SignInFailuresOptions
  readonly #counter: Counter<'kind'>
  readonly #ofAddresses = new MinuteCounts()
  readonly #audited = new MinuteCounts()

  constructor(options: SignInFailuresOptions) {
    this.#options = options
    this.#counter = counterOf(options.registry)
  }

  async refuse(request: FastifyRequest, kind: SignInKind): Promise<void> {
    this.note(request, kind)
    const { clientNetwork } = request
    const { db, clock, config } = this.#options
    const most = config.failedSignInLimit
    if (clientNetwork === undefined || most === 0) return
    const now = clock.now()
    const limit = { of: `${kind} ${clientNetwork}`, most, minutes: 1 }
    // Requests that this process can refuse by its own counts do not reach a database.
    if (this.#ofAddresses.add(limit.of, now) > limit.most) throw new RateLimitError(now)
    const [failed = 0] = await addFailures(db, [countedFor(limit, now)], minuteOf(now))
    if (failed > limit.most) throw new RateLimitError(now)
  }

  note(request: FastifyRequest, kind: SignInKind): void {
    this.#counter.inc({ kind })
    const { audit, clock } = this.#options
    const now = clock.now()
    // Only the first failure of an address in a minute is recorded.
    if (this.#audited.add(`${kind} ${request.clientNetwork}`, now) > 1) return
    if (this.#audited.add('', now) > MOST_AUDITED) return
    const { actor, scope, method, routeOptions } = request
    // A request with a known actor has a row of its own.
    if (actor !== null && actor !== undefined) return
    void audit.enqueue({
      at: now,
      environmentId: scope?.environment.id ?? null,
      actorKind: 'unknown',
      actorId: null,
      method,
      route: routeOptions.url ?? '',
      status: 401,
      userId: null,
      objectId: null,
    })
  }

  async begin(limits: readonly GuessLimit[]): Promise<() => Promise<void>> {
    const { db, clock } = this.#options
    const now = clock.now()
    const counted = limits.map((limit) => countedFor(limit, now))
    const takeBack = () => takeBackFailures(db, counted)
    const failures = await addFailures(db, counted, minuteOf(now))
    const over = limits.findIndex(({ most }, index) => (failures[index] ?? 0) > most)
    if (over === -1) return takeBack
    await takeBack()
    const end = (counted[over]?.minute.getTime() ?? 0) + MINUTE_MS
    throw new RateLimitError(now, Math.ceil((end - now.getTime()) / 1000))
  }
}

const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)

function countedFor({ of, minutes }: GuessLimit, now: Date): CountedFor {
  const length = minutes * MINUTE_MS
  const end = (Math.floor(now.getTime() / length) + 1) * length
  // Only a hash of addresses and names is stored, to distinguish them.
  const hash = createHash('sha256').update(`${end} ${of}`).digest()
  return { minute: new Date(end - MINUTE_MS), hash }
}

const FAILURES = 'salus_sign_in_failures_total'

function counterOf(registry: Registry): Counter<'kind'> {
  // Applications of one process share its metrics.
  const known = registry.getSingleMetric(FAILURES) as Counter<'kind'> | undefined
  if (known !== undefined) return known
  const counter = new Counter({
    name: FAILURES,
    help: 'Invalid keys, tokens, passwords, codes and signatures, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const kind of SIGN_IN_KINDS) counter.inc({ kind }, 0)
  return counter
}
