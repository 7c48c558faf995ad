import { join, resolve } from 'node:path'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { AppError, StartupError } from '@salus/kernel/errors'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import { systemClock } from '@salus/kernel/time/clock'
import {
  BackupArchive,
  type BackupManifest,
  type BackupProgress,
  keepNewest,
  listBackups,
  restoreBackup,
  takeBackup,
  verifyBackup,
} from '@salus/ops/backup'
import { readConfig } from '../config.ts'
import { MIGRATIONS_FOLDER } from '../stores.ts'
import { openTarget, readSecretKeys } from './open-target.ts'
import { withOwnStores, withStores } from './reach-stores.ts'
import { recordCommand } from './record-command.ts'

/**
 * Runs "salus backup" and "salus restore" on the stores themselves. The arguments are the data
 * directory, the action, the place of the backups, and the backup to restore or check or, for a new
 * backup, the number of backups to keep.
 */

const KEY_PURPOSE = 'backups'

const [dataDirectory = '', action = '', where = '', option = ''] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopped = true))

const REPORT_MS = 100
let reportedAt = 0
let unreportedBytes = 0

/** Reports progress to the command line, which shows it. */
function report({ bytes, ...progress }: BackupProgress): void {
  if (isStopped) throw new StartupError('Stopped.')
  unreportedBytes += bytes
  if (performance.now() - reportedAt < REPORT_MS) return
  process.send?.({ ...progress, bytes: unreportedBytes })
  reportedAt = performance.now()
  unreportedBytes = 0
}

/** Prints a permanent line, after which the progress ends. */
function printLine(line: string): void {
  process.send?.('end')
  console.log(line)
}

const backupKeys = (): readonly Buffer[] =>
  createSecretBox(readSecretKeys(config, 'Backups')).deriveKeys(KEY_PURPOSE)

const secretsOfCommand = () => ({ ...config, secretKeys: [...readSecretKeys(config, 'Backups')] })

async function take(): Promise<void> {
  const most = option === '' ? undefined : Number(option)
  const target = await openTarget(config, where)
  await target.check()
  const { manifest, heldMs } = await withStores(config, async (stores) => {
    await openSecretBox(stores.pool, readSecretKeys(config, 'Backups'), config.dataDirectory)
    await recordCommand(stores, secretsOfCommand(), 'salus backup')
    return takeBackup(stores, target, backupKeys(), report)
  })
  printLine(describe(manifest, 'holds'))
  printLine(`Uploads waited for ${(heldMs / 1000).toFixed(2)} s.`)
  if (most === undefined) return
  const removed = await keepNewest(target, most, systemClock.now())
  if (removed.length > 0) printLine(`Removed: ${removed.join(', ')}.`)
}

async function restore(): Promise<void> {
  const archive = await findArchive()
  const migrations = {
    postgres: readMigrations(join(MIGRATIONS_FOLDER, 'postgres')),
    clickhouse: readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')),
  }
  const manifest = await withOwnStores(config, async (stores) => {
    const migrateQueue = () => migrateJobs(stores.pool, createLogger('silent'))
    const into = { ...stores, migrations, migrateJobs: migrateQueue }
    const restored = await restoreBackup(into, archive, report)
    await recordCommand(stores, secretsOfCommand(), 'salus restore')
    return restored
  })
  printLine(describe(manifest, 'is restored:'))
  printLine('Start Salus. Keys work as before; "salus key recover" creates new ones.')
}

async function verify(): Promise<void> {
  const manifest = await verifyBackup(await findArchive(), report)
  printLine(describe(manifest, 'is whole:'))
}

async function list(): Promise<void> {
  for (const { id, isComplete, bytes } of await listBackups(await openTarget(config, where))) {
    printLine(`${id}  ${megabytes(bytes)}${isComplete ? '' : '  not complete'}`)
  }
}

/** Returns the named backup, or the newest that is complete. */
async function findArchive(): Promise<BackupArchive> {
  const target = await openTarget(config, where)
  const complete = (await listBackups(target)).filter(({ isComplete }) => isComplete)
  const found = option === '' ? complete.at(-1) : complete.find(({ id }) => id === option)
  if (found !== undefined) return new BackupArchive(target, found.id, backupKeys())
  throw new StartupError(
    option === '' ? 'There is no complete backup.' : 'There is no complete backup of that name.',
  )
}

function describe({ id, taken_at, tables, files }: BackupManifest, verb: string): string {
  const rows = tables.reduce((sum, part) => sum + part.rows, 0).toLocaleString('en')
  const sealed = tables.reduce((sum, part) => sum + part.sealed_bytes, files.sealed_bytes)
  const contents = `${rows} rows of ${tables.length} tables and ${files.rows === 1 ? '1 file' : `${files.rows.toLocaleString('en')} files`}`
  return `${id} ${verb} ${contents} as of ${taken_at}, ${megabytes(sealed)}.`
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const ACTIONS: Record<string, () => Promise<void>> = { take, restore, verify, list }

try {
  await ACTIONS[action]?.()
} catch (error) {
  const isExplained = [StartupError, AppError, ClickHouseError].some(
    (kind) => error instanceof kind,
  )
  if (!isExplained) throw error
  process.send?.('end')
  console.error(`salus: ${(error as Error).message}`)
  process.exitCode = 1
}
process.disconnect?.()
