import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Stores } from '@salus/kernel/scope'
import type { Budget, Connector, VendorApp } from '../../connectors/index.ts'
import { type BucketSize, blockBucket, takeTokens } from './budgets.global.repository.ts'

/** Who asks: an environment's kind parts the emulated vendors from the real ones. */
export interface Asker {
  connector: Connector
  kind: string
  /**
   * undefined of vendors without registered apps: then all of the deployment are counted together.
   */
  app: VendorApp | undefined
  connectionId: string
}

interface Bucket extends BucketSize {
  name: string
  /** Taken at once from the store. */
  portion: number
}

interface Portion {
  tokens: number
  endsAt: number
}

/**
 * What a process took and does not use goes back to nobody, so it takes little and not for long.
 */
const MOST_PORTION = 20
const PORTION_MS = 10_000
/** Of a vendor that refuses and does not say for how long. */
const BLOCK_MS = 60_000
/** Who would have to wait longer begins a new row. */
const LONGEST_QUEUE_MS = 15 * MINUTE_MS
const UNLIMITED: BucketSize = { capacity: 1_000_000, perSecond: 1_000_000 }

/** That a budget is used up, or the vendor blocked it, and until when. */
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
 * How much vendors let themselves be asked, kept in PostgreSQL and taken in portions, so that
 * several processes share it and a request is seldom a statement.
 */
export class Budgets {
  readonly #stores: Pick<Stores, 'db' | 'clock'>
  readonly #portions = new Map<string, Portion>()
  /** One statement a bucket at a time. */
  readonly #taking = new Map<string, Promise<void>>()
  /** Of spent buckets: when the last one who was put off comes again. */
  readonly #turns = new Map<string, number>()

  constructor(stores: Pick<Stores, 'db' | 'clock'>) {
    this.#stores = stores
  }

  /**
   * Takes one request.
   * @throws BudgetSpent with nothing taken from the shared store that is not kept for later
   */
  async take(asker: Asker): Promise<void> {
    for (const bucket of bucketsOf(asker)) await this.#takeOne(bucket)
  }

  /** The vendor refuses: nobody asks until then. */
  async block(asker: Asker, retryAfterMs: number | null): Promise<BudgetSpent> {
    const now = this.#stores.clock.now()
    const until = new Date(now.getTime() + (retryAfterMs ?? BLOCK_MS))
    // Where persons are counted, too, it was most likely one of them.
    const bucket = bucketsOf(asker).at(-1)
    if (bucket !== undefined) {
      this.#portions.delete(bucket.name)
      await blockBucket(this.#stores.db, bucket.name, bucket, { until, now })
    }
    return new BudgetSpent(until.getTime(), true)
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
        throw error instanceof BudgetSpent ? this.#giveTurn(bucket, error) : error
      } finally {
        this.#taking.delete(bucket.name)
      }
    }
  }

  async #refill(bucket: Bucket): Promise<void> {
    const now = this.#stores.clock.now()
    const request = { wanted: bucket.portion, now }
    const { taken, blockedUntil } = await takeTokens(this.#stores.db, bucket.name, bucket, request)
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
   * One after the other, as fast as the bucket fills: of many who come again together one would be
   * served, and all others put off for a moment, again and again.
   */
  #giveTurn({ name, perSecond }: Bucket, { until, isBlocked }: BudgetSpent): BudgetSpent {
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

/** The narrowest last. */
function bucketsOf({ connector, kind, app, connectionId }: Asker): Bucket[] {
  const whose = { app: `app ${app ? appKeyOf(connector.slug, app) : ''}`, credential: connectionId }
  const declared: (Budget | null)[] = connector.budgets.toSorted((one, other) =>
    one.per < other.per ? -1 : 1,
  )
  // One that can be blocked all the same.
  if (declared.length === 0) declared.push(null)
  return declared.map((budget) => {
    const limit = budget === null ? '' : ` ${budget.requests}/${budget.seconds}`
    const owner = whose[budget?.per ?? 'app']
    const size = budget === null ? UNLIMITED : sizeOf(budget)
    const portion = Math.max(1, Math.min(MOST_PORTION, Math.floor(size.capacity / 4)))
    return { ...size, portion, name: `${connector.slug} ${kind} ${owner}${limit}` }
  })
}

/**
 * What it holds and what flows in are together never more than the vendor allows in any such time.
 */
export function sizeOf({ requests, seconds }: Pick<Budget, 'requests' | 'seconds'>): BucketSize {
  const capacity = Math.max(1, Math.floor(requests / 10))
  return { capacity, perSecond: Math.max(requests - capacity, 1) / seconds }
}

/** Names an app without showing its id. */
export function appKeyOf(slug: string, { clientId }: VendorApp): string {
  return createHash('sha256').update(`${slug} ${clientId}`).digest('hex').slice(0, 16)
}
