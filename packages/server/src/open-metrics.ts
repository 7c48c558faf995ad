import type pg from 'pg'
import type { Registry } from 'prom-client'
import { registerPublicationMetric } from './health/ingest/index.ts'
import { registerPullMetrics } from './health/pulling/index.ts'
import { registerLabMessageMetric } from './lab/inbox/index.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { registerJobMetrics } from './platform/jobs/job-metrics.ts'
import { registerPoolMetric } from './platform/postgres/database.ts'
import type { Stores } from './platform/scope.ts'
import type { StatementObserver } from './platform/telemetry/statement-observer.ts'
import { registerOutboxMetrics } from './webhooks/index.ts'

interface MetricsOptions extends Pick<Stores, 'db' | 'clock'> {
  pool: pg.Pool
  statements?: StatementObserver
}

/** The metrics of a process but for those that its parts add as they start. */
export function openMetrics({ pool, statements, ...stores }: MetricsOptions): Registry {
  const registry = createMetrics()
  statements?.register(registry)
  registerPoolMetric(registry, pool)
  registerJobMetrics(registry, stores)
  registerOutboxMetrics(registry, stores)
  registerPublicationMetric(registry, stores.db)
  registerLabMessageMetric(registry, stores.db)
  registerPullMetrics(registry, stores)
  return registry
}
