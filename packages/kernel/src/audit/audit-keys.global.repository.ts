import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SealedColumn } from '../crypto/reseal.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import { newId } from '../ids.ts'
import type { Db } from '../postgres/database.ts'
import type { ChainKey } from './audit-chain.ts'

const TABLE = 'audit_log_keys'
const KEY_BYTES = 32

const contextOf = (id: string): string => `${TABLE} ${id}`

/**
 * Used when the sealing key changes: the keys of the chain stay the same, so that every row can
 * still be checked.
 */
export const SEALED_AUDIT_KEYS: SealedColumn = {
  table: TABLE,
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/** A key of the chains as it is stored, in base64. */
export interface SealedKey {
  id: string
  sealed: string
}

/**
 * Returns the keys of the chains by their ids, the newest first, without those that the given
 * secret keys cannot open.
 */
export async function listAuditKeys(db: Db, secrets: SecretBox): Promise<ChainKey[]> {
  return (await listSealedKeys(db)).flatMap((sealed) => openAuditKey(secrets, sealed) ?? [])
}

/** Returns the keys of the chains, the newest first, each sealed with the secret key. */
export async function listSealedKeys(db: Db): Promise<SealedKey[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`select id, sealed
    from ${sql.table(TABLE)} order by created_at desc, id`.execute(db)
  return rows.map(({ id, sealed }) => ({ id, sealed: sealed.toString('base64') }))
}

/** Opens a key, or returns undefined where it was sealed with another secret key. */
export function openAuditKey(secrets: SecretBox, { id, sealed }: SealedKey): ChainKey | undefined {
  try {
    const opened = secrets.open(Buffer.from(sealed, 'base64'), contextOf(id))
    return { id, key: Buffer.from(opened, 'base64') }
  } catch {
    return undefined
  }
}

/**
 * Returns the key with which rows are added now, and creates it when it is first needed. Of
 * processes that request it at once, one creates it.
 */
export function getAuditKey(db: Db, secrets: SecretBox, now: Date): Promise<ChainKey> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${TABLE}, 1))`.execute(tx)
    const [newest] = await listAuditKeys(tx, secrets)
    if (newest !== undefined) return newest
    const made = { id: newId(), key: randomBytes(KEY_BYTES) }
    const sealed = secrets.seal(made.key.toString('base64'), contextOf(made.id))
    await sql`insert into ${sql.table(TABLE)} (id, sealed, created_at)
      values (${made.id}, ${sealed}, ${now})`.execute(tx)
    return made
  })
}
