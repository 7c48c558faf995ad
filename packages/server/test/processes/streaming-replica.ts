import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@salus/kernel/postgres/embedded-postgres'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { loadStartingCatalog } from '@salus/lab/catalog'
import pg from 'pg'
import { readAllMigrations } from '../../src/stores.ts'
import { Gate } from '../restartable-postgres.ts'

/** SQLSTATE of a statement that the replay of the log has cancelled. */
const RECOVERY_CONFLICT = '40001'

/** Number of the newest migration. */
export const SCHEMA_VERSION = readAllMigrations().postgres.at(-1)?.number ?? 0

/** A PostgreSQL of its own, which replicas can be made of. */
export interface Primary extends OpenDatabase {
  url: string
  directory: string
}

/** A hot standby that streams from a primary, without a `pg_basebackup` to make it. */
export interface StreamingReplica {
  /** Stays the same. */
  url: string
  /** Process id of the postmaster. */
  pid(): number
  /** Runs a statement on it, as an operator. */
  run(statement: string): Promise<unknown[]>
  /** As a machine that fails. */
  kill(): Promise<void>
  /** After `kill`: it catches up. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts a server with the schema and the starting catalog. */
export async function startPrimary(): Promise<Primary> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-primary-'))
  const server = await startEmbeddedPostgres({ directory, log: () => {} })
  const open = openDatabase({ url: server.url, poolSize: 5 })
  await migratePostgres(open.pool, readAllMigrations().postgres)
  await migrateJobs(open.pool, createLogger('silent'))
  await loadStartingCatalog(open.db, new Date())
  const close = async () => {
    await open.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...open, url: server.url, directory, close }
}

/** Copies the files of a primary while it runs, and starts a replica of them. */
export async function startReplica(
  primary: Pick<Primary, 'url' | 'directory'>,
): Promise<StreamingReplica> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-replica-'))
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  await client.query("select pg_create_physical_replication_slot('replica', true)")
  await client.query("select pg_backup_start('replica', true)")
  cpSync(primary.directory, directory, { recursive: true, filter: isOfBackup })
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  const cluster = join(directory, 'cluster')
  writeFileSync(join(cluster, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(cluster, 'standby.signal'), '')
  const { port, username, password } = new URL(primary.url)
  const from = `host=127.0.0.1 port=${port} user=${username} password=${password}`
  const settings = [`primary_conninfo = '${from}'`, "primary_slot_name = 'replica'"]
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  return runReplica(directory)
}

/** The log comes by streaming; the rest is of the process that runs on the folder. */
const isOfBackup = (path: string): boolean =>
  basename(dirname(path)) !== 'pg_wal' && !/postmaster\.(pid|opts)$|\.s\.PGSQL/.test(path)

async function runReplica(directory: string): Promise<StreamingReplica> {
  const gate = new Gate()
  await gate.open()
  let server: EmbeddedPostgres
  const start = async (): Promise<void> => {
    server = await startEmbeddedPostgres({ directory, log: () => {} })
    gate.target = new URL(server.url)
  }
  await start()
  return {
    url: gate.url,
    pid: () => server.pid,
    async run(statement) {
      for (;;) {
        const client = new pg.Client({ connectionString: server.url })
        client.on('error', () => {})
        await client.connect()
        try {
          return (await client.query(statement)).rows
        } catch (error) {
          // Replay may cancel any statement, this one too.
          if ((error as { code?: string }).code !== RECOVERY_CONFLICT) throw error
        } finally {
          await client.end()
        }
      }
    },
    async kill() {
      const ended = new Promise<string>((resolve) => server.onUnexpectedExit(resolve))
      process.kill(server.pid, 'SIGKILL')
      await ended
    },
    restart: start,
    async close() {
      gate.close()
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
