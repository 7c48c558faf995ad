import type { Db } from '@salus/kernel/postgres/database'
import type { ParseOutcome } from '@salus/lab-report-parser'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { countUnfinishedJobs } from './lab-reports.global.repository.ts'

/** Counts outcomes of parsing, without personal data. */
export interface LabReportMetrics {
  countOutcome(outcome: ParseOutcome, seconds: number): void
}

export function registerLabReportMetrics(registry: Registry, db: Db): LabReportMetrics {
  new Gauge({
    name: 'salus_lab_report_jobs',
    help: 'Parsing jobs of lab reports that are not finished, by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset()
      // Without the database this metric is left out, and the others still work.
      const counts = await countUnfinishedJobs(db).catch(() => [])
      for (const { status, jobs } of counts) this.set({ status }, jobs)
    },
  })
  const outcomes = new Counter({
    name: 'salus_lab_report_attempts_total',
    help: 'Attempts at reading a lab report by outcome: parsed, or a failure reason.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'salus_lab_report_attempt_seconds',
    help: 'Duration of the attempts at reading a lab report.',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    registers: [registry],
  })
  return {
    countOutcome(outcome, seconds) {
      outcomes.inc({ outcome: outcome.status === 'parsed' ? 'parsed' : outcome.reason })
      durations.observe(seconds)
    },
  }
}
