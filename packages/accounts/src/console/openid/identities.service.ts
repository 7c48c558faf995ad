import {
  changeKeyOfPerson,
  findOperatorOrganizationId,
  type ManagementKeyRow,
  makeKeyOfPerson,
  revokeKeyOfPerson,
} from '../../teams/index.ts'
import type { ConsoleContext } from '../console-sessions.service.ts'
import { lockKeyOfIdentity, setKeyOfIdentity } from './identities.global.repository.ts'
import { type Claims, findRule, nameOf } from './openid-client.ts'
import type { RoleRule } from './openid-settings.ts'

/**
 * Returns the management key of a user, with the role that the provider reports now; undefined
 * without a role. So everything about keys applies to users too: lists, revoking, roles, the audit
 * log. A user who loses the role also loses the key, and with it all open sessions.
 */
export async function findKeyOfPerson(
  { db, clock, forgetCredentials }: ConsoleContext,
  claims: Claims,
  rules: readonly RoleRule[],
): Promise<ManagementKeyRow | undefined> {
  const { issuer, subject } = claims
  const rule = findRule(rules, claims)
  const power = rule && { ...rule, label: nameOf(claims) }
  const key = await db.transaction().execute(async (transaction) => {
    const known = await lockKeyOfIdentity(transaction, { issuer, subject })
    if (power === undefined) {
      if (known !== undefined) await revokeKeyOfPerson(transaction, known, clock.now())
      return undefined
    }
    if (known !== undefined) return changeKeyOfPerson(transaction, known, power)
    const organizationId = await findOperatorOrganizationId(transaction)
    if (organizationId === undefined) return undefined
    const made = await makeKeyOfPerson(transaction, organizationId, power, clock.now())
    await setKeyOfIdentity(transaction, { issuer, subject }, made.id)
    return made
  })
  forgetCredentials()
  return key
}
