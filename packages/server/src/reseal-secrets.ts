import { SEALED_TOTP_SECRETS } from '@salus/accounts/console'
import { SEALED_BULK_KEYS } from '@salus/fhir/bulk'
import { SEALED_RECIPES, SEALED_STEPS } from '@salus/health/link'
import { SEALED_SIGNING_KEYS } from '@salus/health/mobile'
import { SEALED_AUDIT_KEYS } from '@salus/kernel/audit/audit-keys.global.repository'
import { SEALED_CREDENTIALS } from '@salus/kernel/crypto/credential-store'
import { resealColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { SEALED_CHECK } from '@salus/kernel/crypto/secret-key'
import type { Db } from '@salus/kernel/postgres/database'
import { SEALED_LAB_CONNECTIONS } from '@salus/lab/connections'
import { SEALED_INSURANCE_IMAGES } from '@salus/lab/orders'
import { SEALED_LAB_REPORT_KEYS } from '@salus/lab/reports'
import { SEALED_RECEIPT_KEYS } from '@salus/rights/erasure'
import { SEALED_EXPORT_KEYS } from '@salus/rights/exports'
import { resealEndpoints } from './webhooks/index.ts'

const COLUMNS = [
  SEALED_CREDENTIALS,
  SEALED_LAB_CONNECTIONS,
  SEALED_STEPS,
  SEALED_RECIPES,
  SEALED_SIGNING_KEYS,
  SEALED_INSURANCE_IMAGES,
  SEALED_LAB_REPORT_KEYS,
  SEALED_EXPORT_KEYS,
  SEALED_BULK_KEYS,
  SEALED_RECEIPT_KEYS,
  SEALED_AUDIT_KEYS,
  SEALED_TOTP_SECRETS,
]

/**
 * Seals everything in the database with the present key. The proof of the key is last: after it the
 * former key can be given up.
 * @returns how many texts
 */
export async function resealSecrets(db: Db, secrets: SecretBox): Promise<number> {
  let resealed = await resealEndpoints(db, secrets)
  for (const column of COLUMNS) resealed += await resealColumn(db, secrets, column)
  await resealColumn(db, secrets, SEALED_CHECK)
  return resealed
}
