import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Stores } from '@salus/kernel/scope'
import type { Budget, Connector, VendorApp } from '../../connectors/index.ts'
import {
  type BucketSize,
  blockBucket,
  countConnectedUsers,
  takeBucketTokens,
} from './budgets.global.repository.ts'

/** Owner of a budget: the environment's kind separates emulated vendors from real ones. */
export interface BudgetOwner {
  connector: Connector
  kind: string
  /**
   * undefined for vendors without registered apps: then all requests of the deployment are counted
   * together.
   */
  app: VendorApp | undefined
  /** Id of the connected user. */
  connectionId: string
  /** Number of connected users of the environment, where the limit of the app grows with them. */
  userCount?: number
}

interface Bucket extends BucketSize {
  name: string
  /** Whether the vendor says that it limits this owner; else the limit may be of an account. */
  isNamed: boolean
  /** Number taken from the store at once. */
  portion: number
}

interface Portion {
  tokens: number
  endsAt: number
}

/** Unused requests of a process are lost, so it takes few and keeps them briefly. */
const MOST_PORTION = 20
const PORTION_MS = 10_000
/** Duration of a block when the vendor names none. */
const BLOCK_MS = 60_000
/** A longer wait begins a new queue. */
const LONGEST_QUEUE_MS = 15 * MINUTE_MS
/** Refused accounts of a limit that the vendor does not name, after which all of it is blocked. */
const MOST_REFUSED = 3
/** Time for which a number of users is remembered. */
const USER_COUNT_MS = 10 * MINUTE_MS
const UNLIMITED: BucketSize = { capacity: 1_000_000, perSecond: 1_000_000 }

/** A budget is exhausted, or the vendor blocked it, until a time. */
export class BudgetSpent extends Error {
  readonly until: number
  readonly isBlocked: boolean

  constructor(until: number, isBlocked: boolean) {
    super('The budget of a vendor is used up for now.')
    this.name = 'BudgetSpent'
    this.until = until
    this.isBlocked = isBlocked
  }
}

/**
 * The rate limits of vendors, kept in PostgreSQL and taken in portions, so that several processes
 * share them and few requests need a statement.
 */
export class Budgets {
  readonly #stores: Pick<Stores, 'db' | 'clock'>
  readonly #portions = new Map<string, Portion>()
  /** One statement for a bucket at a time. */
  readonly #taking = new Map<string, Promise<void>>()
  readonly #userCounts = new Map<string, { count: Promise<number>; staleAt: number }>()
  /** Until when accounts are blocked, by the bucket that they share. */
  readonly #accounts = new Map<string, Map<string, number>>()
  /** When the last delayed request of an exhausted bucket is retried. */
  readonly #turns = new Map<string, number>()

  constructor(stores: Pick<Stores, 'db' | 'clock'>) {
    this.#stores = stores
  }

  /**
   * Takes one request.
   * @throws BudgetSpent; tokens that were already taken from the shared store are kept for later
   */
  async takeRequest(owner: BudgetOwner): Promise<void> {
    const buckets = bucketsOf(owner)
    const blocked = this.#accounts.get(buckets.at(-1)?.name ?? '')
    const until = blocked?.get(owner.connectionId) ?? 0
    if (until > this.#stores.clock.now().getTime()) throw new BudgetSpent(until, true)
    for (const bucket of buckets) await this.#takeOne(bucket)
  }

  /**
   * Returns the number of connected users of an environment. An app that serves several
   * environments has more, so the limit is never exceeded.
   */
  countUsers(environmentId: string, provider: string): Promise<number> {
    const key = `${environmentId} ${provider}`
    const now = this.#stores.clock.now().getTime()
    const known = this.#userCounts.get(key)
    if (known !== undefined && now < known.staleAt) return known.count
    const count = countConnectedUsers(this.#stores.db, environmentId, provider)
    this.#userCounts.set(key, { count, staleAt: now + USER_COUNT_MS })
    count.catch(() => this.#userCounts.delete(key))
    return count
  }

  /**
   * Blocks a budget that the vendor refused. Of a limit that the vendor does not name, or whose
   * owner it does not name, it blocks the account in this process, and for all when the vendor
   * refuses several accounts.
   * @param whose Where users are counted, too, most likely the budget of one of them was exceeded:
   *   the narrowest.
   */
  async blockBudget(
    owner: BudgetOwner,
    retryAfterMs: number | null,
    whose: 'narrowest' | 'widest',
  ): Promise<BudgetSpent> {
    const now = this.#stores.clock.now()
    const until = new Date(now.getTime() + (retryAfterMs ?? BLOCK_MS))
    const bucket = bucketsOf(owner).at(whose === 'narrowest' ? -1 : 0)
    const isOfAccount =
      whose === 'narrowest' &&
      bucket?.isNamed === false &&
      !this.#isRefusedOften(bucket.name, owner.connectionId, now.getTime(), until.getTime())
    if (bucket !== undefined && !isOfAccount) {
      this.#portions.delete(bucket.name)
      await blockBucket(this.#stores.db, bucket.name, bucket, { until, now })
    }
    return new BudgetSpent(until.getTime(), true)
  }

  /** Blocks an account; returns whether the vendor refuses others that share the bucket, too. */
  #isRefusedOften(bucket: string, account: string, now: number, until: number): boolean {
    const blocked = this.#accounts.get(bucket) ?? new Map<string, number>()
    for (const [other, end] of blocked) if (end <= now) blocked.delete(other)
    this.#accounts.set(bucket, blocked.set(account, until))
    return blocked.size >= MOST_REFUSED
  }

  async #takeOne(bucket: Bucket): Promise<void> {
    for (;;) {
      const now = this.#stores.clock.now().getTime()
      const portion = this.#portions.get(bucket.name)
      if (portion !== undefined && portion.tokens >= 1 && now < portion.endsAt) {
        portion.tokens -= 1
        return
      }
      const taking = this.#taking.get(bucket.name) ?? this.#refill(bucket)
      this.#taking.set(bucket.name, taking)
      try {
        await taking
      } catch (error) {
        throw error instanceof BudgetSpent ? this.#assignRetryTime(bucket, error) : error
      } finally {
        this.#taking.delete(bucket.name)
      }
    }
  }

  async #refill(bucket: Bucket): Promise<void> {
    const now = this.#stores.clock.now()
    const request = { wanted: bucket.portion, now }
    const { taken, blockedUntil } = await takeBucketTokens(
      this.#stores.db,
      bucket.name,
      bucket,
      request,
    )
    if (taken >= 1) {
      this.#forgetOld(now.getTime())
      this.#portions.set(bucket.name, { tokens: taken, endsAt: now.getTime() + PORTION_MS })
      return
    }
    const filledAt = now.getTime() + Math.ceil(1000 / bucket.perSecond)
    const endsAt = blockedUntil?.getTime() ?? 0
    throw new BudgetSpent(Math.max(filledAt, endsAt), endsAt > now.getTime())
  }

  /**
   * Assigns retries one after the other, at the rate of the bucket: otherwise of many concurrent
   * retries one would succeed, and the others be delayed again and again.
   */
  #assignRetryTime({ name, perSecond }: Bucket, { until, isBlocked }: BudgetSpent): BudgetSpent {
    const next = (this.#turns.get(name) ?? 0) + 1000 / perSecond
    const turn = next > until + LONGEST_QUEUE_MS ? until : Math.max(until, next)
    this.#turns.set(name, turn)
    return new BudgetSpent(Math.ceil(turn), isBlocked)
  }

  #forgetOld(now: number): void {
    if (this.#portions.size + this.#turns.size < 10_000) return
    for (const [name, { endsAt }] of this.#portions) {
      if (endsAt <= now) this.#portions.delete(name)
    }
    for (const [name, turn] of this.#turns) {
      if (turn <= now) this.#turns.delete(name)
    }
  }
}

/** Returns the buckets, the narrowest last. */
function bucketsOf({ connector, kind, app, connectionId, userCount = 0 }: BudgetOwner): Bucket[] {
  const ofApp = `app ${app ? appKeyOf(connector.slug, app) : ''}`
  const whose = { address: 'address', app: ofApp, credential: connectionId }
  const declared: (Budget | null)[] = connector.budgets.toSorted((one, other) =>
    one.per < other.per ? -1 : 1,
  )
  // A bucket that can be blocked although no limit is known.
  if (declared.length === 0) declared.push(null)
  return declared.map((budget) => {
    const limit = budget === null ? '' : ` ${budget.requests}/${budget.seconds}`
    const owner = whose[budget?.per ?? 'app']
    const added = (budget?.requestsPerUser ?? 0) * userCount
    const size =
      budget === null
        ? UNLIMITED
        : bucketSizeOf({ requests: budget.requests + added, seconds: budget.seconds })
    // Of a slow bucket no more than flows in meanwhile: unused ones would be lost for hours.
    const inflow = (size.perSecond * PORTION_MS) / 1000
    const most = Math.min(MOST_PORTION, size.capacity / 4, inflow)
    const portion = Math.max(1, Math.floor(most))
    const isNamed = budget?.per === 'credential' || (budget !== null && !budget.isAssumed)
    return { ...size, portion, isNamed, name: `${connector.slug} ${kind} ${owner}${limit}` }
  })
}

/** Capacity and inflow together never exceed what the vendor allows in any such time. */
export function bucketSizeOf({
  requests,
  seconds,
}: Pick<Budget, 'requests' | 'seconds'>): BucketSize {
  const capacity = Math.max(1, Math.floor(requests / 10))
  return { capacity, perSecond: Math.max(requests - capacity, 1) / seconds }
}

/** Identifies an app without showing its id. */
export function appKeyOf(slug: string, { clientId }: VendorApp): string {
  return createHash('sha256').update(`${slug} ${clientId}`).digest('hex').slice(0, 16)
}
