import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { RateLimitError } from '../errors.ts'
import { integer, setting } from '../settings.ts'
import type { Clock } from '../time/clock.ts'
import type { App } from './app-types.ts'
import { isForwardedByStranger, networkOf } from './client-networks.ts'

/** Maximum number of keys that are counted in a minute, so that a flood takes no memory. */
const MOST_PARTITIONS = 100_000

const perMinute = (name: string, meaning: string, fallback: number) =>
  setting(
    name,
    `${meaning} that each process accepts per minute; 0 means no limit.`,
    String(fallback),
    integer(name, fallback, 0, 100_000_000),
  )

export const RATE_LIMIT_SETTINGS = {
  keyRateLimit: perMinute(
    'SALUS_RATE_LIMIT_KEY',
    'Requests of one team key or management key',
    60_000,
  ),
  personRateLimit: perMinute(
    'SALUS_RATE_LIMIT_PERSON',
    'Requests of the apps of one user, of their page, or of one link session,',
    1_200,
  ),
  addressRateLimit: perMinute(
    'SALUS_RATE_LIMIT_ADDRESS',
    'Requests of one client address without a credential',
    1_200,
  ),
  failedSignInLimit: setting(
    'SALUS_RATE_LIMIT_FAILURES',
    'Invalid keys, tokens and signatures of one kind that all processes together accept from one client address per minute before they answer 429; valid ones always pass. 0 means no limit.',
    '60',
    integer('SALUS_RATE_LIMIT_FAILURES', 60, 0, 100_000_000),
  ),
}

type RateLimitConfig = {
  [Key in keyof typeof RATE_LIMIT_SETTINGS]: number
} & { trustedProxies: readonly string[] }

/** Counts of the present minute, in memory. */
export class MinuteCounts {
  #minute = 0
  #counts = new Map<string, number>()

  /** @returns The number of calls in this minute, including this one */
  add(partition: string, now: Date): number {
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#counts = new Map()
    }
    const count = (this.#counts.get(partition) ?? 0) + 1
    if (count > 1 || this.#counts.size < MOST_PARTITIONS) this.#counts.set(partition, count)
    return count
  }
}

/**
 * Returns an onRequest hook that allows this many requests of one client address per minute, and
 * refuses the others with 429. Each process counts for itself, in memory, so that a flood does not
 * reach a database.
 */
export function limitByAddress({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  const counts = new MinuteCounts()
  return async ({ clientNetwork }: FastifyRequest): Promise<void> => {
    if (clientNetwork === undefined) return
    const now = clock.now()
    if (counts.add(clientNetwork, now) > perMinute) throw new RateLimitError(now)
  }
}

type Policy = 'key' | 'person' | 'address'

/** Returns what a request is counted as; undefined when it is not counted. */
function partitionOf(request: FastifyRequest): [Policy, string] | undefined {
  const { actor, clientNetwork } = request
  if (actor?.kind === 'mobile_session') return ['person', `person:${actor.userId}`]
  if (actor?.kind === 'import_address') return ['person', `address:${actor.userId}`]
  if (actor?.kind === 'link_token') return ['person', `link:${actor.id}`]
  if (actor?.kind === 'portal_session') return ['person', `portal:${actor.userId}`]
  if (actor?.kind === 'portal_share') return ['person', `share:${actor.id}`]
  // A management key, the tokens that it created and its sessions of the console each have their
  // own limit.
  if (actor) return ['key', `${actor.kind}:${actor.id}`]
  const isCounted = clientNetwork !== undefined && !request.routeOptions.config?.isUnlimited
  return isCounted ? ['address', clientNetwork] : undefined
}

/**
 * Limits requests by their sender, once that is known and before their body is read: by the
 * credential if it is valid, else by address. So no client uses up the limit of a credential that
 * it does not have, or of another client with a credential behind the same address.
 */
export function registerRateLimits(
  app: App,
  { config, clock, registry }: { config: RateLimitConfig; clock: Clock; registry: Registry },
): void {
  const limits: Record<Policy, number> = {
    key: config.keyRateLimit,
    person: config.personRateLimit,
    address: config.addressRateLimit,
  }
  const counts = new MinuteCounts()
  const refusals = limitedCounter(registry)
  const isProxyKnown = config.trustedProxies.length > 0
  app.decorateRequest('clientNetwork', {
    getter() {
      if (!isProxyKnown && isForwardedByStranger(this)) return undefined
      return networkOf(this.ip)
    },
  })
  app.decorateRequest('countStranger', function () {
    const { clientNetwork } = this
    if (clientNetwork === undefined || limits.address === 0) return
    const now = clock.now()
    if (counts.add(clientNetwork, now) <= limits.address) return
    refusals.inc({ policy: 'address' })
    throw new RateLimitError(now)
  })
  // The hooks that authenticate are all onRequest hooks, also those of inner scopes.
  app.addHook('preParsing', async (request, reply) => {
    const [policy, partition] = partitionOf(request) ?? []
    if (policy === undefined || partition === undefined) return
    const limit = limits[policy]
    if (limit === 0) return
    const now = clock.now()
    const count = counts.add(partition, now)
    addHeaders(reply, { policy, limit, left: Math.max(limit - count, 0), now })
    if (count <= limit) return
    refusals.inc({ policy })
    throw new RateLimitError(now)
  })
}

/** Adds the headers of draft-ietf-httpapi-ratelimit-headers. */
function addHeaders(
  reply: FastifyReply,
  { policy, limit, left, now }: { policy: Policy; limit: number; left: number; now: Date },
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=60`)
  reply.header('ratelimit', `"${policy}";r=${left};t=${60 - now.getUTCSeconds()}`)
}

const REFUSALS = 'salus_rate_limited_requests_total'

function limitedCounter(registry: Registry): Counter<'policy'> {
  // Applications of one process share its metrics.
  const known = registry.getSingleMetric(REFUSALS) as Counter<'policy'> | undefined
  return (
    known ??
    new Counter({
      name: REFUSALS,
      help: 'Requests over the rate limit of their key, user or address.',
      labelNames: ['policy'],
      registers: [registry],
    })
  )
}
