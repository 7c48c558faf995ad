import { notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { createScope, type EnvironmentKind, type Stores } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import { callerFor } from '../organization/management-access.ts'
import { getTeamEnvironment } from '../organization/teams.service.ts'
import { findEnvironment } from './enter-environment.ts'

/**
 * Registers the routes of the management API that are about one environment of a team: they need
 * `params` with ENVIRONMENT_PARAMS and work in `request.scope`. A management key of another team,
 * and a team that was deleted, are answered with 404.
 * @param authenticate Sets `request.managementKey`, or throws 401.
 * @param register Gets the app of these routes, and a function that checks again whether a long
 *   request may continue; it throws as the first check does.
 */
export async function registerManagedEnvironments(
  app: App,
  stores: Pick<Stores, 'db' | 'clickhouse' | 'clock'>,
  authenticate: (request: FastifyRequest) => Promise<void>,
  register: (app: App, reauthorize: (request: FastifyRequest) => Promise<void>) => void,
): Promise<void> {
  const enter = async (request: FastifyRequest): Promise<void> => {
    const { org_id, team_id, env } = request.params as ManagedPath
    const caller = callerFor(request.managementKey, org_id)
    const { environmentId } = await getTeamEnvironment(stores.db, caller, team_id, env)
    const environment = await findEnvironment(stores.db, environmentId)
    if (environment === undefined) throw notFound('Team')
    request.scope = createScope({ ...stores, log: request.log }, environment, request.transact)
  }
  await app.register(async (managed: App) => {
    managed.addHook('onRequest', authenticate)
    // Parameters are validated by then.
    managed.addHook('preHandler', enter)
    register(managed, async (request) => {
      await authenticate(request)
      await enter(request)
    })
  })
}

interface ManagedPath {
  org_id: string
  team_id: string
  env: EnvironmentKind
}
