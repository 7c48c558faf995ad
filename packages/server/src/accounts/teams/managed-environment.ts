import type { FastifyRequest } from 'fastify'
import { notFound } from '../../platform/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { findTenant, type Tenant } from './authentication.ts'
import { callerFor } from './management-access.ts'
import type { Environment } from './teams.schema.ts'
import { getTeamEnvironment } from './teams.service.ts'

/**
 * The environment that a path of the management API names, for routes of other domains.
 * @throws AppError 404 for one that the caller's key may not use
 */
export async function getManagedEnvironment(
  db: Db,
  { managementKey, actor }: FastifyRequest,
  place: { org_id: string; team_id: string; env: Environment },
): Promise<Tenant> {
  const caller = callerFor(managementKey, place.org_id)
  const { environmentId } = await getTeamEnvironment(db, caller, place.team_id, place.env)
  const tenant = await findTenant(db, environmentId)
  if (tenant === undefined) throw notFound('Team')
  if (actor !== null) actor.environmentId = environmentId
  return tenant
}
