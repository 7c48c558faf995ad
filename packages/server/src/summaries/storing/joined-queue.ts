import { AppError } from '../../platform/errors.ts'

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
  /** Does what was joined, all or nothing; one outcome an operation. */
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
  add(operation: Operation, size: number): Promise<Outcome> {
    const isTooMuch = this.#waitingItems + size > this.#options.maxWaitingItems
    if (this.#waitingItems > 0 && isTooMuch) return Promise.reject(OVERLOADED)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#queue.push({ operation, size, settle: { resolve, reject } })
    this.#waitingItems += size
    this.#running ??= this.#run()
    return promise
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
    try {
      const outcomes = await this.#options.flush(taken.map(({ operation }) => operation))
      for (const [index, { settle }] of taken.entries()) settle.resolve(outcomes[index] as Outcome)
    } catch (error) {
      for (const { settle } of taken) settle.reject(error)
    }
  }
}
