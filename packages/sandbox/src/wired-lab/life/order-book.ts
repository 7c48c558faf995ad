import { setTimeout as pause } from 'node:timers/promises'
import type { OrderLife } from './order-life.ts'
import { findScenario, type Scenario, type Step, UnknownWordError } from './scenario.ts'

/** What the laboratory did, without data of people: numbers, types and codes only. */
export interface LabEvent {
  at: Date
  /** Number of the requisition; '' where there is none. */
  number: string
  /** What it is about: `order`, a step, or `problem`. */
  what: string
  /** Message and its answer, such as `ORU^R01 → AA`. */
  text: string
}

/** An order that the laboratory took, as its wire brought it. */
export interface TakenOrder<Order> {
  order: Order
  life: OrderLife
}

export interface BookOptions<Order> {
  /** What becomes of orders whose notes say nothing else. */
  scenario: Scenario
  /** Seconds between the messages about an order. */
  paceSeconds: number
  now: () => Date
  onEvent: (event: LabEvent) => void
  /** Sends a step of an order over the wire. */
  send: (taken: TakenOrder<Order>, step: Step) => Promise<void>
}

/** How a new order is to be answered. */
export type Decision = 'repeated' | 'lost' | 'refused' | Scenario

/** The orders of a laboratory, in memory, and what becomes of each. */
export class OrderBook<Order> {
  readonly #options: BookOptions<Order>
  readonly #orders = new Map<string, TakenOrder<Order>>()
  readonly #lost = new Set<string>()
  readonly #stop = new AbortController()
  readonly #work = new Set<Promise<void>>()

  constructor(options: BookOptions<Order>) {
    this.#options = options
  }

  /** Fires when the laboratory stops. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  find(number: string): TakenOrder<Order> | undefined {
    return this.#orders.get(number)
  }

  /** Decides how an order is answered, and waits as long as its scenario says. */
  async decide(number: string, notes: string): Promise<Decision> {
    // A repetition is answered as the first one, and causes nothing else.
    if (this.#orders.has(number)) return 'repeated'
    const scenario = this.#scenarioOf(number, notes)
    if (scenario.answer === 'lose' && !this.#lost.has(number)) {
      this.#lost.add(number)
      return 'lost'
    }
    await this.#wait(scenario.delaySeconds).catch(() => undefined)
    if (scenario.answer === 'refuse') return 'refused'
    // A sender without patience repeated it meanwhile.
    return this.#orders.has(number) ? 'repeated' : scenario
  }

  /** Takes an order; `answered` resolves when it was accepted, and its steps follow. */
  take(number: string, taken: TakenOrder<Order>, answered: Promise<void>): void {
    this.#orders.set(number, taken)
    this.background(async () => {
      await answered
      for (const step of taken.life.scenario.steps) {
        await this.#wait(this.#options.paceSeconds)
        if (taken.life.isCancelled) return
        await this.#options.send(taken, step)
      }
    })
  }

  /** Cancels an order for its client. Returns false when it is unknown or was reported. */
  cancel(number: string): boolean {
    const life = this.#orders.get(number)?.life
    if (life === undefined || life.isReported) return false
    life.isCancelled = true
    return true
  }

  /** Sends steps of an order now. Returns false for an order that is unknown. */
  async run(number: string, steps: readonly Step[]): Promise<boolean> {
    const taken = this.#orders.get(number)
    if (taken === undefined) return false
    for (const step of steps) await this.#options.send(taken, step)
    return true
  }

  /** Works beside the answers; what the stop ends is no failure. */
  background(work: () => Promise<void>): Promise<void> {
    const running = work().catch((error: unknown) => {
      if (!this.signal.aborted) throw error
    })
    this.#work.add(running)
    void running.finally(() => this.#work.delete(running))
    return running
  }

  report(number: string, what: string, text: string): void {
    this.#options.onEvent({ at: this.#options.now(), number, what, text })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#work)
  }

  #wait(seconds: number): Promise<void> {
    return pause(seconds * 1000, undefined, { signal: this.signal })
  }

  #scenarioOf(number: string, notes: string): Scenario {
    try {
      return findScenario(notes) ?? this.#options.scenario
    } catch (error) {
      if (!(error instanceof UnknownWordError)) throw error
      this.report(number, 'problem', error.message)
      return this.#options.scenario
    }
  }
}
