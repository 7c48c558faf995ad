import { bisect } from '../../../platform/bisect.ts'
import { AppError } from '../../../platform/errors.ts'
import { isStoreTrouble } from '../../../platform/http/error-handler.ts'

const OVERLOADED = new AppError(
  503,
  'overloaded',
  'More summaries are waiting to be stored than the server takes. Try again.',
)

interface Waiting<Operation, Outcome> {
  operation: Operation
  size: number
  settle: { resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }
}

export interface JoinedQueueOptions<Operation, Outcome> {
  /** How long the first of several callers waits for others to join. */
  joinMilliseconds: number
  /** Items at which a flush takes no further caller. */
  maxFlushItems: number
  /** Most items waiting before callers are told to come back later. */
  maxWaitingItems: number
  /** Does what was joined, all or nothing, and harmlessly again; one outcome an operation. */
  flush: (operations: readonly Operation[]) => Promise<readonly Outcome[]>
}

/**
 * Does the operations of concurrent callers together, one flush after the other. So each flush finds
 * in the store what the one before it stored, and no two take the same thing for new.
 */
export class JoinedQueue<Operation, Outcome> {
  readonly #options: JoinedQueueOptions<Operation, Outcome>
  readonly #queue: Waiting<Operation, Outcome>[] = []
  #waitingItems = 0
  #running: Promise<void> | undefined

  constructor(options: JoinedQueueOptions<Operation, Outcome>) {
    this.#options = options
  }

  /**
   * @param size How many items the operation is about.
   * @throws AppError 503 when too much is waiting already.
   */
  async add(operation: Operation, size: number): Promise<Outcome> {
    const [outcome] = await this.addAll([{ operation, size }])
    return outcome as Outcome
  }

  /** The parts of one call, let in together and done in their order, maybe not by one flush. */
  async addAll(parts: readonly { operation: Operation; size: number }[]): Promise<Outcome[]> {
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    const isTooMuch = this.#waitingItems + size > this.#options.maxWaitingItems
    if (this.#waitingItems > 0 && isTooMuch) throw OVERLOADED
    const outcomes = parts.map((part) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      this.#queue.push({ ...part, settle: { resolve, reject } })
      return promise
    })
    this.#waitingItems += size
    this.#running ??= this.#run()
    return Promise.all(outcomes)
  }

  /** Waits until nothing is waiting or being done. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#options.joinMilliseconds))
    while (this.#queue.length > 0) await this.#flush(this.#take())
    this.#running = undefined
  }

  #take(): Waiting<Operation, Outcome>[] {
    const taken: Waiting<Operation, Outcome>[] = []
    let items = 0
    while (this.#queue.length > 0 && items < this.#options.maxFlushItems) {
      const next = this.#queue.shift() as Waiting<Operation, Outcome>
      taken.push(next)
      items += next.size
    }
    this.#waitingItems -= items
    return taken
  }

  async #flush(taken: Waiting<Operation, Outcome>[]): Promise<void> {
    const operations = taken.map(({ operation }) => operation)
    const results = await bisect(operations, this.#options.flush, isStoreTrouble)
    for (const [index, result] of results.entries()) {
      const { resolve, reject } = (taken[index] as Waiting<Operation, Outcome>).settle
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    }
  }
}
