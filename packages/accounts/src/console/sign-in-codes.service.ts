import { MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { findOperatorOrganizationId } from '../teams/index.ts'
import * as codes from './sign-in-codes.global.repository.ts'

/**
 * Printed codes may stay in a log, so they are valid for this time, and only until they are used.
 */
export const SIGN_IN_CODE_MINUTES = 15

/**
 * Creates a URL that signs in to the console once, as the first org_admin key of the first
 * organization. It is for people who can see the output of the server or use its database, and who
 * could therefore create a key as well. Undefined when there is no such key.
 * @param serverUrl URL at which browsers reach the deployment
 */
export async function createSignInAddress(
  { db, clock }: { db: Db; clock: Clock },
  serverUrl: string,
): Promise<string | undefined> {
  const organizationId = await findOperatorOrganizationId(db)
  const key = organizationId && (await codes.findFirstOrgAdminKey(db, organizationId))
  if (!key) return undefined
  const now = clock.now()
  const code = `sc_${randomSecret()}`
  await codes.deleteExpiredCodes(db, now)
  await codes.insertSignInCode(db, {
    code_hash: hashKey(code),
    management_key_id: key.id,
    created_at: now,
    expires_at: new Date(now.getTime() + SIGN_IN_CODE_MINUTES * MINUTE_MS),
  })
  // The part after # is not sent to a server, so no log and no proxy on the way stores it.
  return `${serverUrl.replace(/\/+$/, '')}/console#code=${code}`
}
