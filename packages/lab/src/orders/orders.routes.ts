import { Uuid } from '@salus/contracts/schema-types'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { App } from '@salus/kernel/http/app-types'
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
import { OrderList, OrderListQuery } from './listing/orders-list.schema.ts'
import { listOrders } from './listing/orders-list.service.ts'
import { OrderPatch, ResendEvents } from './order-requests.schema.ts'
import {
  CommunicationSettings,
  Order,
  OrderTransactionDetails,
  Physician,
  PostOrderResponse,
} from './orders.schema.ts'
import { listPhysicians } from './placing/physicians.service.ts'
import { registerPlacingRoutes } from './placing/placing.routes.ts'
import { showOrder, showOrderTransaction } from './show-orders.service.ts'

const tags = ['Orders']
const ByOrderId = Type.Object({ order_id: Uuid })

/** Everything that makes, shows and changes orders; documents and results have routes of their own. */
export function registerOrderRoutes(
  app: App,
  dependencies: { gateways: LabGateways; secrets: SecretBox },
): void {
  registerPlacingRoutes(app, dependencies)
  registerReadingRoutes(app)
  registerChangingRoutes(app)
  registerCommunicationRoutes(app)
  registerOrderDocumentRoutes(app)
}

function registerReadingRoutes(app: App): void {
  app.get(
    '/v3/orders',
    {
      config: { personIn: 'query' },
      schema: {
        tags,
        summary: 'List orders',
        querystring: OrderListQuery,
        response: { 200: OrderList },
      },
    },
    (request) => listOrders(request.scope, request.query),
  )

  app.get(
    '/v3/order/:order_id',
    { schema: { tags, summary: 'Read an order', params: ByOrderId, response: { 200: Order } } },
    (request) => showOrder(request.scope, request.params.order_id),
  )

  app.get(
    '/v3/order_transaction/:transaction_id',
    {
      schema: {
        tags,
        summary: 'Read an order transaction',
        params: Type.Object({ transaction_id: Uuid }),
        response: { 200: OrderTransactionDetails },
      },
    },
    (request) => showOrderTransaction(request.scope, request.params.transaction_id),
  )

  app.get(
    '/v2/team/:team_id/physicians',
    {
      schema: {
        tags,
        summary: 'List physicians of the team',
        params: Type.Object({ team_id: Uuid }),
        response: { 200: Type.Array(Physician) },
      },
    },
    ({ scope, params }) => listPhysicians(scope, params.team_id),
  )
}

function registerChangingRoutes(app: App): void {
  const params = ByOrderId
  const response = { 200: PostOrderResponse }

  app.get(
    '/v3/order/:order_id/transition',
    {
      schema: {
        tags,
        summary: 'Tell what may come of an order',
        params,
        response: { 200: PossibleTransitions },
      },
    },
    (request) => showPossibleTransitions(request.scope, request.params.order_id),
  )

  app.patch(
    '/v3/order/:order_id',
    { schema: { tags, summary: 'Reschedule an order', params, body: OrderPatch, response } },
    (request) => {
      const { activate_by: activateBy } = request.body
      return rescheduleOrder(request.scope, request.params.order_id, activateBy)
    },
  )

  app.post(
    '/v3/order/:order_id/cancel',
    { schema: { tags, summary: 'Cancel an order', params, response } },
    (request) => cancelOrder(request.scope, request.params.order_id),
  )

  app.patch(
    '/v3/order/:order_id/draw_completed',
    { schema: { tags, summary: 'Report a draw on site', params, response } },
    (request) => completeDraw(request.scope, request.params.order_id),
  )

  app.post(
    '/v3/order/resend_events',
    {
      schema: {
        tags,
        summary: 'Send the latest message of orders again',
        body: ResendEvents,
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
    { schema: { tags, summary: 'Read how a patient is told', params: ByOrderId, response } },
    (request) => getCommunicationSettings(request.scope, request.params.order_id),
  )

  app.patch(
    url,
    {
      schema: {
        tags,
        summary: 'Change how a patient is told',
        params: ByOrderId,
        body: Type.Object({ sms_enabled: Type.Boolean() }),
        response,
      },
    },
    (request) => {
      const { sms_enabled: isEnabled } = request.body
      return setCommunicationSettings(request.scope, request.params.order_id, isEnabled)
    },
  )
}
