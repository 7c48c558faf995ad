import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { InputError } from '../../platform/errors.ts'
import type { App } from '../../platform/http/app-types.ts'
import { Uuid } from '../../platform/http/schema-types.ts'
import { IdempotencyHeaders } from '../../platform/idempotency/idempotent-reply.ts'
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
import { replyIdempotently } from './idempotent-reply.ts'
import { storeImages } from './insurance/insurance-images.ts'
import { OrderList, OrderListQuery } from './listing/orders-list.schema.ts'
import { listOrders } from './listing/orders-list.service.ts'
import {
  OrderCreate,
  OrderCreateOrReplace,
  OrderImport,
  OrderPatch,
  ResendEvents,
  TestkitOrder,
  TestkitRegistration,
} from './order-requests.schema.ts'
import {
  CommunicationSettings,
  Order,
  OrderTransactionDetails,
  Physician,
  PostOrderResponse,
} from './orders.schema.ts'
import { importOrder } from './placing/import-order.service.ts'
import { orderTestkit } from './placing/order-testkit.service.ts'
import { OrderValidation } from './placing/order-validation.schema.ts'
import { listPhysicians } from './placing/physicians.service.ts'
import { placeOrder, placeOrReplaceOrder } from './placing/place-order.service.ts'
import type { IsConnected } from './placing/prepare-order.service.ts'
import { registerKit } from './placing/register-kit.service.ts'
import { validateOrder } from './placing/validate-order.service.ts'
import { showOrder, showOrderTransaction } from './show-orders.service.ts'

const tags = ['Orders']
const ByOrderId = Type.Object({ order_id: Uuid })

type ConnectionOf = (request: FastifyRequest) => IsConnected

/** Everything that makes, shows and changes orders; documents and results have routes of their own. */
export function registerOrderRoutes(
  app: App,
  { gateways, secrets }: { gateways: LabGateways; secrets: SecretBox },
): void {
  const connectionOf: ConnectionOf = ({ scope }) => {
    return (labSlug) => gateways.find(scope.environment.kind, labSlug) !== undefined
  }
  registerPlacingRoutes(app, connectionOf, secrets)
  registerKitRoutes(app, connectionOf, secrets)
  registerReadingRoutes(app)
  registerChangingRoutes(app)
  registerCommunicationRoutes(app)
  registerOrderDocumentRoutes(app)
}

/** Room for the images of an insurance card and a signature. */
const bodyLimit = 16 * 1024 ** 2

function registerPlacingRoutes(app: App, connectionOf: ConnectionOf, secrets: SecretBox): void {
  const headers = IdempotencyHeaders
  const response = { 200: PostOrderResponse }

  app.post(
    '/v3/order',
    {
      bodyLimit,
      schema: { tags, summary: 'Place an order', headers, body: OrderCreate, response },
    },
    (request, reply) => {
      const { scope, body } = request
      const isConnected = connectionOf(request)
      return replyIdempotently(scope, 'POST /v3/order', request, reply, async (tx) => {
        const answer = await placeOrder(tx, isConnected, body)
        await storeImages(tx, secrets, answer.order, body.health_insurance)
        return answer
      }) as Promise<never>
    },
  )

  app.post(
    '/v3/order/create',
    {
      bodyLimit,
      schema: {
        tags,
        summary: 'Place an order, or replace one',
        description: 'What a replacement leaves out is copied from the order it replaces.',
        headers,
        body: OrderCreateOrReplace,
        response,
      },
    },
    (request, reply) => {
      const { scope, body } = request
      const isConnected = connectionOf(request)
      return replyIdempotently(scope, 'POST /v3/order/create', request, reply, async (tx) => {
        const answer = await placeOrReplaceOrder(tx, isConnected, body)
        await storeImages(tx, secrets, answer.order, body.health_insurance)
        return answer
      }) as Promise<never>
    },
  )

  app.post(
    '/v3/order/validate',
    {
      bodyLimit,
      // What is wrong with the shape of the order is part of the answer.
      attachValidation: true,
      config: { isRead: true },
      schema: {
        tags,
        summary: 'Validate an order without placing it',
        description:
          'Takes what placing takes, as far as it is filled in. Tells everything for which the order ' +
          'would be refused, and what it has to hold.',
        body: OrderCreateOrReplace,
        response: { 200: OrderValidation },
      },
    },
    (request) => {
      const { scope, body, validationError } = request
      return validateOrder(scope, connectionOf(request), body, readShape(validationError))
    },
  )

  app.post(
    '/v3/order/import',
    { schema: { tags, summary: 'Store an order placed elsewhere', body: OrderImport, response } },
    (request) => importOrder(request.scope, request.body),
  )
}

/** @throws InputError for a body that is no object, of which nothing could be told */
function readShape(error: unknown): InputError | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof InputError)) throw error
  if (error.problems.some(({ loc }) => loc.length === 1)) throw error
  return error
}

function registerKitRoutes(app: App, connectionOf: ConnectionOf, secrets: SecretBox): void {
  const response = { 200: PostOrderResponse }

  app.post(
    '/v3/order/testkit',
    { schema: { tags, summary: 'Order an unregistered kit', body: TestkitOrder, response } },
    (request) => orderTestkit(request.scope, connectionOf(request), request.body),
  )

  app.post(
    '/v3/order/testkit/register',
    {
      bodyLimit,
      schema: { tags, summary: 'Register a kit', body: TestkitRegistration, response },
    },
    (request) => registerKit(request.scope, secrets, request.body),
  )
}

function registerReadingRoutes(app: App): void {
  app.get(
    '/v3/orders',
    {
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
