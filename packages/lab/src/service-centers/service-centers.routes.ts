import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { addWarning } from '@salus/kernel/http/query-warnings'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { type ListPhlebotomyProviders, showAreaInfo } from './area-info.service.ts'
import { type ShownCenters, showCentersNear, showCentersOfOrder } from './center-listing.service.ts'
import {
  AreaInfo,
  AreaQuery,
  CenterListing,
  CentersQuery,
  OrderCentersQuery,
} from './service-centers.schema.ts'

const tags = ['Appointments']

/**
 * Registers the routes for areas and sites
 * (docs/contract/14-appointments-and-psc.md#endpoints-areas-and-sites).
 */
export function registerServiceCenterRoutes(
  app: App,
  { listPhlebotomyProviders }: { listPhlebotomyProviders: ListPhlebotomyProviders },
): void {
  app.get(
    '/v3/order/area/info',
    {
      schema: {
        operationId: 'getAreaInfo',
        tags,
        summary: 'Read the services available in an area',
        description:
          'Returns the providers of visits for a ZIP code, and the laboratories with service centers around it.',
        querystring: AreaQuery,
        response: { 200: AreaInfo },
      },
    },
    ({ scope, query, isByAlias }) => showAreaInfo(scope, query, listPhlebotomyProviders, isByAlias),
  )
  app.get(
    '/v3/order/psc/info',
    {
      schema: {
        operationId: 'listServiceCenters',
        tags,
        summary: 'List service centers around a ZIP code',
        description:
          'Returns the nearest 30 sites of a laboratory around a ZIP code. The header `x-salus-warning` explains why there can be none.',
        querystring: CentersQuery,
        response: { 200: CenterListing },
      },
    },
    async ({ scope, query, isByAlias }, reply) =>
      sendListing(reply, await showCentersNear(scope, query, isByAlias)),
  )
  app.get(
    '/v3/order/:order_id/psc/info',
    {
      schema: {
        operationId: 'listServiceCentersOfOrder',
        tags,
        summary: "List service centers around an order's patient",
        description:
          "Returns the nearest 30 sites of the order's laboratory around the patient's ZIP code.",
        params: Type.Object({ order_id: Uuid }),
        querystring: OrderCentersQuery,
        response: { 200: CenterListing },
      },
    },
    async ({ scope, params, query, isByAlias }, reply) =>
      sendListing(reply, await showCentersOfOrder(scope, params.order_id, query, isByAlias)),
  )
}

function sendListing(reply: FastifyReply, { listing, warning }: ShownCenters): CenterListing {
  if (warning !== undefined) addWarning(reply, warning)
  return listing
}
