import type { OperationOutcome, ServiceRequest } from '@medplum/fhirtypes'
import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { DAY_MS } from '@salus/contracts/time-units'
import { AppError, invalidInput } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import {
  IdempotencyHeaders,
  readIdempotencyHeaders,
} from '@salus/kernel/idempotency/idempotent-reply'
import { runIdempotently } from '@salus/kernel/idempotency/idempotent-request'
import type { Scope } from '@salus/kernel/scope'
import type { LabGateways } from '@salus/lab/gateways'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  FHIR_JSON,
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  findOrderByIdentifier,
  PRODUCES,
  Resource,
  readResource,
  resourceAnswer,
  sendResource,
} from '../reading/index.ts'
import { changeOrderStatus } from './change-order-status.service.ts'
import { placeFhirOrder } from './place-fhir-order.service.ts'
import { findPatientOf } from './read-service-request.ts'
import { asServiceRequest, asTransaction } from './request-shapes.ts'
import { toOutcomeOfBody } from './stored-answers.ts'
import { readTransaction, toTransactionAnswer } from './transaction-bundle.ts'

export type OrderingOptions = FhirOptions & { gateways: LabGateways }

const OrderHeaders = Type.Object({
  ...IdempotencyHeaders.properties,
  'if-none-exist': Type.Optional(
    Type.String({
      description: 'Search by identifier; a request that exists already is returned.',
      examples: ['identifier=urn:example:orders|4711'],
    }),
  ),
})

const EXAMPLE = {
  resourceType: 'ServiceRequest',
  status: 'active',
  intent: 'order',
  subject: { reference: `Patient/${EXAMPLE_IDS.user}` },
  code: { coding: [{ system: 'urn:salus:lab_test', code: EXAMPLE_IDS.labTest }] },
}

const CREATES = { action: 'create', type: 'ServiceRequest' } as const

/** Registers routes that place orders and cancel them. */
export function registerOrderingRoutes(app: App, options: OrderingOptions): void {
  const config = { produces: PRODUCES, checksQuery: true, fhirAccess: CREATES }
  app.post(
    '/ServiceRequest',
    {
      config,
      schema: {
        operationId: 'createFhirOrder',
        tags: FHIR_TAGS,
        summary: 'Place an order by a ServiceRequest',
        description:
          'Places an order with the checks of createOrder. A request with If-None-Exist or an idempotency key can be repeated safely.',
        headers: OrderHeaders,
        body: Resource,
        'x-body-example': EXAMPLE,
        response: {
          200: resourceAnswer('The request that exists already.'),
          201: resourceAnswer('The request as it was stored.'),
        },
      },
    },
    async (request, reply) => {
      const resource = asServiceRequest(request.body)
      const existing = await findExisting(request.scope, request.headers['if-none-exist'])
      if (existing !== undefined) return sendOrder(request, reply, options, existing)
      const placed = await placeOnce(request, options, [resource])
      if ('outcome' in placed) return sendRefusal(reply, placed)
      return sendOrder(request, reply.code(201), options, placed.orderId)
    },
  )
  registerTransactionRoute(app, options)
  registerChangingRoutes(app, options)
}

function registerTransactionRoute(app: App, options: OrderingOptions): void {
  app.post(
    '/',
    {
      prefixTrailingSlash: 'no-slash',
      config: { produces: PRODUCES, checksQuery: true, fhirAccess: CREATES },
      schema: {
        operationId: 'submitFhirBundle',
        tags: FHIR_TAGS,
        summary: 'Place an order by a transaction Bundle',
        description:
          'Places one order for all ServiceRequests of a transaction Bundle, which belong to one requisition.',
        headers: IdempotencyHeaders,
        body: Resource,
        'x-body-example': {
          resourceType: 'Bundle',
          type: 'transaction',
          entry: [{ resource: EXAMPLE, request: { method: 'POST', url: 'ServiceRequest' } }],
        },
        response: { 200: resourceAnswer('Bundle of the type transaction-response.') },
      },
    },
    async (request, reply) => {
      const resources = readTransaction(asTransaction(request.body))
      const placed = await placeOnce(request, options, resources)
      if ('outcome' in placed) return sendRefusal(reply, placed)
      const order = await readResource(request.scope, 'ServiceRequest', placed.orderId)
      return sendResource(reply, toTransactionAnswer(order, resources.length))
    },
  )
}

interface Refused {
  status: number
  outcome: OperationOutcome
}

const sendRefusal = (reply: FastifyReply, { status, outcome }: Refused): FastifyReply =>
  sendResource(reply.code(status), outcome)

/** Places an order, once for all requests with one idempotency key. @throws AppError */
async function placeOnce(
  request: FastifyRequest,
  { gateways }: OrderingOptions,
  resources: readonly ServiceRequest[],
): Promise<{ orderId: string } | Refused> {
  const { scope, body } = request
  const isConnected = async (labSlug: string) =>
    (await gateways.find(scope.environment, labSlug)) !== undefined
  const once = readIdempotencyHeaders(request.headers as Type.Static<typeof IdempotencyHeaders>)
  if (once === undefined) {
    const orderId = await scope.transaction((tx) => placeFhirOrder(tx, isConnected, resources))
    return { orderId }
  }
  const endpoint = `POST ${request.routeOptions.url}`
  const userId = await findPatientOf(scope, resources)
  const at = scope.clock.now()
  const answer = await runIdempotently(
    scope,
    { endpoint, ...once, body, userId, retentionMs: DAY_MS, at },
    async (tx) => ({ order_id: await placeFhirOrder(tx, isConnected, resources) }),
  )
  const stored = JSON.parse(answer.body)
  return answer.status === 200
    ? { orderId: stored.order_id }
    : { status: answer.status, outcome: toOutcomeOfBody(answer.status, stored) }
}

/**
 * Returns the id of the order that If-None-Exist finds.
 * @throws AppError 422 for another search than one by identifier
 */
async function findExisting(scope: Scope, header: string | undefined): Promise<string | undefined> {
  if (header === undefined) return undefined
  const given = [...new URLSearchParams(header.replace(/^\?/, ''))]
  const [[name, text] = []] = given
  if (given.length !== 1 || name !== 'identifier' || text === undefined) {
    throw invalidInput(['header', 'if-none-exist'], 'Only a search by identifier', 'enum')
  }
  const bar = text.indexOf('|')
  const [system, value] = bar === -1 ? ['', text] : [text.slice(0, bar), text.slice(bar + 1)]
  return findOrderByIdentifier(scope, { system, value })
}

async function sendOrder(
  request: FastifyRequest,
  reply: FastifyReply,
  options: FhirOptions,
  orderId: string,
): Promise<FastifyReply> {
  const order = await readResource(request.scope, 'ServiceRequest', orderId)
  reply.header('location', `${fhirBaseOf(request, options)}/ServiceRequest/${orderId}`)
  return sendResource(reply, order)
}

const ById = Type.Object({ resource_type: Type.String(), resource_id: Type.String() })

/** An order is cancelled by its status; nothing else of it can be changed. */
function registerChangingRoutes(app: App, options: OrderingOptions): void {
  const fhirAccess = { action: 'update', type: 'ServiceRequest' } as const
  const config = { produces: PRODUCES, checksQuery: true, fhirAccess }
  const response = { 200: resourceAnswer('The request as it is stored.') }
  app.put(
    '/:resource_type/:resource_id',
    {
      config,
      schema: {
        operationId: 'updateFhirOrder',
        tags: FHIR_TAGS,
        summary: 'Cancel an order by a ServiceRequest',
        description: 'Cancels the order when the status is revoked; other changes are refused.',
        params: ById,
        'x-file-types': [FHIR_JSON],
        response,
      },
    },
    (request, reply) => {
      const { id, status } = asServiceRequest(request.body)
      const { resource_id: orderId } = request.params
      if (id?.toLowerCase() !== orderId.toLowerCase()) {
        throw invalidInput(['body', 'id'], 'The id differs from that of the path', 'enum')
      }
      return changeStatus(request, reply, options, status)
    },
  )
  app.patch(
    '/:resource_type/:resource_id',
    {
      config,
      schema: {
        operationId: 'patchFhirOrder',
        tags: FHIR_TAGS,
        summary: 'Cancel an order by a JSON Patch',
        description:
          'Cancels the order by a JSON Patch that replaces the status with revoked; other changes are refused.',
        params: ById,
        'x-file-types': [JSON_PATCH],
        response,
      },
    },
    (request, reply) => changeStatus(request, reply, options, readPatchedStatus(request.body)),
  )
}

const JSON_PATCH = 'application/json-patch+json'

function readPatchedStatus(body: unknown): unknown {
  const [change, ...others] = Array.isArray(body) ? body : []
  const isStatus = change?.op === 'replace' && change.path === '/status'
  if (isStatus && others.length === 0) return change.value
  throw invalidInput(['body'], 'Only a replacement of /status is possible', 'enum')
}

async function changeStatus(
  request: FastifyRequest<{ Params: { resource_type: string; resource_id: string } }>,
  reply: FastifyReply,
  options: FhirOptions,
  status: unknown,
): Promise<FastifyReply> {
  const { resource_type: type, resource_id: id } = request.params
  if (type !== 'ServiceRequest') {
    throw new AppError(405, 'method_not_allowed', 'Resources of this type cannot be changed.')
  }
  const orderId = id.toLowerCase()
  await changeOrderStatus(request.scope, orderId, status)
  return sendOrder(request, reply, options, orderId)
}
