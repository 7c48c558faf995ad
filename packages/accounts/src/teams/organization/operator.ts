import { forbidden } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { ManagementKeyIdentity } from './management-access.ts'
import { findFirstOrganization } from './teams.repository.ts'

/** The organization that the first start made; undefined before it. */
export async function findOperatorOrganizationId(db: Db): Promise<string | undefined> {
  return (await findFirstOrganization(db))?.id
}

/** Whether the caller is whom requireOperator lets through. */
export async function isOperator(db: Db, caller: ManagementKeyIdentity): Promise<boolean> {
  const isOrgAdmin = caller.role === 'org_admin' && caller.teamIds === null
  return isOrgAdmin && (await findOperatorOrganizationId(db)) === caller.organizationId
}

/**
 * Who runs the installation: whoever has an org_admin key of the organization that its first start
 * made. What is the installation's, and not an organization's, only they may change.
 * @throws AppError 403 `role_too_low`
 */
export async function requireOperator(db: Db, caller: ManagementKeyIdentity): Promise<void> {
  if (await isOperator(db, caller)) return
  throw forbidden(
    'role_too_low',
    'This needs an org_admin management key of the first organization of the installation.',
  )
}
