import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartupError } from '../errors.ts'
import { createSecretBox, SECRET_KEY_BYTES, type SecretBox } from './secret-box.ts'

const CHECK_CONTEXT = 'secret_key_checks'
const CHECK_TEXT = 'salus'

/** The key of this deployment, made at the first start; readable by the owner only. */
function readOrMakeKey(dataDirectory: string): Buffer {
  const path = join(dataDirectory, 'secret.key')
  const made = randomBytes(SECRET_KEY_BYTES)
  try {
    writeFileSync(path, `${made.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const kept = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (kept.length === SECRET_KEY_BYTES) return kept
  throw new StartupError(`${path} holds no key of 32 bytes in base64. Bring the right file back.`)
}

/**
 * Opens the secret box and proves that its key is the one that the database was used with: another
 * one would make every stored secret unreadable, and a process that did not notice would write more.
 * @throws StartupError when it is not
 */
export async function openSecretBox(
  pool: pg.Pool,
  given: readonly Buffer[] | undefined,
  dataDirectory: string,
): Promise<SecretBox> {
  const box = createSecretBox(given ?? [readOrMakeKey(dataDirectory)])
  // Of processes that start together the first decides.
  await pool.query('insert into secret_key_checks (sealed) values ($1) on conflict do nothing', [
    box.seal(CHECK_TEXT, CHECK_CONTEXT),
  ])
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from secret_key_checks')
  try {
    box.open(rows[0]?.sealed as Buffer, CHECK_CONTEXT)
  } catch (cause) {
    throw new StartupError(
      'The database was used with another secret key. Set SALUS_SECRET_KEY to that one, or bring back its secret.key in SALUS_DATA_DIR.',
      { cause },
    )
  }
  return box
}
