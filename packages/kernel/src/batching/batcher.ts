import { AppError, isHeld, isShardDown, isStoreTrouble } from '../errors.ts'
import { currentTraceParent, inSpan } from '../telemetry/tracing.ts'

const OVERLOADED = new AppError(
  503,
  'overloaded',
  'The server has too much data waiting to be stored. Try again.',
)

/** Maximum number of traces that the span of a batch links to. */
const MOST_LINKS = 32

/** Number of times that a failing batch may be halved before the rest of it fails as a whole. */
const MOST_RETRIES = 24

export interface BatcherOptions<Work, Outcome> {
  /** Kind of the stored data, for traces. */
  name: string
  /** Time that the first of several callers waits for others to join its batch. */
  waitMs: number
  /** Maximum time that work without a waiting caller waits for a batch to join. */
  lingerMs?: number
  /** Size at which a batch takes no further work. */
  maxBatchSize?: number
  /** Maximum size that may wait before callers get an error and have to come back later. */
  maxWaitingSize?: number
  /** Maximum number of batches in progress; each begins when the previous one allows it. */
  maxBatches?: number
  /**
   * Size that has to wait for a batch to begin while another one is in progress. Less than that
   * waits until all have ended, so that a few more callers share what a batch costs.
   */
  leastFurtherSize?: number
  /**
   * Does the work of a batch, all or nothing and safe to repeat, and returns one outcome for each
   * work.
   * @param beginNext Allows the next batch to begin before this one has ended.
   */
  flush: (batch: readonly Work[], beginNext: () => void) => Promise<readonly Outcome[]>
}

/** A switch to another shard ends within this time; work is tried again this often. */
const HELD_MS = 20_000
const HELD_RETRY_MS = 100

interface Waiting<Work, Outcome> {
  work: Work
  /** Time of the first refusal because of such a switch. */
  heldSince?: number
  size: number
  /** Trace parent of the span that waits for it. */
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
 * gives each its own outcome. When a batch fails, its halves are tried, so that bad work of one
 * caller fails no other: with one bad caller of n that takes about 2 log₂ n more tries. An error of
 * the stores is not caused by a caller, so all callers get it at once. Where a shard does not
 * answer, each caller is tried alone, since the callers of that shard may be half of them.
 */
export class Batcher<Work, Outcome> {
  readonly #options: Required<BatcherOptions<Work, Outcome>>
  #queue: Waiting<Work, Outcome>[] = []
  /** Number of works at the front of the queue that are due now; those behind them linger. */
  #due = 0
  #lingering: NodeJS.Timeout | undefined
  /** Parts of failed batches, to be tried before anything new. */
  readonly #failed: Batch<Work, Outcome>[] = []
  readonly #underWay = new Set<Promise<void>>()
  /** Work that waits for a switch. */
  readonly #held = new Set<Promise<void>>()
  #waitingSize = 0
  #running: Promise<void> | undefined
  #isEnough: PromiseWithResolvers<void> | undefined

  constructor(options: BatcherOptions<Work, Outcome>) {
    const defaults = {
      lingerMs: 0,
      maxBatchSize: Infinity,
      maxWaitingSize: Infinity,
      maxBatches: 1,
      leastFurtherSize: 0,
    }
    this.#options = { ...defaults, ...options }
  }

  /**
   * Adds the parts of one call, which are accepted together and done in order, though not always in
   * one batch.
   * @returns The outcome of each part.
   * @throws AppError 503 when too much is already waiting.
   */
  async add(parts: readonly { work: Work; size: number }[]): Promise<Outcome[]> {
    if (parts.length === 0) return []
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    const isTooMuch = this.#waitingSize + size > this.#options.maxWaitingSize
    if (this.#waitingSize > 0 && isTooMuch) throw OVERLOADED
    const outcomes = parts.map((part) => this.#enqueue(part))
    this.#makeAllDue()
    return Promise.all(outcomes)
  }

  /**
   * Adds work without a waiting caller: it joins the next batch, and lingers until there is one.
   */
  addLingering(part: { work: Work; size: number }): Promise<Outcome> {
    const outcome = this.#enqueue(part)
    this.#linger()
    return outcome
  }

  /** Waits until no work is waiting or in progress; lingering work begins at once. */
  async idle(): Promise<void> {
    if (this.#queue.length > 0) this.#makeAllDue()
    while (this.#running !== undefined || this.#underWay.size + this.#held.size > 0) {
      await this.#running
      await Promise.all([...this.#underWay, ...this.#held])
    }
  }

  #enqueue(part: { work: Work; size: number }): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#queue.push({ ...part, traceParent: currentTraceParent(), resolve, reject })
    this.#waitingSize += part.size
    if (this.#waitingSize >= this.#options.leastFurtherSize) {
      this.#isEnough?.resolve()
      this.#isEnough = undefined
    }
    return promise
  }

  /** Makes all waiting work due. */
  #makeAllDue(): void {
    this.#due = this.#queue.length
    this.#running ??= this.#run()
  }

  #linger(): void {
    this.#lingering ??= setTimeout(() => {
      this.#lingering = undefined
      if (this.#queue.length > 0) this.#makeAllDue()
    }, this.#options.lingerMs).unref()
  }

  async #run(): Promise<void> {
    const { waitMs } = this.#options
    // A timer of 0 waits for a millisecond.
    if (waitMs === 0) await new Promise(setImmediate)
    else await new Promise((resolve) => setTimeout(resolve, waitMs))
    while (this.#due > 0 || this.#failed.length > 0) {
      if (this.#underWay.size >= this.#options.maxBatches) await Promise.race(this.#underWay)
      else if (this.#isTooLittle()) await this.#waitForMore()
      else await this.#begin(this.#failed.shift() ?? this.#take())
    }
    this.#running = undefined
  }

  /** Whether what waits is too little for a batch besides those in progress. */
  #isTooLittle(): boolean {
    const isFurther = this.#underWay.size > 0 && this.#failed.length === 0
    return isFurther && this.#waitingSize < this.#options.leastFurtherSize
  }

  /** Waits until there is enough for a further batch, or one in progress has ended. */
  async #waitForMore(): Promise<void> {
    this.#isEnough ??= Promise.withResolvers()
    await Promise.race([...this.#underWay, this.#isEnough.promise])
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

  /**
   * Runs the work in a span. Work of one trace is a part of it; work of several traces has a span
   * of its own that links to them.
   */
  #inSpan<Result>(callers: Batch<Work, Outcome>['callers'], work: () => Promise<Result>) {
    const traces = [...new Set(callers.flatMap(({ traceParent }) => traceParent ?? []))]
    const [only = null] = traces.length === 1 ? traces : []
    const options = { parent: only, links: only === null ? traces.slice(0, MOST_LINKS) : [] }
    return inSpan(`batch ${this.#options.name}`, options, work)
  }

  /** Tries a caller again later, beside others. Returns false when it has waited for too long. */
  #waitForSwitch(caller: Waiting<Work, Outcome>, retries: { left: number }): boolean {
    caller.heldSince ??= performance.now()
    if (performance.now() - caller.heldSince > HELD_MS) return false
    const waited = new Promise<void>((resolve) => {
      setTimeout(() => {
        this.#failed.push({ callers: [caller], retries })
        this.#running ??= this.#run()
        resolve()
      }, HELD_RETRY_MS)
    })
    this.#held.add(waited)
    void waited.then(() => this.#held.delete(waited))
    return true
  }

  #fail({ callers, retries }: Batch<Work, Outcome>, error: unknown): void {
    if (callers.length > 1 && (isShardDown(error) || isHeld(error))) {
      this.#failed.unshift(...callers.map((caller) => ({ callers: [caller], retries })))
      this.#running ??= this.#run()
      return
    }
    if (isHeld(error) && callers.every((caller) => this.#waitForSwitch(caller, retries))) return
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
