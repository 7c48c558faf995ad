import { generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type KeyPair,
  KeyPairs,
  type KeyPairTable,
  sealedPrivateKeys,
} from '@salus/kernel/crypto/key-pairs'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Db } from '@salus/kernel/postgres/database'
import { formatInstant } from '@salus/kernel/time/instants'
import type { ReceiptKey } from './erasure.schema.ts'
import { listPublicKeys } from './receipt-keys.global.repository.ts'

const RECEIPT_KEYS: KeyPairTable = {
  name: 'receipt_signing_keys',
  hasPublicKeys: true,
  generate: () => promisify(generateKeyPair)('ed25519'),
}

export const SEALED_RECEIPT_KEYS = sealedPrivateKeys(RECEIPT_KEYS)

/**
 * Returns the Ed25519 pair of the deployment that signs receipts, and creates it when it is first
 * needed. A pair whose sealed half can no longer be opened stays for verification, and another one
 * signs.
 */
export function getReceiptKey(db: Db, secrets: SecretBox, now: Date): Promise<KeyPair> {
  return new KeyPairs(RECEIPT_KEYS, secrets).findOrMake(db, now, () => true)
}

/** Signs a statement as a compact JSON Web Signature (RFC 7515, RFC 8037). */
export function signStatement({ id, privateKey }: KeyPair, statement: object): string {
  const parts = [{ alg: 'EdDSA', kid: id, typ: 'JOSE' }, statement].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = parts.join('.')
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

/** Returns the public halves of all pairs that ever signed, the newest first. */
export async function showReceiptKeys(db: Db): Promise<{ keys: ReceiptKey[] }> {
  const rows = await listPublicKeys(db)
  const keys = rows.map(({ id, public_key, created_at: at }) => ({
    id,
    algorithm: 'Ed25519' as const,
    public_key,
    created_at: formatInstant(at),
  }))
  return { keys }
}
