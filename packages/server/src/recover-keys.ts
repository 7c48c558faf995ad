import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FirstKeys, recoverKeys } from './accounts/teams/index.ts'
import { type Config, readConfig } from './config.ts'
import { keysFile, writeKeysFile } from './keys-file.ts'
import { openDataDirectory } from './platform/data-directory.ts'
import { StartupError } from './platform/errors.ts'
import { checkDatabase, openDatabase } from './platform/postgres/database.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from './platform/postgres/embedded-postgres.ts'
import { systemClock } from './platform/time/clock.ts'

/**
 * Makes new first keys when keys.json is lost, for whoever may read the data directory or has DATABASE_URL;
 * the server may run meanwhile.
 */

/** PostgreSQL's code of a table that does not exist: there was no start on this database yet. */
const UNDEFINED_TABLE = '42P01'
const EMPTY = 'The database is empty. Start Salus: it makes the keys.'

/** The database of these settings; `close` leaves everything as it was. */
async function reachDatabase(config: Config): Promise<{ url: string; close: () => Promise<void> }> {
  const untouched = async (): Promise<void> => {}
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: untouched }
  const directory = join(config.dataDirectory, 'postgres')
  if (!existsSync(directory)) {
    throw new StartupError(
      `There is no database in ${config.dataDirectory}. Start Salus: it makes the keys.`,
    )
  }
  const running = await findRunningPostgres(directory)
  if (running !== undefined) return { url: running, close: untouched }
  const lock = openDataDirectory(config.dataDirectory)
  try {
    const postgres = await startEmbeddedPostgres({ directory, log: () => {} })
    const close = (): Promise<void> => postgres.stop().finally(() => lock.release())
    return { url: postgres.url, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function recover(): Promise<void> {
  const [dataDirectory] = process.argv.slice(2)
  const config = readConfig()
  if (dataDirectory !== undefined) config.dataDirectory = resolve(dataDirectory)
  const { url, close } = await reachDatabase(config)
  const { db, pool, close: closePool } = openDatabase({ url, poolSize: 1 })
  try {
    await checkDatabase(pool)
    const keepKeys = (made: Partial<FirstKeys>) => writeKeysFile(config.dataDirectory, made)
    const keys = await recoverKeys({ db, clock: systemClock, keepKeys })
    console.log(`New keys of organization ${keys.organizationId}:`)
    if (keys.apiKey) console.log(`Sandbox API key  ${keys.apiKey}`)
    console.log(`Management key   ${keys.managementKey}`)
    console.log(`They are kept in ${keysFile(config.dataDirectory)}. Earlier keys still work:`)
    console.log('revoke the lost ones ("salus key list", "salus key delete").')
  } finally {
    await closePool()
    await close()
  }
}

try {
  await recover()
} catch (error) {
  const isEmpty = (error as { code?: unknown }).code === UNDEFINED_TABLE
  if (!(error instanceof StartupError || isEmpty)) throw error
  console.error(`salus: ${isEmpty ? EMPTY : (error as Error).message}`)
  process.exitCode = 1
}
