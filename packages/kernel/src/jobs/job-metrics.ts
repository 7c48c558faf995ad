import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { measureJobs } from './job-queue.global.repository.ts'

const DURATION = 'salus_job_duration_seconds'

export type JobDuration = Histogram<'kind' | 'outcome'>

/** Returns the timer of attempts of jobs in the registry, which workers of one process share. */
export function findJobDuration(registry: Registry | undefined): JobDuration {
  const known = registry?.getSingleMetric(DURATION) as JobDuration | undefined
  return known ?? makeDuration(registry === undefined ? [] : [registry])
}

const makeDuration = (registers: Registry[]): JobDuration =>
  new Histogram({
    name: DURATION,
    help: 'Time of attempts of jobs by kind and outcome: done, failed, given_up.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3600],
    registers,
  })

/** Registers the numbers of jobs of the deployment by state, and the waiting time of the oldest. */
export function registerJobMetrics(
  registry: Registry,
  { db, clock }: { db: Db; clock: Clock },
): void {
  findJobDuration(registry)
  const oldest = new Gauge({
    name: 'salus_oldest_waiting_job_seconds',
    help: 'Waiting time of the oldest job that can run.',
    registers: [registry],
  })
  const count = new Gauge({
    name: 'salus_jobs',
    help: 'Jobs by kind and state: waiting, scheduled, running, failing, given_up.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      count.reset()
      // Without the database the other metrics are still reported, and these are left out.
      const rows = await measureJobs(db).catch(() => undefined)
      if (rows === undefined) return oldest.remove()
      let since = clock.now().getTime()
      for (const { kind, state, jobs, oldest: at } of rows) {
        count.set({ kind, state }, jobs)
        if (state === 'waiting') since = Math.min(since, at.getTime())
      }
      oldest.set((clock.now().getTime() - since) / 1000)
    },
  })
}
