import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { formatBytes, formatCount, formatSeconds } from '../terminal/number-format.ts'
import { formatFields } from '../terminal/table.ts'
import { type Readiness, readReadiness } from './health-checks.ts'

interface StoreSize {
  bytes: number
  tables: { name: string; bytes: number }[]
}

/** The part of `GET /v1/operation/status` that is printed. */
interface OperationStatus {
  versions: { salus: string; node: string; postgres: string; clickhouse: string; schema: string }
  process: { started_at: string; roles: string[]; memory_bytes: number; stalls: number }
  workers: { running: number }[]
  postgres: StoreSize
  /** Older servers do not have it. */
  postgres_replicas?: { address: string; state: string; lag_seconds: number | null }[]
  clickhouse: StoreSize
  clickhouse_servers: {
    host: string
    shard: number | null
    replica: number | null
    is_up: boolean
  }[]
  files: {
    kinds: { files: number; bytes: number }[]
    free_bytes: number
    total_bytes: number
  } | null
  requests: { requests: number; refused: number; failed: number }[]
}

/** The part of `GET /v1/operation/delivery` that is printed. */
interface DeliveryStatus {
  outbox: { events: number; oldest_at: string | null }
  endpoints: { pending: number; retrying: number; disabled_reason: string | null }[]
}

interface JobKindList {
  data: { waiting: number; running: number; failing: number; given_up: number }[]
}

export function addStatusCommand(parent: Command): void {
  parent
    .command('status')
    .description('show the state of the installation (needs a management key of an operator)')
    .option('--json', 'print the answers of the server as JSON')
    .action((options: { json?: boolean }, command: Command) =>
      showStatus(readConnection(command), options.json ?? false),
    )
}

/** Exits with 1 when a store or a server of the cluster does not answer. */
async function showStatus(connection: Connection, isJson: boolean): Promise<void> {
  const ready = await readReadiness(connection)
  if (ready.status !== 'ok') process.exitCode = 1
  // The keys are in PostgreSQL, so nothing more is known while it does not answer.
  if (!ready.isReady) {
    return console.log(
      isJson ? JSON.stringify({ ready }, null, 2) : formatFields(readinessFields(ready)),
    )
  }
  const [status, delivery, jobs] = await Promise.all([
    callManagement<OperationStatus>(connection, 'GET', '/v1/operation/status'),
    callManagement<DeliveryStatus>(connection, 'GET', '/v1/operation/delivery'),
    callManagement<JobKindList>(connection, 'GET', '/v1/operation/job_kind'),
  ])
  if (isJson) return console.log(JSON.stringify({ ready, status, delivery, jobs }, null, 2))
  console.log(
    formatFields([
      ...readinessFields(ready),
      ...serverFields(status),
      ...storeFields(status),
      ...workFields(delivery, jobs),
    ]),
  )
}

type Fields = [name: string, value: string | undefined][]

function readinessFields({ status, stores }: Readiness): Fields {
  const others = Object.entries(stores).filter(([, state]) => state !== 'ok')
  const why = others.map(([name, state]) => `${name} is ${state}`).join(', ')
  return [['State', why === '' ? status : `${status}: ${why}`]]
}

function serverFields({ versions, process, workers, requests }: OperationStatus): Fields {
  const { salus, node, postgres, clickhouse, schema } = versions
  const seconds = Math.max(0, (Date.now() - Date.parse(process.started_at)) / 1000)
  const sum = (key: 'requests' | 'refused' | 'failed') =>
    formatCount(requests.reduce((total, minute) => total + minute[key], 0))
  const running = workers.reduce((total, worker) => total + worker.running, 0)
  return [
    ['Salus', `${salus}, schema ${schema}, Node.js ${node}`],
    ['Databases', `PostgreSQL ${postgres}, ClickHouse ${clickhouse}`],
    [
      'Process',
      `${process.roles.join(', ')}, for ${formatSeconds(seconds)}, ${formatBytes(process.memory_bytes)}, stalls: ${formatCount(process.stalls)}`,
    ],
    [
      'Workers',
      `${formatCount(workers.length)} in all processes, running jobs: ${formatCount(running)}`,
    ],
    [
      'Last hour',
      `requests to this process: ${sum('requests')}, refused: ${sum('refused')}, failed: ${sum('failed')}`,
    ],
  ]
}

function storeFields(status: OperationStatus): Fields {
  const { files } = status
  const stored = files?.kinds.reduce((total, kind) => total + kind.bytes, 0)
  return [
    ['PostgreSQL', describeStore(status.postgres)],
    ...(status.postgres_replicas ?? []).map((replica): Fields[number] => [
      '',
      describeReplica(replica),
    ]),
    ['ClickHouse', describeStore(status.clickhouse)],
    ...status.clickhouse_servers.map(({ host, shard, replica, is_up }): Fields[number] => [
      '',
      `${host}, shard ${shard ?? '?'}, replica ${replica ?? '?'}: ${is_up ? 'ok' : 'DOWN'}`,
    ]),
    [
      'Files',
      files === null
        ? 'in a bucket'
        : `${formatBytes(stored ?? 0)}; ${formatBytes(files.free_bytes)} of ${formatBytes(files.total_bytes)} free`,
    ],
  ]
}

function describeReplica({
  address,
  state,
  lag_seconds: lag,
}: NonNullable<OperationStatus['postgres_replicas']>[number]): string {
  const age = lag === null ? '' : `, ${formatSeconds(lag)} behind`
  return `replica ${address}: ${state === 'ok' ? 'ok' : state.replaceAll('_', ' ').toUpperCase()}${age}`
}

function describeStore({ bytes, tables: [largest] }: StoreSize): string {
  if (largest === undefined) return formatBytes(bytes)
  return `${formatBytes(bytes)}; largest table ${largest.name}, ${formatBytes(largest.bytes)}`
}

function workFields({ outbox, endpoints }: DeliveryStatus, { data: kinds }: JobKindList): Fields {
  const sum = (key: 'waiting' | 'running' | 'failing' | 'given_up') =>
    formatCount(kinds.reduce((total, kind) => total + kind[key], 0))
  const messages = (key: 'pending' | 'retrying') =>
    formatCount(endpoints.reduce((total, endpoint) => total + endpoint[key], 0))
  const disabled = endpoints.filter(({ disabled_reason: reason }) => reason !== null).length
  return [
    [
      'Jobs',
      `waiting: ${sum('waiting')}, running: ${sum('running')}, retried: ${sum('failing')}, given up: ${sum('given_up')}`,
    ],
    [
      'Events',
      outbox.oldest_at === null
        ? 'all dispatched'
        : `not dispatched: ${formatCount(outbox.events)}, the oldest of ${outbox.oldest_at}`,
    ],
    [
      'Webhooks',
      `endpoints: ${formatCount(endpoints.length)}, disabled: ${formatCount(disabled)}; messages waiting: ${messages('pending')}, retried: ${messages('retrying')}`,
    ],
  ]
}
