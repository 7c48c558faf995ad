import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ENVIRONMENT } from '../../../cli/src/testing/salus-command.ts'
import { startClickHouseServer } from '../clickhouse-server.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

const MOVE = fileURLToPath(new URL('../../bin/move.mjs', import.meta.url))

export const MANAGEMENT_KEY = 'mg_0123456789abcdefghij'

/** Processes as on machines of their own: stores and files are shared, data directories are not. */
export interface Fleet {
  database: TestDatabase
  /** Settings that each of them has. */
  settings: Record<string, string>
  /** @param roles As in SALUS_ROLES. */
  start(roles: string, settings?: Record<string, string>): Promise<ServerProcess>
  close(): Promise<void>
}

/** @param options.isEmpty The databases were never used: the first start makes the schemas. */
export async function createFleet({ isEmpty = false } = {}): Promise<Fleet> {
  const [clickhouse, database] = await Promise.all([startClickHouseServer(), createTestDatabase()])
  if (isEmpty) await emptyDatabase(database.url)
  const stores = { DATABASE_URL: database.url, CLICKHOUSE_URL: `${clickhouse.url}/salus` }
  const machines = openMachines(stores)
  return {
    database,
    ...machines,
    async close() {
      await machines.close()
      await clickhouse.stop()
      await database.close()
    },
  }
}

/** Makes a place for processes on stores that are there; `start` starts them. */
export function openMachines(stores: Record<string, string>): Omit<Fleet, 'database'> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-fleet-'))
  const running: ServerProcess[] = []
  const settings = { ...stores, ...settingsOf(directory) }
  return {
    settings,
    async start(roles, more = {}) {
      const own = { SALUS_ROLES: roles, SALUS_HEALTH_PORT: '0', ...settings, ...more }
      const server = await startServer(join(directory, `machine-${running.length}`), own)
      running.push(server)
      return server
    },
    async close() {
      await Promise.all(running.map(({ end }) => end('SIGKILL')))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function settingsOf(directory: string): Record<string, string> {
  return {
    SALUS_FILES_URL: `file://${join(directory, 'files')}`,
    SALUS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SALUS_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SALUS_BASE_URL: 'http://127.0.0.1:8787',
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
    UV_THREADPOOL_SIZE: '4',
  }
}

/** Makes it as new. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade')
  await client.query('drop schema graphile_worker cascade')
  await client.query('create schema public')
  await client.end()
}

/** The program behind `salus move`: a signal that kills the command would leave it running. */
export function startMove(dataDirectory: string, settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [MOVE, dataDirectory, ''], {
    env: { ...ENVIRONMENT, ...settings },
    stdio: 'ignore',
  })
}
