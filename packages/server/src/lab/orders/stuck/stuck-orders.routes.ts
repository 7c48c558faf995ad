import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ENVIRONMENTS, type Environment, type Tenant } from '../../../accounts/teams/index.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { Success, TextEnum, Uuid } from '../../../platform/http/schema-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { LabGateways } from '../../gateways/index.ts'
import { StuckOrderList, StuckOrderQuery } from './stuck-orders.schema.ts'
import { retryDispatch, showStuckOrders } from './stuck-orders.service.ts'

/** An environment of a team as a path names it. */
interface Place {
  org_id: string
  team_id: string
  env: Environment
}

export interface StuckOrderRoutesOptions {
  db: Db
  clock: Clock
  gateways: LabGateways
  /**
   * The environment that the caller's management key may use.
   * @throws AppError 404 for any other
   */
  findPlace: (request: FastifyRequest, place: Place) => Promise<Tenant>
}

const place = { org_id: Uuid, team_id: Uuid, env: TextEnum(ENVIRONMENTS) }
const tags = ['Orders']

/** What operators do with orders that do not go on. The scope needs the management hook. */
export function registerStuckOrderRoutes(
  app: App,
  { db, clock, gateways, findPlace }: StuckOrderRoutesOptions,
): void {
  app.get(
    '/v1/org/:org_id/team/:team_id/:env/stuck_order',
    {
      schema: {
        tags,
        summary: 'List orders that wait for the operator',
        description:
          'Orders that could not be handed over to their laboratory, and orders of deleted people ' +
          'on which a laboratory is still at work.',
        params: Type.Object(place),
        querystring: StuckOrderQuery,
        response: { 200: StuckOrderList },
      },
    },
    async (request) => {
      const tenant = await findPlace(request, request.params)
      return showStuckOrders({ db, tenant }, request.query)
    },
  )

  app.post(
    '/v1/org/:org_id/team/:team_id/:env/stuck_order/:order_id/retry',
    {
      schema: {
        tags,
        summary: 'Hand an order over once more',
        description: 'With all attempts, after it could not be handed over to its laboratory.',
        params: Type.Object({ ...place, order_id: Uuid }),
        response: { 200: Success },
      },
    },
    async (request) => {
      const tenant = await findPlace(request, request.params)
      const isConnected = (slug: string) => gateways.find(tenant.environment, slug) !== undefined
      await retryDispatch({ db, clock, tenant, isConnected }, request.params.order_id)
      return { success: true }
    },
  )
}
