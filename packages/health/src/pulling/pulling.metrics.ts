import type { Stores } from '@salus/kernel/scope'
import { Counter, Gauge, type Registry } from 'prom-client'
import { measureQueue, PULL_KINDS } from './pull-tasks.global.repository.ts'
import type { PullRecord } from './running/outcome-recorder.ts'

/** Registers the number of due tasks of the deployment, and the age of the oldest. */
export function registerPullMetrics(
  registry: Registry,
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
): void {
  const oldest = new Gauge({
    name: 'salus_oldest_due_pull_seconds',
    help: 'Seconds since the oldest due pull task became due, by kind of pull.',
    labelNames: ['kind'],
    registers: [registry],
  })
  const depth = new Gauge({
    name: 'salus_due_pulls',
    help: 'Number of pull tasks that are due, by kind of pull.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const now = clock.now()
      // Without the database the other metrics are still reported, but not these.
      const rows = await measureQueue(db, now).catch(() => undefined)
      for (const kind of PULL_KINDS) {
        const row = rows?.find((candidate) => candidate.kind === kind)
        if (rows === undefined) {
          depth.remove({ kind })
          oldest.remove({ kind })
          continue
        }
        depth.set({ kind }, row?.depth ?? 0)
        const seconds = row === undefined ? 0 : (now.getTime() - row.oldest.getTime()) / 1000
        oldest.set({ kind }, seconds)
      }
    },
  })
}

/** Counts the pulls of this process; labels name a provider, and no user or team. */
export class PullMetrics {
  readonly #pulls: Counter<'provider' | 'outcome'>

  constructor(registry: Registry) {
    this.#pulls = new Counter({
      name: 'salus_pulls_total',
      help: 'Number of pulled ranges by outcome: held, put_off, parked, or the reason of a failure.',
      labelNames: ['provider', 'outcome'],
      registers: [registry],
    })
  }

  count({ task, outcome }: PullRecord): void {
    const name = outcome.kind === 'failed' ? outcome.reason : outcome.kind
    this.#pulls.inc({ provider: task.provider, outcome: name })
  }
}
