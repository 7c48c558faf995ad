import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { SealedColumn } from '../../platform/crypto/reseal.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { newId } from '../../platform/ids.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import type { ReceiptKey } from './erasure.schema.ts'
import * as repository from './receipt-keys.global.repository.ts'

const contextOf = (id: string): string => `receipt_signing_keys ${id}`

/** For a change of the key that seals. */
export const SEALED_RECEIPT_KEYS: SealedColumn = {
  table: 'receipt_signing_keys',
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

interface SigningKey {
  id: string
  privateKey: KeyObject
}

/**
 * The Ed25519 pair of the deployment that signs receipts, made when it is first needed. One whose sealed half cannot
 * be opened any more stays for those who verify, and another signs.
 */
export async function getReceiptKey(db: Db, secrets: SecretBox, now: Date): Promise<SigningKey> {
  return db.transaction().execute(async (tx) => {
    await repository.lockReceiptKeys(tx)
    for (const row of await repository.listReceiptKeys(tx)) {
      const key = openKey(secrets, row)
      if (key !== undefined) return key
    }
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const id = newId()
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await repository.insertReceiptKey(tx, {
      id,
      public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      sealed: secrets.seal(text, contextOf(id)),
      created_at: now,
    })
    return { id, privateKey }
  })
}

function openKey(secrets: SecretBox, row: repository.ReceiptKeyRow): SigningKey | undefined {
  try {
    return { id: row.id, privateKey: createPrivateKey(secrets.open(row.sealed, contextOf(row.id))) }
  } catch {
    return undefined
  }
}

/** A statement as a compact JSON Web Signature (RFC 7515, RFC 8037). */
export function signStatement({ id, privateKey }: SigningKey, statement: object): string {
  const parts = [{ alg: 'EdDSA', kid: id, typ: 'JOSE' }, statement].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = parts.join('.')
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

/** The public halves of all pairs that ever signed, newest first. */
export async function showReceiptKeys(db: Db): Promise<{ keys: ReceiptKey[] }> {
  const rows = await repository.listReceiptKeys(db)
  const keys = rows.map(({ id, public_key, created_at: at }) => ({
    id,
    algorithm: 'Ed25519' as const,
    public_key,
    created_at: formatInstant(at),
  }))
  return { keys }
}
