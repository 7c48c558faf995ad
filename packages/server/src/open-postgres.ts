import { join } from 'node:path'
import { StartupError } from '@salus/kernel/errors'
import type { Logger } from '@salus/kernel/log'
import { checkDatabase, type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { checkPooling } from '@salus/kernel/postgres/pooling'
import { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { sessionPoolOf } from '@salus/kernel/postgres/session'
import type { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Closers } from './shutdown.ts'

/** Parts of the process that opening the stores needs. */
export interface StoresOptions {
  config: Config
  log: Logger
  /**
   * Everything that was opened is pushed here at once, so that a failure leaves nothing running.
   */
  closers: Closers
  /** Throws when the process has to stop instead. */
  checkpoint: () => void
  onStoreLost: (reason: string) => void
  /** Observes the statements of both stores. */
  statements?: StatementObserver
}

/** Opens the database of these settings, without migrating it. */
export async function openPostgres(options: StoresOptions): Promise<OpenDatabase> {
  const { config, log, closers, checkpoint } = options
  if (config.databaseUrl === undefined) {
    const needs = (setting: string) => new StartupError(`${setting} needs DATABASE_URL.`)
    if (config.databaseDirectUrl !== undefined) throw needs('DATABASE_DIRECT_URL')
    if (config.databaseReplicaUrls.length > 0) throw needs('DATABASE_REPLICA_URL')
  }
  const url = config.databaseUrl ?? (await startPostgres(options))
  const database = openDatabase({
    url,
    directUrl: config.databaseDirectUrl,
    // Sessions have one besides.
    poolSize: config.databaseConnections - 1,
    statements: options.statements,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  closers.push({ name: 'database connections', close: database.close })
  checkpoint()
  await checkDatabase(database.pool)
  if (config.databaseUrl !== undefined) await checkAddresses(config, database.pool)
  return database
}

async function checkAddresses({ databaseDirectUrl }: Config, pool: pg.Pool): Promise<void> {
  const hasDirectUrl = databaseDirectUrl !== undefined
  if (hasDirectUrl) await checkDatabase(sessionPoolOf(pool), 'DATABASE_DIRECT_URL')
  await checkPooling(pool, hasDirectUrl)
}

/**
 * Opens the read replicas of these settings. Those that cannot be used are logged: they must not
 * stop a start, since everything works without them.
 * @param schemaVersion Number of the newest migration.
 */
export async function openReplicas(
  { config, log, closers, statements }: StoresOptions,
  primary: OpenDatabase,
  schemaVersion: number,
): Promise<Replicas | undefined> {
  const { databaseReplicaUrls: urls, replicaMaxLagSeconds: maxLagSeconds } = config
  if (urls.length === 0) return undefined
  const poolSize = config.databaseConnections - 1
  const given = { urls, primary, maxLagSeconds, poolSize, schemaVersion, log, statements }
  const replicas = new Replicas(given)
  closers.push({ name: 'read replicas', close: () => replicas.close() })
  await replicas.start()
  return replicas
}

async function startPostgres(options: StoresOptions): Promise<string> {
  const { config, log, closers, onStoreLost } = options
  const postgres = await startEmbeddedPostgres({
    directory: join(config.dataDirectory, 'postgres'),
    log: (line) => log.debug({ postgres: line }, 'postgres'),
    notice: (line) => log.info(line),
  })
  closers.push({ name: 'embedded PostgreSQL', close: postgres.stop })
  postgres.onUnexpectedExit(onStoreLost)
  return postgres.url
}
