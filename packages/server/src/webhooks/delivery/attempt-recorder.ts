import { OutcomeQueue } from '@salus/kernel/batching/outcome-queue'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import type { Db } from '@salus/kernel/postgres/database'
import { type Environment, joinTransaction, rowScope, type Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { attemptExhausted } from '../webhooks.events.ts'
import type { AttemptOutcome } from './attempt-outcome.ts'
import { lockEndpoints, storeAttempts } from './delivery.global.repository.ts'
import { disableEndpoint, storeHealth } from './delivery.repository.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'

/** Returns the environment of an event, where it is not known; undefined for a deleted team. */
export type EnvironmentFinder = (environmentId: string) => Promise<Environment | undefined>

export interface RecorderOptions extends Stores {
  findEnvironment: EnvironmentFinder
  metrics: DeliveryMetrics
}

/**
 * Stores outcomes of all endpoints; those that arrive during one write are stored together by the
 * next.
 */
export class AttemptRecorder {
  readonly #options: RecorderOptions
  readonly #queue: OutcomeQueue<AttemptOutcome>

  constructor(options: RecorderOptions) {
    this.#options = options
    const complaint = 'outcomes of webhook attempts are not stored yet'
    this.#queue = new OutcomeQueue(options.log, complaint, (outcomes) => this.#store(outcomes))
  }

  /** Records an outcome. `stored` is called when it is durable. */
  record(outcome: AttemptOutcome, stored: () => void): void {
    this.#queue.add(outcome, (isStored) => {
      if (!isStored) return
      this.#options.metrics.countAttempt(outcome)
      stored()
    })
  }

  /**
   * Waits for queued outcomes; without a database they are given up, and will be attempted again.
   */
  stop(): Promise<void> {
    return this.#queue.stop()
  }

  async #store(outcomes: readonly AttemptOutcome[]): Promise<void> {
    const now = this.#options.clock.now()
    const isPlain = outcomes.every(
      ({ health, disable, status }) => health === null && disable === null && status !== 'failed',
    )
    if (isPlain) return storeAttempts(this.#options.db, now, outcomes)
    await this.#options.db.transaction().execute(async (transaction) => {
      const endpointIds = new Set(outcomes.map(({ endpointId }) => endpointId))
      await lockEndpoints(transaction, [...endpointIds])
      await storeAttempts(transaction, now, outcomes)
      for (const outcome of latestOfEachEndpoint(outcomes)) {
        const { environmentId, endpointId, health } = outcome
        if (health === null) continue
        await storeHealth(rowScope(transaction, environmentId), endpointId, health)
      }
      for (const { environmentId, endpointId, disable: reason } of outcomes) {
        if (reason === null) continue
        const disabling = { reason, at: now }
        await disableEndpoint(rowScope(transaction, environmentId), endpointId, disabling)
      }
      for (const outcome of outcomes) await this.#emitIfExhausted(transaction, outcome)
    })
  }

  /**
   * Emits an event to the other endpoints when a message failed for good; the failure of such an
   * event emits none.
   */
  async #emitIfExhausted(transaction: Db, outcome: AttemptOutcome): Promise<void> {
    if (outcome.status !== 'failed' || outcome.eventType === attemptExhausted.name) return
    const environment = await this.#options.findEnvironment(outcome.environmentId)
    if (environment === undefined) return
    const data = {
      msg_id: outcome.eventId,
      endpoint_id: outcome.endpointId,
      event_type: outcome.eventType,
      last_attempt: {
        timestamp: formatInstant(outcome.attemptedAt),
        response_status_code: outcome.responseStatus,
      },
    }
    const exceptEndpointId = outcome.endpointId
    const event = newEvent({ type: attemptExhausted, user: null, data, exceptEndpointId })
    await writeEvents(joinTransaction(this.#options, environment, transaction), [event])
  }
}

/** The health of an endpoint passes from attempt to attempt, so the last one has it. */
function latestOfEachEndpoint(outcomes: readonly AttemptOutcome[]): AttemptOutcome[] {
  const latest = new Map<string, AttemptOutcome>()
  for (const outcome of outcomes) {
    if (outcome.health !== null) latest.set(outcome.endpointId, outcome)
  }
  return [...latest.values()]
}
