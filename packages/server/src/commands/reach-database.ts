import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDataDirectory } from '@salus/kernel/data-directory'
import { StartupError } from '@salus/kernel/errors'
import { checkDatabase, type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '@salus/kernel/postgres/embedded-postgres'
import type { Config } from '../config.ts'

/** PostgreSQL's code of a table that does not exist: there was no start on this database yet. */
const UNDEFINED_TABLE = '42P01'
const EMPTY = 'The database is empty. Start Salus, which creates the keys.'

/**
 * Runs a command on the database of these settings itself, whether the server runs or not, and
 * restores the former state. An error is printed as one line, with exit code 1.
 */
export async function runOnDatabase(
  config: Config,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  try {
    const { url, close } = await openDatabaseOfSettings(config)
    const database = openDatabase({ url, poolSize: 1 })
    try {
      await checkDatabase(database.pool)
      await work(database)
    } finally {
      await database.close()
      await close()
    }
  } catch (error) {
    const isEmpty = (error as { code?: unknown }).code === UNDEFINED_TABLE
    if (!(error instanceof StartupError || isEmpty)) throw error
    console.error(`salus: ${isEmpty ? EMPTY : (error as Error).message}`)
    process.exitCode = 1
  }
}

async function openDatabaseOfSettings(
  config: Config,
): Promise<{ url: string; close: () => Promise<void> }> {
  const running = await findDatabase(config)
  if (running !== undefined) return { url: running, close: async () => {} }
  const lock = openDataDirectory(config.dataDirectory)
  try {
    const { url, stop } = await startEmbeddedPostgres({
      directory: join(config.dataDirectory, 'postgres'),
      log: () => {},
    })
    return { url, close: () => stop().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Returns the URL of the database of these settings; undefined for an embedded one that does not
 * run now.
 */
export async function findDatabase(config: Config): Promise<string | undefined> {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url !== undefined) return url
  const directory = join(config.dataDirectory, 'postgres')
  if (existsSync(directory)) return findRunningPostgres(directory)
  throw new StartupError(
    `There is no database in ${config.dataDirectory}. Start Salus, which creates the keys.`,
  )
}
