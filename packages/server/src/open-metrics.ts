import { registerPublicationMetric } from '@salus/health/ingest'
import { registerPullMetrics } from '@salus/health/pulling'
import { createMetrics } from '@salus/kernel/http/metrics'
import { registerJobMetrics } from '@salus/kernel/jobs/job-metrics'
import { registerPoolMetric } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import type { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import { registerLabConnectionMetrics } from '@salus/lab/connections'
import { registerLabMessageMetric } from '@salus/lab/inbox'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import { registerOutboxMetrics } from './webhooks/index.ts'

interface MetricsOptions extends Pick<Stores, 'db' | 'clock'> {
  pool: pg.Pool
  statements?: StatementObserver
}

/** Creates the metrics of a process, except those that its parts add as they start. */
export function openMetrics({ pool, statements, ...stores }: MetricsOptions): Registry {
  const registry = createMetrics()
  statements?.register(registry)
  registerPoolMetric(registry, pool)
  registerJobMetrics(registry, stores)
  registerOutboxMetrics(registry, stores)
  registerPublicationMetric(registry, stores.db)
  registerLabMessageMetric(registry, stores.db)
  registerLabConnectionMetrics(registry, stores)
  registerPullMetrics(registry, stores)
  return registry
}
