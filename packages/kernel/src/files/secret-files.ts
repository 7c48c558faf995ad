import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Modes in the data directory, besides the folders of the engines, which set their own. */
const PRIVATE_MODES = {
  'secret.key': 0o600,
  'keys.json': 0o600,
  'move.json': 0o600,
  files: 0o700,
} as const

const FOR_OTHERS = 0o077

/** Files that other users of the machine could use, by what was done about it. */
export interface OpenSecretFiles {
  mended: string[]
  /** Files of another owner, or on a disk that cannot be written. */
  still_open: string[]
}

/**
 * Removes the rights of other users from files with secrets, which copies, restores and mounts give
 * them.
 */
export function closeSecretFiles(dataDirectory: string): OpenSecretFiles {
  const found: OpenSecretFiles = { mended: [], still_open: [] }
  // Windows has no such modes: every file seems to be open.
  if (process.platform === 'win32') return found
  for (const [name, mode] of Object.entries(PRIVATE_MODES)) {
    const path = join(dataDirectory, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & FOR_OTHERS) === 0) continue
    try {
      chmodSync(path, mode)
      found.mended.push(name)
    } catch {
      found.still_open.push(name)
    }
  }
  return found
}
