import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartupError } from '../errors.ts'
import { createDurably, writeDurably } from '../files/durable-file.ts'
import type { SealedColumn } from './reseal.ts'
import { createSecretBox, SECRET_KEY_BYTES, type SecretBox } from './secret-box.ts'

const CHECK_CONTEXT = 'secret_key_checks'
const CHECK_TEXT = 'salus'

/** Column of the proof that a key is the right one, for a change of it. */
export const SEALED_CHECK: SealedColumn = {
  table: 'secret_key_checks',
  column: 'sealed',
  key: [],
  contextOf: () => CHECK_CONTEXT,
}

/** Returns the key that a start created in the data directory; undefined when there is none. */
export function findSecretKey(dataDirectory: string): Buffer | undefined {
  return existsSync(keyFile(dataDirectory)) ? readOrMakeKey(dataDirectory) : undefined
}

const keyFile = (dataDirectory: string): string => join(dataDirectory, 'secret.key')

/**
 * Returns the key of this deployment, which the first start creates; only the owner can read it.
 */
function readOrMakeKey(dataDirectory: string): Buffer {
  const path = keyFile(dataDirectory)
  const content = `${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`
  // Earlier versions left an empty file when they were killed in that moment. Nothing was sealed by
  // then, and if something was, the check below finds it.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) writeDurably(path, content)
  else if (!existsSync(path)) createDurably(path, content)
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length === SECRET_KEY_BYTES) return key
  throw new StartupError(`${path} contains no key of 32 bytes in base64. Restore the right file.`)
}

/**
 * Opens the secret box and proves that its key is the one that the database was used with: another
 * one would make every stored secret unreadable, and a process that did not notice would write
 * more.
 * @throws StartupError when it is another key
 */
export async function openSecretBox(
  pool: pg.Pool,
  given: readonly Buffer[] | undefined,
  dataDirectory: string,
): Promise<SecretBox> {
  const box = createSecretBox(given ?? [readOrMakeKey(dataDirectory)])
  // Of processes that start together the first one decides.
  await pool.query('insert into secret_key_checks (sealed) values ($1) on conflict do nothing', [
    box.seal(CHECK_TEXT, CHECK_CONTEXT),
  ])
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from secret_key_checks')
  try {
    box.open(rows[0]?.sealed as Buffer, CHECK_CONTEXT)
  } catch (cause) {
    throw new StartupError(
      'The database was used with another secret key. Set SALUS_SECRET_KEY to that key, or restore its secret.key in SALUS_DATA_DIR.',
      { cause },
    )
  }
  return box
}

/**
 * Reads SALUS_SECRET_KEY. base64 ends in one of few ways, so what decodes to 32 bytes and back is a
 * key.
 */
export function parseSecretKeys(text: string | undefined): Buffer[] | undefined {
  if (text === undefined || text === '') return undefined
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64')
    if (key.length === 32 && key.toString('base64') === part.trim()) return key
    throw new StartupError(
      'SALUS_SECRET_KEY must be 32 random bytes in base64, as "openssl rand -base64 32" writes them.',
    )
  })
}
