import { findProvider } from '@salus/contracts/providers'
import { HOUR_MS } from '@salus/contracts/time-units'
import { countConnections, listBudgets, measureProviders } from '@salus/health/pulling'
import type { FileStore } from '@salus/kernel/files/file-store'
import { poolingOf } from '@salus/kernel/postgres/pooling'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import type { Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { VERSION } from '@salus/kernel/version'
import { findReaderConfinement } from '@salus/lab/reports'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import {
  type EndpointFigures,
  listDeliveryMinutes,
  measureEndpoints,
  measureOutbox,
} from '../webhooks/index.ts'
import { toTeam } from './jobs.service.ts'
import {
  type EnvironmentTeam,
  findSchemaVersion,
  listEnvironmentTeams,
  listWorkers,
  measureClickHouse,
  measurePostgres,
} from './operation.global.repository.ts'
import type { DeliveryStatus, OperationStatus } from './operation.schema.ts'
import type { ProviderStatusList } from './provider-status.schema.ts'
import type { RequestRates } from './request-rates.ts'

export interface StatusOptions extends Pick<Stores, 'db' | 'clickhouse' | 'clock'> {
  pool: pg.Pool
  replicas?: Replicas | undefined
  files: FileStore
  registry: Registry
  rates: RequestRates
  config: {
    roles: readonly string[]
    databaseUrl?: string | undefined
    clickhouseUrl?: string | undefined
  }
}

const MOST_TABLES = 30

/** Returns the versions, the state of this process, the content of the stores, and the load. */
export async function getStatus(options: StatusOptions): Promise<OperationStatus> {
  const { db, clickhouse, files } = options
  const [postgres, columns, schema, workers, usage, process] = await Promise.all([
    measurePostgres(db, MOST_TABLES),
    measureClickHouse(clickhouse),
    findSchemaVersion(db),
    listWorkers(db),
    files.measure(),
    describeProcess(options),
  ])
  return {
    versions: {
      salus: VERSION,
      node: globalThis.process.version,
      postgres: postgres.version,
      clickhouse: columns.version,
      schema: `${String(schema.number).padStart(4, '0')} ${schema.name}`,
    },
    process,
    workers: workers.map((row) => ({ ...row, started_at: formatInstant(row.started_at) })),
    postgres: { bytes: postgres.bytes, tables: postgres.tables },
    postgres_replicas: options.replicas?.list() ?? [],
    clickhouse: {
      bytes: columns.tables.reduce((sum, { bytes }) => sum + bytes, 0),
      tables: columns.tables,
    },
    clickhouse_servers: (clickhouse.cluster?.members ?? []).map(({ isUp, ...server }) => ({
      ...server,
      is_up: isUp,
    })),
    files: usage,
    requests: options.rates
      .list(options.clock.now())
      .map(({ at, milliseconds, requests, refused, failed }) => ({
        at: formatInstant(at),
        requests,
        refused,
        failed,
        mean_ms: Math.round((milliseconds / requests) * 10) / 10,
      })),
  }
}

async function describeProcess({
  clock,
  config,
  pool,
  registry,
}: StatusOptions): Promise<OperationStatus['process']> {
  const reader = await findReaderConfinement()
  const pooling = poolingOf(pool)
  const stalls = await registry.getSingleMetric('salus_event_loop_stalls_total')?.get()
  return {
    started_at: formatInstant(clock.now().getTime() - process.uptime() * 1000),
    roles: [...config.roles],
    memory_bytes: process.memoryUsage.rss(),
    stalls: stalls?.values[0]?.value ?? 0,
    embedded: [
      ...(config.databaseUrl === undefined ? (['postgres'] as const) : []),
      ...(config.clickhouseUrl === undefined ? (['clickhouse'] as const) : []),
    ],
    postgres_pooling: { mode: pooling.mode, prepares_statements: pooling.preparesStatements },
    lab_report_reader: reader,
  }
}

/** Returns how far the delivery is behind, over all teams. */
export async function getDeliveryStatus({
  db,
  clickhouse,
  clock,
}: Pick<Stores, 'db' | 'clickhouse' | 'clock'>): Promise<DeliveryStatus> {
  const now = clock.now()
  const since = new Date(now.getTime() - HOUR_MS)
  const [outbox, minutes, endpoints] = await Promise.all([
    measureOutbox(db, now),
    listDeliveryMinutes(db, since),
    measureEndpoints({ db, clickhouse }, { since }),
  ])
  const teams = await listEnvironmentTeams(db, [
    ...new Set(endpoints.map(({ environment_id: id }) => id)),
  ])
  return {
    outbox: {
      events: outbox.events,
      oldest_at: outbox.oldest_at && formatInstant(outbox.oldest_at),
    },
    minutes: minutes.map(({ minute, ...counts }) => ({ at: formatInstant(minute), ...counts })),
    endpoints: endpoints
      .sort((one, other) => urgencyOf(other) - urgencyOf(one))
      .map((endpoint) => toEndpointStatus(endpoint, teams)),
  }
}

/** Sorts endpoints that need attention first. */
const urgencyOf = ({ disabled_at, failures, pending, retrying }: EndpointFigures): number =>
  disabled_at === null ? failures * 1_000 + pending + retrying : -1

function toEndpointStatus(
  row: EndpointFigures,
  teams: ReadonlyMap<string, EnvironmentTeam>,
): DeliveryStatus['endpoints'][number] {
  return {
    webhook_id: row.endpoint_id,
    team: toTeam(teams.get(row.environment_id)),
    host: new URL(row.url).host,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since && formatInstant(row.failing_since),
    failures: row.failures,
    pending: row.pending,
    oldest_pending_at: row.oldest_pending_at && formatInstant(row.oldest_pending_at),
    retrying: row.retrying,
    succeeded: row.succeeded,
    failed: row.failed,
    duration_p50_ms: row.duration_p50,
    duration_p95_ms: row.duration_p95,
    lag_p50_ms: row.lag_p50,
    lag_p95_ms: row.lag_p95,
  }
}

type ProviderStatus = ProviderStatusList['data'][number]

/**
 * Returns every provider that users are connected to or that got recent requests: their success,
 * and the rest of the budgets.
 */
export async function listProviderStatus(
  stores: Pick<Stores, 'db' | 'clock'>,
): Promise<ProviderStatusList> {
  const { db, clock } = stores
  const [connections, pulls, budgets] = await Promise.all([
    countConnections(db),
    measureProviders(db, clock.now()),
    listBudgets(stores),
  ])
  const found = new Map<string, ProviderStatus>()
  const get = (provider: string, environment: string): ProviderStatus => {
    const key = `${provider} ${environment}`
    const entry = found.get(key) ?? {
      ...UNUSED,
      budgets: [],
      provider,
      provider_name: findProvider(provider)?.name ?? provider,
      env: environment as 'sandbox',
    }
    found.set(key, entry)
    return entry
  }
  for (const { provider, environment, connected, in_error } of connections) {
    Object.assign(get(provider, environment), { connected, in_error })
  }
  for (const {
    provider,
    environment,
    oldest_due_at,
    last_success_at,
    reason,
    ...counts
  } of pulls) {
    Object.assign(get(provider, environment), {
      ...counts,
      failing_reason: reason,
      oldest_due_at: oldest_due_at && formatInstant(oldest_due_at),
      last_success_at: last_success_at && formatInstant(last_success_at),
    })
  }
  for (const { provider, environment, blocked_until, ...budget } of budgets) {
    const until = blocked_until && formatInstant(blocked_until)
    get(provider, environment).budgets.push({ ...budget, blocked_until: until })
  }
  const data = [...found.values()].sort((one, other) => (one.provider < other.provider ? -1 : 1))
  return { data }
}

const UNUSED = {
  connected: 0,
  in_error: 0,
  tasks: 0,
  due: 0,
  oldest_due_at: null,
  failing: 0,
  failing_reason: null,
  last_success_at: null,
}
