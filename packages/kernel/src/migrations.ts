import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './errors.ts'

/** One forward-only step of a store's schema. */
export interface Migration {
  number: number
  /** The file name without number and ending. */
  name: string
  sql: string
  /** SHA-256 of the text, in hex, with line ends as \n. */
  checksum: string
}

/** A row of a store's table of migrations. */
export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'checksum'>

/**
 * Reads `NNNN_name.sql` files in the order of their numbers, which start at 1.
 * @throws StartupError when a name is malformed, or a number is missing or taken twice
 */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const migrations = files.map((file) => readMigration(folder, file))
  migrations.sort((a, b) => a.number - b.number)
  for (const [index, { number, name }] of migrations.entries()) {
    if (number === index + 1) continue
    const problem = migrations[index - 1]?.number === number ? 'is there twice' : 'follows a gap'
    throw new StartupError(`Migration number ${number} (${name}) in ${folder} ${problem}.`)
  }
  return migrations
}

function readMigration(folder: string, file: string): Migration {
  const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file)
  if (!match?.[1] || !match[2]) {
    throw new StartupError(`${join(folder, file)} is not named like 0001_what_it_does.sql.`)
  }
  // A checkout that converts line ends has the same migration.
  const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { number: Number(match[1]), name: match[2], sql, checksum }
}

/**
 * Compares the migrations that a store has with those of the code.
 * @returns the migrations still to apply, in order
 * @throws StartupError when the store is newer than the code or an applied migration was edited
 */
export function findPendingMigrations(
  applied: AppliedMigration[],
  known: Migration[],
): Migration[] {
  const newest = Math.max(0, ...applied.map(({ number }) => number))
  if (newest > known.length) {
    throw new StartupError(
      `The database schema is at ${newest}, this version of Salus knows ${known.length}. ` +
        'Start a newer Salus.',
    )
  }
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]))
  const changed = known.find(
    ({ number, checksum }) => checksums.has(number) && checksums.get(number) !== checksum,
  )
  if (changed) {
    throw new StartupError(
      `Migration ${changed.number} (${changed.name}) was applied with another text. ` +
        'Restore its file and put the change into a new migration.',
    )
  }
  return known.filter(({ number }) => !checksums.has(number))
}
