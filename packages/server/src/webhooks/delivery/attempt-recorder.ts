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

/** Whose event, where no environment is at hand; undefined for a deleted team. */
export type EnvironmentFinder = (environmentId: string) => Promise<Environment | undefined>

export interface RecorderOptions extends Stores {
  findEnvironment: EnvironmentFinder
  metrics: DeliveryMetrics
}

/**
 * Stores outcomes of all endpoints, those that come during one write together in the next.
 */
export class AttemptRecorder {
  readonly #options: RecorderOptions
  readonly #queue: OutcomeQueue<AttemptOutcome>

  constructor(options: RecorderOptions) {
    this.#options = options
    const complaint = 'outcomes of webhook attempts are not stored yet'
    this.#queue = new OutcomeQueue(options.log, complaint, (outcomes) => this.#store(outcomes))
  }

  /** `stored` is called when the outcome is durable. */
  record(outcome: AttemptOutcome, stored: () => void): void {
    this.#queue.add(outcome, (isStored) => {
      if (!isStored) return
      this.#options.metrics.countAttempt(outcome)
      stored()
    })
  }

  /** Waits for what is queued; without a database it is given up, and will be attempted again. */
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

  /** Tells the other endpoints that a message failed for good; of such a notice nothing is told. */
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

/** The health of an endpoint goes from attempt to attempt, so its last one says it. */
function latestOfEachEndpoint(outcomes: readonly AttemptOutcome[]): AttemptOutcome[] {
  const latest = new Map<string, AttemptOutcome>()
  for (const outcome of outcomes) {
    if (outcome.health !== null) latest.set(outcome.endpointId, outcome)
  }
  return [...latest.values()]
}
