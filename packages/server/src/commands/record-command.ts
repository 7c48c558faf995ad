import { systemEntry } from '@salus/kernel/audit/audit-chain'
import { getAuditKey } from '@salus/kernel/audit/audit-keys.global.repository'
import { appendEntries, insertPending } from '@salus/kernel/audit/audit-log.global.repository'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { findSecretKey, openSecretBox } from '@salus/kernel/crypto/secret-key'
import { StartupError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { systemClock } from '@salus/kernel/time/clock'
import type pg from 'pg'
import type { Config } from '../config.ts'

/**
 * Returns the secret keys of a command: those of the settings, or of the data directory; undefined
 * where neither has any.
 */
export async function findSecretBox(
  pool: pg.Pool,
  { secretKeys, dataDirectory }: Pick<Config, 'secretKeys' | 'dataDirectory'>,
): Promise<SecretBox | undefined> {
  const kept = findSecretKey(dataDirectory)
  const keys = secretKeys ?? (kept && [kept])
  if (keys === undefined) return undefined
  try {
    return await openSecretBox(pool, keys, dataDirectory)
  } catch (error) {
    // A key of another deployment counts as none.
    if (error instanceof StartupError) return undefined
    throw error
  }
}

/**
 * Adds a command on the machine to the audit log. Without the secret key, which the chain needs, it
 * is recorded outside the chain, and a server adds it a minute later.
 */
export async function recordCommand(
  { db, pool }: { db: Db; pool: pg.Pool },
  config: Pick<Config, 'secretKeys' | 'dataDirectory'>,
  command: string,
): Promise<void> {
  const now = systemClock.now()
  const entry = systemEntry(now, ['CLI', command])
  const secrets = await findSecretBox(pool, config)
  if (secrets === undefined) await insertPending(db, newId(), entry)
  else await appendEntries(db, [entry], { key: await getAuditKey(db, secrets, now) })
}
