import { AppError, isShardDown, isStoreTrouble } from '../errors.ts'
import { currentTraceParent, inSpan } from '../telemetry/tracing.ts'

const OVERLOADED = new AppError(
  503,
  'overloaded',
  'The server has too much data waiting to be stored. Try again.',
)

/** Traces that the span of a batch names. */
const MOST_LINKS = 32

/** Halves that a failing batch may be cut into before the rest of it fails as a whole. */
const MOST_RETRIES = 24

export interface BatcherOptions<Work, Outcome> {
  /** What it stores, for traces. */
  name: string
  /** How long the first of several callers waits for others to join its batch. */
  waitMs: number
  /** How long what nobody is in a hurry for waits at most for a batch to share. */
  lingerMs?: number
  /** Size at which a batch takes no further work. */
  maxBatchSize?: number
  /** Most that may wait before callers are told to come back later. */
  maxWaitingSize?: number
  /** Batches that may be under way at once; each begins where the one before it lets it. */
  maxBatches?: number
  /**
   * Does the work of a batch, all or nothing, and harmlessly again; one outcome for each work.
   * @param beginNext Lets the next batch begin before this one has ended.
   */
  flush: (batch: readonly Work[], beginNext: () => void) => Promise<readonly Outcome[]>
}

interface Waiting<Work, Outcome> {
  work: Work
  size: number
  /** Of the span that waits for it. */
  traceParent: string | undefined
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

interface Batch<Work, Outcome> {
  callers: Waiting<Work, Outcome>[]
  /** Shared by all parts of a batch that failed. */
  retries: { left: number }
}

/**
 * Group commit: does the work of concurrent callers together, in the order in which they came, and
 * gives each its own outcome. When a batch fails, its halves are tried, so that what one caller
 * brings fails no other: with one bad caller of n that takes about 2 log₂ n tries more. An error of
 * the stores says nothing of the callers, and is everybody's at once. Where a shard is away, each
 * caller is tried alone, since those of the shard may be half of them.
 */
export class Batcher<Work, Outcome> {
  readonly #options: Required<BatcherOptions<Work, Outcome>>
  #queue: Waiting<Work, Outcome>[] = []
  /** So many from the front of the queue are to be done now; those behind them linger. */
  #due = 0
  #lingering: NodeJS.Timeout | undefined
  /** Parts of batches that failed, to be tried before anything new. */
  readonly #failed: Batch<Work, Outcome>[] = []
  readonly #underWay = new Set<Promise<void>>()
  #waitingSize = 0
  #running: Promise<void> | undefined

  constructor(options: BatcherOptions<Work, Outcome>) {
    const defaults = {
      lingerMs: 0,
      maxBatchSize: Infinity,
      maxWaitingSize: Infinity,
      maxBatches: 1,
    }
    this.#options = { ...defaults, ...options }
  }

  /**
   * @param parts The work of one call, let in together and done in its order, maybe not in one
   *   batch.
   * @returns The outcome of each part.
   * @throws AppError 503 when too much is waiting already.
   */
  async add(parts: readonly { work: Work; size: number }[]): Promise<Outcome[]> {
    if (parts.length === 0) return []
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    const isTooMuch = this.#waitingSize + size > this.#options.maxWaitingSize
    if (this.#waitingSize > 0 && isTooMuch) throw OVERLOADED
    const outcomes = parts.map((part) => this.#enqueue(part))
    this.#doAll()
    return Promise.all(outcomes)
  }

  /**
   * As add, for work that nobody waits for: it joins the next batch, and lingers until there is
   * one.
   */
  addLingering(part: { work: Work; size: number }): Promise<Outcome> {
    const outcome = this.#enqueue(part)
    this.#linger()
    return outcome
  }

  /** Waits until nothing is waiting or being done; what lingers is begun at once. */
  async idle(): Promise<void> {
    if (this.#queue.length > 0) this.#doAll()
    while (this.#running !== undefined || this.#underWay.size > 0) {
      await this.#running
      await Promise.all(this.#underWay)
    }
  }

  #enqueue(part: { work: Work; size: number }): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#queue.push({ ...part, traceParent: currentTraceParent(), resolve, reject })
    this.#waitingSize += part.size
    return promise
  }

  /** All that waits by now is due. */
  #doAll(): void {
    this.#due = this.#queue.length
    this.#running ??= this.#run()
  }

  #linger(): void {
    this.#lingering ??= setTimeout(() => {
      this.#lingering = undefined
      if (this.#queue.length > 0) this.#doAll()
    }, this.#options.lingerMs).unref()
  }

  async #run(): Promise<void> {
    const { waitMs } = this.#options
    // A timer of 0 waits for a millisecond.
    if (waitMs === 0) await new Promise(setImmediate)
    else await new Promise((resolve) => setTimeout(resolve, waitMs))
    while (this.#due > 0 || this.#failed.length > 0) {
      if (this.#underWay.size >= this.#options.maxBatches) await Promise.race(this.#underWay)
      else await this.#begin(this.#failed.shift() ?? this.#take())
    }
    this.#running = undefined
  }

  #take(): Batch<Work, Outcome> {
    let [count, size] = [0, 0]
    for (const next of this.#queue) {
      if (size >= this.#options.maxBatchSize) break
      size += next.size
      count += 1
    }
    const callers = this.#queue.slice(0, count)
    this.#queue = this.#queue.slice(count)
    this.#due = Math.max(0, this.#due - count)
    this.#waitingSize -= size
    return { callers, retries: { left: MOST_RETRIES } }
  }

  /** Resolves when the next batch may begin. */
  #begin(batch: Batch<Work, Outcome>): Promise<void> {
    const next = Promise.withResolvers<void>()
    const ended = this.#flush(batch, next.resolve).finally(() => {
      this.#underWay.delete(ended)
      next.resolve()
    })
    this.#underWay.add(ended)
    return next.promise
  }

  async #flush(batch: Batch<Work, Outcome>, beginNext: () => void): Promise<void> {
    const { callers } = batch
    try {
      const work = callers.map((caller) => caller.work)
      const outcomes = await this.#inSpan(callers, () => this.#options.flush(work, beginNext))
      for (const [index, { resolve }] of callers.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      this.#fail(batch, error)
    }
  }

  /** Of one trace it is a part; several have a batch of its own trace that names them. */
  #inSpan<Result>(callers: Batch<Work, Outcome>['callers'], work: () => Promise<Result>) {
    const traces = [...new Set(callers.flatMap(({ traceParent }) => traceParent ?? []))]
    const [only = null] = traces.length === 1 ? traces : []
    const options = { parent: only, links: only === null ? traces.slice(0, MOST_LINKS) : [] }
    return inSpan(`batch ${this.#options.name}`, options, work)
  }

  #fail({ callers, retries }: Batch<Work, Outcome>, error: unknown): void {
    if (callers.length > 1 && isShardDown(error)) {
      this.#failed.unshift(...callers.map((caller) => ({ callers: [caller], retries })))
      this.#running ??= this.#run()
      return
    }
    if (callers.length === 1 || retries.left < 2 || isStoreTrouble(error)) {
      for (const { reject } of callers) reject(error)
      return
    }
    retries.left -= 2
    const middle = Math.ceil(callers.length / 2)
    this.#failed.unshift(
      { callers: callers.slice(0, middle), retries },
      { callers: callers.slice(middle), retries },
    )
    this.#running ??= this.#run()
  }
}
