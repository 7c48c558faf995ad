import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { LabPartners } from '@salus/contracts/lab-partners'
import { Uuid } from '@salus/contracts/schema-types'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { App } from '@salus/kernel/http/app-types'
import { CSV_RESPONSE, sendCsv } from '@salus/kernel/http/csv'
import Type from 'typebox'
import type { LabGateways } from '../gateways/index.ts'
import {
  cancelOrder,
  completeDraw,
  getCommunicationSettings,
  rescheduleOrder,
  setCommunicationSettings,
} from './commands/order-commands.service.ts'
import { PossibleTransitions } from './commands/possible-transitions.schema.ts'
import { showPossibleTransitions } from './commands/possible-transitions.service.ts'
import { resendEvents } from './commands/resend-events.service.ts'
import { registerOrderDocumentRoutes } from './documents/order-documents.routes.ts'
import { exportOrders, ORDER_COLUMNS } from './listing/export-orders.ts'
import { OrderExportQuery, OrderList, OrderListQuery } from './listing/orders-list.schema.ts'
import { listOrders } from './listing/orders-list.service.ts'
import { OrderPatch, ResendEvents } from './order-requests.schema.ts'
import {
  CommunicationSettings,
  Order,
  OrderTransactionDetails,
  Physician,
  PostOrderResponse,
  RegisteredPhysician,
} from './orders.schema.ts'
import { listPhysicians, lookUpPhysician } from './placing/physicians.service.ts'
import { registerPlacingRoutes } from './placing/placing.routes.ts'
import { showOrder, showOrderTransaction } from './show-orders.service.ts'

const tags = ['Orders']
const ByOrderId = Type.Object({ order_id: Uuid })
const CHANGED = { 200: PostOrderResponse }

/** Registers the routes for orders; documents and results have their own. */
export function registerOrderRoutes(
  app: App,
  dependencies: { gateways: LabGateways; secrets: SecretBox; partners: LabPartners },
): void {
  registerPlacingRoutes(app, dependencies)
  registerOrderExport(app)
  registerReadingRoutes(app)
  registerPhysicianRoutes(app, dependencies.partners)
  registerChangingRoutes(app)
  registerCommunicationRoutes(app)
  registerOrderDocumentRoutes(app, dependencies.secrets)
}

function registerOrderExport(app: App): void {
  app.get(
    '/v3/orders/export',
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'exportOrderList',
        tags,
        summary: 'Export a list of orders',
        description: 'Returns all orders that match all of the filters as a file, in their order.',
        querystring: OrderExportQuery,
        response: CSV_RESPONSE,
      },
    },
    async ({ scope, query }, reply) =>
      sendCsv(reply, 'orders', ORDER_COLUMNS, await exportOrders(scope, query)),
  )
}

function registerReadingRoutes(app: App): void {
  app.get(
    '/v3/orders',
    {
      config: { personIn: 'query', hasBodyTag: true },
      schema: {
        operationId: 'listOrders',
        tags,
        summary: 'List orders',
        description:
          'Returns a page of the orders that match all of the filters, with the number of matching orders.',
        querystring: OrderListQuery,
        response: { 200: OrderList },
      },
    },
    (request) => listOrders(request.scope, request.query),
  )

  app.get(
    '/v3/order/:order_id',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getOrder',
        tags,
        summary: 'Read an order',
        description: 'Returns the order with all of its events.',
        params: ByOrderId,
        response: { 200: Order },
      },
    },
    (request) => showOrder(request.scope, request.params.order_id),
  )

  app.get(
    '/v3/order_transaction/:transaction_id',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getOrderTransaction',
        tags,
        summary: 'Read an order transaction',
        description:
          'Returns the orders of the transaction: the first order, its replacements and its redraws.',
        params: Type.Object({ transaction_id: Uuid }),
        response: { 200: OrderTransactionDetails },
      },
    },
    (request) => showOrderTransaction(request.scope, request.params.transaction_id),
  )
}

function registerPhysicianRoutes(app: App, partners: LabPartners): void {
  app.get(
    '/v2/team/:team_id/physicians',
    {
      schema: {
        operationId: 'listTeamPhysicians',
        tags,
        summary: 'List physicians of the team',
        description:
          'Returns the physicians who ordered for the team and those whom the operator assigned to it, sorted by name.',
        params: Type.Object({ team_id: Uuid }),
        response: { 200: Type.Array(Physician) },
      },
    },
    ({ scope, params }) => listPhysicians(scope, params.team_id),
  )

  app.get(
    '/v3/physician/:npi',
    {
      schema: {
        operationId: 'lookUpPhysician',
        tags,
        summary: 'Look up an NPI in the public registry',
        description:
          'Returns the physician or the organization to which an NPI was issued. Nothing is stored.',
        params: Type.Object({ npi: Type.String({ description: 'NPI, 10 digits.' }) }),
        response: { 200: RegisteredPhysician },
      },
    },
    ({ scope, params }) => lookUpPhysician(scope, partners, params.npi),
  )
}

function registerChangingRoutes(app: App): void {
  app.get(
    '/v3/order/:order_id/transition',
    {
      schema: {
        operationId: 'listOrderTransitions',
        tags,
        summary: 'List the possible transitions of an order',
        description:
          'Returns the statuses that the order may take next, the causes of each, and the commands that the team may give.',
        params: ByOrderId,
        response: { 200: PossibleTransitions },
      },
    },
    (request) => showPossibleTransitions(request.scope, request.params.order_id),
  )

  app.patch(
    '/v3/order/:order_id',
    {
      schema: {
        operationId: 'rescheduleOrder',
        tags,
        summary: 'Reschedule an order',
        description: 'Changes the day on which a scheduled order is sent to the laboratory.',
        params: ByOrderId,
        body: OrderPatch,
        'x-body-example': { activate_by: '2026-06-01' },
        response: CHANGED,
      },
    },
    (request) => {
      const { activate_by: activateBy } = request.body
      return rescheduleOrder(request.scope, request.params.order_id, activateBy)
    },
  )
  registerCommandRoutes(app)
}

function registerCommandRoutes(app: App): void {
  app.post(
    '/v3/order/:order_id/cancel',
    {
      schema: {
        operationId: 'cancelOrder',
        tags,
        summary: 'Cancel an order',
        description:
          'Cancels the order. This is possible until the laboratory has begun to work on it.',
        params: ByOrderId,
        response: CHANGED,
      },
    },
    (request) => cancelOrder(request.scope, request.params.order_id),
  )

  app.patch(
    '/v3/order/:order_id/draw_completed',
    {
      schema: {
        operationId: 'completeDraw',
        tags,
        summary: 'Report an on-site collection',
        description: 'Marks the specimens of an on-site order as collected.',
        params: ByOrderId,
        response: CHANGED,
      },
    },
    (request) => completeDraw(request.scope, request.params.order_id),
  )

  app.post(
    '/v3/order/resend_events',
    {
      schema: {
        operationId: 'resendOrderEvents',
        tags,
        summary: 'Resend the latest event of orders',
        description:
          'Sends the latest event of the orders again, chosen by id or by the time of their last change within at most 60 days.',
        body: ResendEvents,
        'x-body-example': { order_ids: [EXAMPLE_IDS.order] },
        response: { 200: Type.Object({ order_ids: Type.Array(Uuid) }) },
      },
    },
    (request) => resendEvents(request.scope, request.body),
  )
}

function registerCommunicationRoutes(app: App): void {
  const url = '/v3/order/:order_id/communication_settings'
  const response = { 200: CommunicationSettings }

  app.get(
    url,
    {
      schema: {
        operationId: 'getOrderCommunicationSettings',
        tags,
        summary: 'Read the communication settings of an order',
        description: 'Returns whether the patient gets text messages about the order.',
        params: ByOrderId,
        response,
      },
    },
    (request) => getCommunicationSettings(request.scope, request.params.order_id),
  )

  app.patch(
    url,
    {
      schema: {
        operationId: 'updateOrderCommunicationSettings',
        tags,
        summary: 'Update the communication settings of an order',
        description: 'Changes whether the patient gets text messages about the order.',
        params: ByOrderId,
        body: Type.Object({ sms_enabled: Type.Boolean() }),
        'x-body-example': { sms_enabled: false },
        response,
      },
    },
    (request) => {
      const { sms_enabled: isEnabled } = request.body
      return setCommunicationSettings(request.scope, request.params.order_id, isEnabled)
    },
  )
}
