import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import pg from 'pg'
import { startTestCluster } from '../clickhouse-cluster.ts'
import { freePort } from '../lab-connections/wired-laboratory.ts'
import { openMachines } from '../processes/fleet.ts'
import { noPgBouncer, startPgBouncer } from '../processes/pgbouncer.ts'
import { startRestartablePostgres } from '../restartable-postgres.ts'
import type { ServerProcess } from '../server-process.ts'

const SINK = fileURLToPath(new URL('sink-process.ts', import.meta.url))

/** What is killed; the dispatcher is the worker that sends to the webhook at that moment. */
export const KINDS = [
  'API process',
  'worker',
  'dispatcher',
  'PostgreSQL',
  ...(noPgBouncer ? [] : (['PgBouncer'] as const)),
  'first shard',
  'second shard',
  'webhook sink',
] as const
export type Kind = (typeof KINDS)[number]

/** Two API processes and two workers on PostgreSQL behind PgBouncer and on two shards. */
export interface Installation {
  /** Processes that take requests; one that was killed is replaced. */
  api: ServerProcess[]
  workers: ServerProcess[]
  /** Reaches PostgreSQL past everything that is killed but itself. */
  pool: pg.Pool
  /** The cluster as a process sees it. */
  openReader(): Promise<ClickHouse>
  sinkUrl: string
  /** File in which the sink keeps what came. */
  sinkJournal: string
  /** Port on which results of laboratories are received. */
  resultsPort: number
  /** Kills one of a kind, and returns how it is started again. */
  kill(kind: Kind): Promise<() => Promise<void>>
  /** Lines that processes logged: warnings and errors. */
  logged(): string[]
  close(): Promise<void>
}

export async function createInstallation(): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-kills-'))
  const [postgres, cluster] = await Promise.all([
    startRestartablePostgres(),
    startTestCluster(2, { hasRelays: true }),
  ])
  const pooler = await openPooler(postgres.url)
  const sink = await openKilledSink(directory)
  const urls = cluster.urls.map((url) => `${url}/salus`)
  const machines = openMachines({
    DATABASE_URL: pooler.url,
    CLICKHOUSE_URL: urls.join(','),
    CLICKHOUSE_CLUSTER: 'shards_2',
  })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  pool.on('error', () => {})
  const names = new Map<ServerProcess, string>()
  const start = async (roles: string): Promise<ServerProcess> => {
    const name = `machine-${names.size}`
    const directUrl = new URL(postgres.url)
    directUrl.searchParams.set('application_name', name)
    const server = await machines.start(roles, { DATABASE_DIRECT_URL: directUrl.href })
    names.set(server, name)
    return server
  }
  const api = [await start('api'), await start('api')]
  const workers = [await start('worker'), await start('worker')]
  const isSender = async (server: ServerProcess): Promise<boolean> =>
    (await findSender(pool)) === names.get(server)
  const replace = (list: ServerProcess[], roles: string) => async (at: number) => {
    await list[at]?.end('SIGKILL')
    return async () => {
      list[at] = await start(roles)
    }
  }
  const killWorker = replace(workers, 'worker')
  const killShard = async (at: number) => {
    await cluster.servers[at]?.kill()
    return async () => cluster.servers[at]?.restart()
  }
  const killers: Record<Kind, () => Promise<() => Promise<void>>> = {
    'API process': () => replace(api, 'api')(names.size % 2),
    worker: async () => killWorker((await isSender(workers[0] as ServerProcess)) ? 1 : 0),
    dispatcher: async () => killWorker((await isSender(workers[0] as ServerProcess)) ? 0 : 1),
    PostgreSQL: async () => {
      await postgres.kill()
      return postgres.start
    },
    PgBouncer: pooler.kill,
    'first shard': () => killShard(0),
    'second shard': () => killShard(1),
    'webhook sink': sink.kill,
  }
  return {
    ...{ api, workers, pool, sinkUrl: sink.url, sinkJournal: sink.journal },
    openReader: () => openClickHouseCluster({ urls, cluster: 'shards_2' }),
    resultsPort: await freePort(),
    kill: (kind) => killers[kind](),
    logged: () => [...names.keys()].flatMap((server) => server.output().trim().split('\n')),
    async close() {
      await machines.close()
      await pool.end()
      await pooler.stop()
      await cluster.stop()
      await postgres.close()
      await sink.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Returns the name of the process that has the lock of a webhook. */
async function findSender(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    `select application_name as name from pg_locks
    join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
    join webhook_endpoints as endpoint on (classid::bigint << 32 | objid::bigint)
      = hashtextextended('salus:endpoint:' || endpoint.id, 3)
    where locktype = 'advisory' and granted and objsubid = 1 limit 1`,
  )
  return rows[0]?.name
}

interface Killed {
  url: string
  kill(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** A pooler of transactions that keeps its address; the database itself where none is installed. */
async function openPooler(databaseUrl: string): Promise<Killed> {
  const none = async (): Promise<void> => {}
  if (noPgBouncer) return { url: databaseUrl, kill: async () => none, stop: none }
  const settings = { pool_mode: 'transaction', default_pool_size: 12 } as const
  const more = { server_login_retry: 1 }
  let pooler = await startPgBouncer(databaseUrl, settings, more)
  const { url } = pooler
  return {
    url,
    async kill() {
      await pooler.stop()
      return async () => {
        const listen_port = new URL(url).port
        pooler = await startPgBouncer(databaseUrl, settings, { ...more, listen_port })
      }
    },
    stop: () => pooler.stop(),
  }
}

async function openKilledSink(directory: string): Promise<Killed & { journal: string }> {
  const port = await freePort()
  const journal = join(directory, 'arrivals.jsonl')
  const start = async (): Promise<ChildProcess> => {
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const child = spawn(process.execPath, [SINK, String(port), journal], { stdio: [...stdio] })
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    return child
  }
  let child = await start()
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    ...{ url: `http://127.0.0.1:${port}/`, journal, stop },
    async kill() {
      await stop()
      return async () => {
        child = await start()
      }
    },
  }
}
