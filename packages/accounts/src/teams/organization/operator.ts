import { forbidden } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { ManagementKeyIdentity } from './management-access.ts'
import { findFirstOrganization } from './teams.repository.ts'

/** Returns the organization that the first start created; undefined before it. */
export async function findOperatorOrganizationId(db: Db): Promise<string | undefined> {
  return (await findFirstOrganization(db))?.id
}

/** Whether the caller is an operator, as requireOperator defines it. */
export async function isOperator(db: Db, caller: ManagementKeyIdentity): Promise<boolean> {
  const isOfAll = caller.teamIds === null && caller.environments === null
  const mayOperate = caller.role === 'org_admin' || caller.role === 'developer'
  return isOfAll && mayOperate && (await findOperatorOrganizationId(db)) === caller.organizationId
}

/**
 * Requires an operator: a caller with an org_admin key of the organization that the first start
 * created, or with one of a developer for all its teams. Only operators may change what belongs to
 * the installation instead of an organization.
 * @throws AppError 403 `role_too_low`
 */
export async function requireOperator(db: Db, caller: ManagementKeyIdentity): Promise<void> {
  if (await isOperator(db, caller)) return
  throw forbidden(
    'role_too_low',
    'This needs an org_admin management key of the first organization of the installation.',
  )
}
