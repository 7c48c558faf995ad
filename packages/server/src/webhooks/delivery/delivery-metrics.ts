import type { Stores } from '@salus/kernel/scope'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { isSuccess } from './attempt-outcome.ts'
import type { AttemptRecord } from './delivery.global.repository.ts'
import { measureOutbox } from './delivery-figures.global.repository.ts'

/** Registers the number of events of the deployment that wait to be dispatched, and their age. */
export function registerOutboxMetrics(
  registry: Registry,
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
): void {
  const oldest = new Gauge({
    name: 'salus_oldest_undispatched_event_seconds',
    help: 'Waiting time of the oldest event that is not dispatched to endpoints yet.',
    registers: [registry],
  })
  const count = new Gauge({
    name: 'salus_undispatched_events',
    help: 'Events that wait to be dispatched to endpoints, counted up to 100,000.',
    registers: [registry],
    async collect() {
      const now = clock.now()
      // Without the database the other metrics are still reported, and these are left out.
      const outbox = await measureOutbox(db, now).catch(() => undefined)
      count.remove()
      oldest.remove()
      if (outbox === undefined) return
      const since = outbox.oldest_at ?? now
      count.set(outbox.events)
      oldest.set((now.getTime() - since.getTime()) / 1000)
    },
  })
}

/** Metrics of the events and attempts of this process; labels name no team and no endpoint. */
export class DeliveryMetrics {
  readonly #dispatched: Counter
  readonly #attempts: Counter<'outcome'>
  readonly #duration: Histogram

  constructor(registry: Registry) {
    this.#dispatched = new Counter({
      name: 'salus_events_dispatched_total',
      help: 'Events that were dispatched to endpoints.',
      registers: [registry],
    })
    this.#attempts = new Counter({
      name: 'salus_webhook_attempts_total',
      help: 'Attempts to deliver a message, by their outcome: success, a status class, or an error.',
      labelNames: ['outcome'],
      registers: [registry],
    })
    this.#duration = new Histogram({
      name: 'salus_webhook_attempt_duration_seconds',
      help: 'Time of attempts to deliver a message, until the answer.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers: [registry],
    })
  }

  countDispatched(events: number): void {
    this.#dispatched.inc(events)
  }

  countAttempt({ responseStatus, error, durationMs }: AttemptRecord): void {
    this.#duration.observe(durationMs / 1000)
    const statusClass = `${Math.floor((responseStatus ?? 0) / 100)}xx`
    this.#attempts.inc({
      outcome: isSuccess({ status: responseStatus }) ? 'success' : (error ?? statusClass),
    })
  }
}
