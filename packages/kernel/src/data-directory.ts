import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from './errors.ts'

export interface DataDirectory {
  /** Absolute path. */
  path: string
  /** Releases the folder for another process. It is also released when this process dies. */
  release(): void
}

const SQLITE_BUSY = 5
const SQLITE_FULL = 13
/**
 * Large enough that a full disk shows here, with a clear error, and not in the middle of a start.
 */
const PROBE_BYTES = 64 * 1024

/**
 * Creates the folder when missing and locks it for this process.
 * @throws StartupError when another process has it or nothing can be written there
 */
export function openDataDirectory(path: string): DataDirectory {
  const absolute = resolve(path)
  // Root runs PostgreSQL as another user, who must be able to pass through to its own folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  let lock: DatabaseSync
  try {
    mkdirSync(absolute, { recursive: true, mode })
    lock = takeLock(absolute)
  } catch (cause) {
    throw explain(cause, absolute)
  }
  try {
    probe(absolute)
  } catch (cause) {
    lock.close()
    throw explain(cause, absolute)
  }
  return {
    path: absolute,
    release: () => {
      if (lock.isOpen) lock.close()
    },
  }
}

/**
 * Locks the folder by SQLite, which uses the operating system's file locks; they end with the
 * process.
 */
function takeLock(folder: string): DatabaseSync {
  const path = join(folder, 'salus.lock')
  // SQLite would create it readable for others.
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

function probe(folder: string): void {
  const path = join(folder, 'salus.probe')
  try {
    writeFileSync(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600 })
  } finally {
    rmSync(path, { force: true })
  }
}

function explain(cause: unknown, path: string): StartupError {
  const { code = '', errcode } = cause as NodeJS.ErrnoException & { errcode?: number }
  const elsewhere = 'Set SALUS_DATA_DIR to another folder.'
  const say = (message: string) => new StartupError(message, { cause })
  const sqliteCode = errcode === undefined ? undefined : errcode & 0xff
  if (sqliteCode === SQLITE_BUSY) {
    return say(
      `Another Salus process uses the data directory ${path}. ` +
        'Stop it, or set SALUS_DATA_DIR to another folder.',
    )
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return say(`The data directory ${path} is a file or lies below one. ${elsewhere}`)
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || sqliteCode === SQLITE_FULL) {
    return say(`The disk of the data directory ${path} is full. Free some space.`)
  }
  if (code === 'EROFS' || code === 'ENOENT') {
    return say(
      `The data directory ${path} cannot be created, because the folder above it is read-only. ${elsewhere}`,
    )
  }
  const reason = errcode === undefined ? code : `SQLite error ${errcode}`
  return say(
    `The data directory ${path} cannot be written (${reason}). Change its owner or rights, ` +
      'or set SALUS_DATA_DIR to another folder.',
  )
}
