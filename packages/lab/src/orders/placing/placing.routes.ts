import { EXAMPLE_ADDRESS, EXAMPLE_IDS, EXAMPLE_PERSON } from '@salus/contracts/examples'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { InputError } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { IdempotencyHeaders } from '@salus/kernel/idempotency/idempotent-reply'
import type { FastifyRequest } from 'fastify'
import type { LabGateways } from '../../gateways/index.ts'
import { replyIdempotently } from '../idempotent-reply.ts'
import { storeImages } from '../insurance/insurance-images.ts'
import {
  OrderCreate,
  OrderCreateOrReplace,
  OrderImport,
  TestkitOrder,
  TestkitRegistration,
} from '../order-requests.schema.ts'
import { PostOrderResponse } from '../orders.schema.ts'
import { importOrder } from './import-order.service.ts'
import { orderTestkit } from './order-testkit.service.ts'
import { OrderValidation } from './order-validation.schema.ts'
import { placeOrder, placeOrReplaceOrder } from './place-order.service.ts'
import type { IsConnected } from './prepare-order.service.ts'
import { registerKit } from './register-kit.service.ts'
import { validateOrder } from './validate-order.service.ts'

const CONSENTS = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent'].map(
  (consentType) => ({ consentType }),
)
const PATIENT_ADDRESS = {
  receiver_name: 'Ada Moreau',
  ...EXAMPLE_ADDRESS,
  phone_number: '+15555550100',
}
const ORDER = {
  user_id: EXAMPLE_IDS.user,
  order_set: { lab_test_ids: [EXAMPLE_IDS.labTest] },
  collection_method: 'walk_in_test',
  patient_details: EXAMPLE_PERSON,
  patient_address: PATIENT_ADDRESS,
}
const SHIPPING_DETAILS = {
  receiver_name: 'Front desk',
  ...EXAMPLE_ADDRESS,
  phone_number: '+15555550101',
}

const tags = ['Orders']
const response = { 200: PostOrderResponse }
/** Limit that allows the images of an insurance card and a signature. */
const bodyLimit = 16 * 1024 ** 2

type ConnectionOf = (request: FastifyRequest) => IsConnected

/** Registers the routes that place, import and validate orders. */
export function registerPlacingRoutes(
  app: App,
  { gateways, secrets }: { gateways: LabGateways; secrets: SecretBox },
): void {
  const connectionOf: ConnectionOf = ({ scope }) => {
    return async (labSlug) => (await gateways.find(scope.environment, labSlug)) !== undefined
  }
  registerOrderPlacingRoutes(app, connectionOf, secrets)
  registerValidationRoute(app, connectionOf)
  app.post(
    '/v3/order/import',
    {
      schema: {
        operationId: 'importOrder',
        tags,
        summary: 'Store an order placed elsewhere',
        description:
          'Stores an order that the laboratory already has, so that its results can be matched to it.',
        body: OrderImport,
        'x-body-example': {
          ...ORDER,
          billing_type: 'client_bill',
          sample_id: 'SPEC-0042',
        },
        response,
      },
    },
    (request) => importOrder(request.scope, request.body),
  )
  registerKitRoutes(app, connectionOf, secrets)
}

function registerOrderPlacingRoutes(
  app: App,
  connectionOf: ConnectionOf,
  secrets: SecretBox,
): void {
  app.post(
    '/v3/order',
    {
      bodyLimit,
      schema: {
        operationId: 'createOrder',
        tags,
        summary: 'Place an order',
        description:
          'Checks the order, stores it, and sends it to the laboratory in the background. A request with an idempotency key can be repeated safely.',
        headers: IdempotencyHeaders,
        body: OrderCreate,
        'x-body-example': ORDER,
        response,
      },
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
  registerOrderCreateRoute(app, connectionOf, secrets)
}

function registerOrderCreateRoute(app: App, connectionOf: ConnectionOf, secrets: SecretBox): void {
  app.post(
    '/v3/order/create',
    {
      bodyLimit,
      schema: {
        operationId: 'createOrReplaceOrder',
        tags,
        summary: 'Place an order, or replace one',
        description:
          'Places an order. With `recreate_from_order_id` it replaces another order; fields that are left out are copied from that order.',
        headers: IdempotencyHeaders,
        body: OrderCreateOrReplace,
        'x-body-example': ORDER,
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
}

function registerValidationRoute(app: App, connectionOf: ConnectionOf): void {
  app.post(
    '/v3/order/validate',
    {
      bodyLimit,
      // Schema errors are part of the response.
      attachValidation: true,
      config: { isRead: true },
      schema: {
        operationId: 'validateOrder',
        tags,
        summary: 'Validate an order without placing it',
        description:
          'Checks the body of an order, which may be incomplete. Returns all problems for which the ' +
          'order would be refused, and what the order requires.',
        body: OrderCreateOrReplace,
        'x-body-example': ORDER,
        response: { 200: OrderValidation },
      },
    },
    (request) => {
      const { scope, body, validationError } = request
      return validateOrder(scope, connectionOf(request), body, readShape(validationError))
    },
  )
}

/**
 * Returns the schema error of the request.
 * @throws InputError for a body that is not an object, which cannot be validated
 */
function readShape(error: unknown): InputError | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof InputError)) throw error
  if (error.problems.some(({ loc }) => loc.length === 1)) throw error
  return error
}

function registerKitRoutes(app: App, connectionOf: ConnectionOf, secrets: SecretBox): void {
  app.post(
    '/v3/order/testkit',
    {
      schema: {
        operationId: 'createTestkitOrder',
        tags,
        summary: 'Order an unregistered kit',
        description:
          'Orders a kit that is sent to the address. Its patient is named when the kit is registered.',
        body: TestkitOrder,
        'x-body-example': {
          user_id: EXAMPLE_IDS.user,
          lab_test_id: EXAMPLE_IDS.labTest,
          shipping_details: SHIPPING_DETAILS,
        },
        response,
      },
    },
    (request) => orderTestkit(request.scope, connectionOf(request), request.body),
  )

  app.post(
    '/v3/order/testkit/register',
    {
      bodyLimit,
      schema: {
        operationId: 'registerTestkit',
        tags,
        summary: 'Register a kit',
        description: 'Registers the patient of the kit, with the consents.',
        body: TestkitRegistration,
        'x-body-example': {
          sample_id: 'KIT-000042',
          patient_details: EXAMPLE_PERSON,
          patient_address: PATIENT_ADDRESS,
          consents: CONSENTS,
        },
        response,
      },
    },
    (request) => registerKit(request.scope, secrets, request.body),
  )
}
