import { Counter, type Registry } from 'prom-client'
import { isSuccess } from './attempt-outcome.ts'
import type { AttemptRecord } from './delivery.global.repository.ts'

/** What this process dispatched and attempted; labels name no team and no endpoint. */
export class DeliveryMetrics {
  readonly #dispatched: Counter
  readonly #attempts: Counter<'outcome'>

  constructor(registry: Registry) {
    this.#dispatched = new Counter({
      name: 'salus_events_dispatched_total',
      help: 'Events for which endpoints were chosen.',
      registers: [registry],
    })
    this.#attempts = new Counter({
      name: 'salus_webhook_attempts_total',
      help: 'Attempts to deliver a message, by their outcome: success, a status class, or an error.',
      labelNames: ['outcome'],
      registers: [registry],
    })
  }

  countDispatched(events: number): void {
    this.#dispatched.inc(events)
  }

  countAttempt({ responseStatus, error }: AttemptRecord): void {
    const statusClass = `${Math.floor((responseStatus ?? 0) / 100)}xx`
    this.#attempts.inc({
      outcome: isSuccess({ status: responseStatus }) ? 'success' : (error ?? statusClass),
    })
  }
}
