import { registerPublicationMetric } from '@salus/health/ingest'
import { registerPullMetrics } from '@salus/health/pulling'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { type ReadinessCheck, registerStoreMetric } from '@salus/kernel/http/health'
import { createMetrics } from '@salus/kernel/http/metrics'
import { registerJobMetrics } from '@salus/kernel/jobs/job-metrics'
import { registerPoolMetric } from '@salus/kernel/postgres/database'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import type { Stores } from '@salus/kernel/scope'
import type { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import { registerLabConnectionMetrics } from '@salus/lab/connections'
import { registerLabMessageMetric } from '@salus/lab/inbox'
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { registerOutboxMetrics } from './webhooks/index.ts'

interface MetricsOptions extends Pick<Stores, 'db' | 'clock' | 'clickhouse'> {
  pool: pg.Pool
  replicas?: Replicas | undefined
  readinessChecks: readonly ReadinessCheck[]
  statements?: StatementObserver
}

/** Creates the metrics of a process, except those that its parts add as they start. */
export function openMetrics(options: MetricsOptions): Registry {
  const { pool, replicas, statements, readinessChecks, clickhouse, ...stores } = options
  const registry = createMetrics()
  statements?.register(registry)
  registerStoreMetric(registry, readinessChecks)
  registerClusterMetrics(registry, clickhouse)
  registerPoolMetric(registry, pool)
  replicas?.register(registry)
  registerJobMetrics(registry, stores)
  registerOutboxMetrics(registry, stores)
  registerPublicationMetric(registry, stores.db)
  registerLabMessageMetric(registry, stores.db)
  registerLabConnectionMetrics(registry, stores)
  registerPullMetrics(registry, stores)
  return registry
}

/**
 * Registers how many servers of a cluster this process reaches; nothing is counted without one.
 */
function registerClusterMetrics(registry: Registry, clickhouse: ClickHouse): void {
  new Gauge({
    name: 'salus_clickhouse_servers',
    help: 'Servers of the ClickHouse cluster that answer this process: up; and others: down.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      if (clickhouse.cluster === undefined) return
      const { servers, members } = clickhouse.cluster
      this.set({ state: 'up' }, servers.length)
      this.set({ state: 'down' }, members.length - servers.length)
    },
  })
  new Gauge({
    name: 'salus_clickhouse_missing_shards',
    help: 'Shards of the ClickHouse cluster of which no server answers this process.',
    registers: [registry],
    collect() {
      this.set(clickhouse.cluster?.missingShards.length ?? 0)
    },
  })
}
