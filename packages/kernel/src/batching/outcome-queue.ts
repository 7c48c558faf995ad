import type { Log } from '../log.ts'

interface Waiting<Item> {
  item: Item
  settled: (isStored: boolean) => void
}

/** Maximum number of items that are stored at once. */
const MOST_ITEMS = 500
const RETRY_MS = 1_000

/**
 * Stores items; all that arrive during one write are stored together by the next. No item is given
 * up: while the database does not answer, items wait here.
 */
export class OutcomeQueue<Item> {
  readonly #store: (items: readonly Item[]) => Promise<void>
  readonly #log: Log
  /** Log message while items cannot be stored. */
  readonly #complaint: string
  readonly #queue: Waiting<Item>[] = []
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(log: Log, complaint: string, store: (items: readonly Item[]) => Promise<void>) {
    this.#log = log
    this.#complaint = complaint
    this.#store = store
  }

  /**
   * Adds an item. `settled` is called when the item is durable, or with false when it is given up
   * because the process ends.
   */
  add(item: Item, settled: (isStored: boolean) => void): void {
    this.#queue.push({ item, settled })
    this.#running ??= this.#run()
  }

  /** Waits for the queued items; without a database they are given up. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    // Lets items that arrive together be written together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, MOST_ITEMS)
      const isStored = await this.#tryToStore(batch)
      if (!isStored && !this.#isStopped) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      this.#queue.splice(0, batch.length)
      for (const { settled } of batch) settled(isStored)
    }
    this.#running = undefined
  }

  async #tryToStore(batch: readonly Waiting<Item>[]): Promise<boolean> {
    try {
      await this.#store(batch.map(({ item }) => item))
      return true
    } catch (error) {
      this.#log.warn({ err: error }, this.#complaint)
      return false
    }
  }
}
