import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import type { LabGateways } from '../../gateways/index.ts'
import { StuckOrderList, StuckOrderQuery } from './stuck-orders.schema.ts'
import { resolveCancellation, retryDispatch, showStuckOrders } from './stuck-orders.service.ts'

const tags = ['Orders']

/** Registers the operator's routes for stuck orders, among those of managed environments. */
export function registerStuckOrderRoutes(app: App, { gateways }: { gateways: LabGateways }): void {
  app.get(
    `${ENVIRONMENT_PATH}/stuck_order`,
    {
      schema: {
        operationId: 'listStuckOrders',
        tags,
        summary: 'List orders that wait for the operator',
        description:
          'Returns orders that could not be sent to their laboratory, orders of deleted people on ' +
          'which a laboratory is still at work, and cancelled orders that it did not cancel.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: StuckOrderQuery,
        response: { 200: StuckOrderList },
      },
    },
    ({ scope, query }) => showStuckOrders(scope, query),
  )

  app.post(
    `${ENVIRONMENT_PATH}/stuck_order/:order_id/retry`,
    {
      schema: {
        operationId: 'retryStuckOrder',
        tags,
        summary: 'Retry the dispatch or cancellation of an order',
        description:
          'Sends an order or its cancellation to its laboratory again, with the full number of ' +
          'attempts, after that failed.',
        params: Type.Object({ ...ENVIRONMENT_PARAMS, order_id: Uuid }),
        response: { 200: Success },
      },
    },
    async ({ scope, params }) => {
      const isConnected = async (slug: string) =>
        (await gateways.find(scope.environment, slug)) !== undefined
      await retryDispatch(scope, isConnected, params.order_id)
      return { success: true }
    },
  )

  app.post(
    `${ENVIRONMENT_PATH}/stuck_order/:order_id/resolve`,
    {
      schema: {
        operationId: 'resolveStuckOrder',
        tags,
        summary: 'Record that a laboratory cancelled an order',
        description:
          'Removes a cancelled order from the list, after people cancelled it at its laboratory.',
        params: Type.Object({ ...ENVIRONMENT_PARAMS, order_id: Uuid }),
        response: { 200: Success },
      },
    },
    async ({ scope, params }) => {
      await resolveCancellation(scope, params.order_id)
      return { success: true }
    },
  )
}
