import { MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { findOperatorOrganizationId } from '../teams/index.ts'
import * as codes from './sign-in-codes.global.repository.ts'

/**
 * What is printed may stay in a log: it is worth something for this long, and only until it is
 * used.
 */
export const SIGN_IN_CODE_MINUTES = 15

/**
 * Makes an address that opens the console signed in once, as the first org_admin key of the first
 * organization. For whoever sees the output of the server, or may use its database: they could make
 * themselves a key as well. Undefined when there is no such key.
 * @param serverUrl Where browsers reach the deployment
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
  // What follows # is sent to no server, so no log and no proxy on the way keeps it.
  return `${serverUrl.replace(/\/+$/, '')}/console#code=${code}`
}
