import { SEALED_RECEIPT_KEYS } from './accounts/erasure/index.ts'
import { SEALED_EXPORT_KEYS } from './accounts/exports/index.ts'
import { SEALED_RECIPES, SEALED_STEPS } from './health/link/index.ts'
import { SEALED_SIGNING_KEYS } from './health/mobile/index.ts'
import { SEALED_INSURANCE_IMAGES } from './lab/orders/index.ts'
import { SEALED_LAB_REPORT_KEYS } from './lab/reports/index.ts'
import { SEALED_AUDIT_KEYS } from './platform/audit/audit-keys.global.repository.ts'
import { SEALED_CREDENTIALS } from './platform/crypto/credential-store.ts'
import { resealColumn } from './platform/crypto/reseal.ts'
import type { SecretBox } from './platform/crypto/secret-box.ts'
import { SEALED_CHECK } from './platform/crypto/secret-key.ts'
import type { Db } from './platform/postgres/database.ts'
import { resealEndpoints } from './webhooks/index.ts'

const COLUMNS = [
  SEALED_CREDENTIALS,
  SEALED_STEPS,
  SEALED_RECIPES,
  SEALED_SIGNING_KEYS,
  SEALED_INSURANCE_IMAGES,
  SEALED_LAB_REPORT_KEYS,
  SEALED_EXPORT_KEYS,
  SEALED_RECEIPT_KEYS,
  SEALED_AUDIT_KEYS,
]

/**
 * Seals everything in the database with the present key. The proof of the key is last: with it the former key can
 * be given up.
 * @returns how many texts
 */
export async function resealSecrets(db: Db, secrets: SecretBox): Promise<number> {
  let resealed = await resealEndpoints(db, secrets)
  for (const column of COLUMNS) resealed += await resealColumn(db, secrets, column)
  await resealColumn(db, secrets, SEALED_CHECK)
  return resealed
}
