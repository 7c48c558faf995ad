import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../errors.ts'
import { syncFolder } from '../files/durable-file.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { type Account, chooseLauncher, chownFolder } from './service-account.ts'
import { findReason } from './startup-reason.ts'
import { startSupervised } from './supervised-process.ts'

export const SUPERUSER = 'salus'

/** `directory` holds the database files in `cluster` and the superuser's password in `password`. */
export const clusterPath = (directory: string): string => join(directory, 'cluster')

/** Reads the password that initialiseCluster generated. */
export function readPassword(directory: string): string {
  return readFileSync(join(directory, 'password'), 'utf8').trim()
}

/**
 * Creates the cluster unless it exists. All steps happen in a folder next to it that gets its name
 * at the end, so an interrupted run leaves only a folder that the next start removes.
 * @throws StartupError with the reason that initdb gave, or when the files are not a cluster
 */
export async function initialiseCluster(
  directory: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<void> {
  await removeInterrupted(directory)
  if (existsSync(directory) && readdirSync(directory).length > 0) return checkCluster(directory)
  mkdirSync(dirname(directory), { recursive: true })
  // The name was never used before, because an initdb whose parent was killed cleans up its own
  // folder late.
  const draft = mkdtempSync(`${directory}.initialising-`)
  try {
    writeFileSync(join(draft, 'password'), `${randomBytes(24).toString('base64url')}\n`, {
      mode: 0o600,
    })
    if (account) chownFolder(draft, account)
    await runInitdb(draft, binaries, account)
    renameSync(draft, directory)
    // The rename itself must survive a power cut, or acknowledged rows would vanish with it.
    syncFolder(dirname(directory))
  } catch (error) {
    await removeFolder(draft)
    throw error
  }
}

/**
 * Restores the modes of the folder: a copy without its modes is open to others, and PostgreSQL
 * refuses such a folder.
 */
export function restoreModes(directory: string): void {
  const wanted: [path: string, mode: number][] = [
    [directory, 0o700],
    [clusterPath(directory), 0o700],
    [join(directory, 'password'), 0o600],
  ]
  for (const [path, mode] of wanted) {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  }
}

async function removeInterrupted(directory: string): Promise<void> {
  const parent = dirname(directory)
  if (!existsSync(parent)) return
  const prefix = `${basename(directory)}.initialising-`
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    await removeFolder(join(parent, name))
  }
}

/**
 * Removes a folder. The initdb of a parent that was just killed may still write there or clean up;
 * a file vanishing under rmSync ends it early and silently, so it is repeated. The next start
 * removes the rest.
 */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 20 && existsSync(folder); attempt += 1) {
    if (attempt > 0) await sleep(50)
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Tried again.
    }
  }
}

function checkCluster(directory: string): void {
  for (const path of [join(clusterPath(directory), 'PG_VERSION'), join(directory, 'password')]) {
    if (!existsSync(path)) {
      throw new StartupError(
        `${directory} is not a PostgreSQL folder of Salus: ${basename(path)} is missing. ` +
          'Restore it from a backup, or move the folder away to start with an empty database.',
      )
    }
  }
}

async function runInitdb(
  draft: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<void> {
  const lines: string[] = []
  const command = [
    binaries.initdb,
    ...['-D', clusterPath(draft), '--username', SUPERUSER],
    ...['--pwfile', join(draft, 'password'), '--auth=scram-sha-256', '--no-instructions'],
    // PostgreSQL's own C.UTF-8 sorts the same on every system, whatever its C library.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ]
  const launcher = chooseLauncher(account, [binaries.root, draft])
  const ended = await startSupervised(launcher, command, (line) => lines.push(line)).exited
  if (ended !== 'exit code 0') {
    throw new StartupError(`PostgreSQL cannot initialise its folder: ${findReason(lines, ended)}`)
  }
}
