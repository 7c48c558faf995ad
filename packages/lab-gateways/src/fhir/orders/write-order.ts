import { createHash } from 'node:crypto'
import type { AllocatedNumbers, Requisition } from '@salus/contracts/lab-gateway'
import { OrderNotWritable } from '../../hl7/orders/order-not-writable.ts'
import type { FhirRules } from '../connection.ts'
import { objectOf, objectsOf, textOf } from '../json.ts'
import { PLACER_SYSTEM } from '../systems.ts'
import {
  answersOf,
  coverageOf,
  type NewResource,
  type OrderContext,
  patientOf,
  practitionerOf,
  serviceRequestOf,
  specimenOf,
} from './resources.ts'

/** How orders are written: a transaction, or a RequestGroup that contains everything. */
export type OrderShape = 'transaction' | 'request_group'

interface Written {
  requisition: Requisition
  numbers: AllocatedNumbers
  rules: FhirRules
  shape: OrderShape
  status: 'active' | 'revoked'
}

/**
 * Writes an order, or with the status `revoked` its cancellation. The same requisition and numbers
 * give the same bytes.
 * @throws OrderNotWritable for an order without a patient or a test without the laboratory's code
 */
export function writeFhirOrder({ requisition, numbers, rules, shape, status }: Written): Buffer {
  const { patient } = requisition
  if (patient === null) throw new OrderNotWritable('NO_PATIENT', 'ServiceRequest.subject')
  const order = { ...requisition, patient }
  const refer = (key: string) => ({
    reference: shape === 'transaction' ? urnOf(numbers.placer, key) : `#${key}`,
  })
  const context: OrderContext = { requisition: order, numbers, rules, status, refer }
  const tests = requisition.tests.map((test) => {
    const { provider_id } = test
    if (provider_id === null) throw new OrderNotWritable('NO_ORDER_CODE', 'ServiceRequest.code')
    return serviceRequestOf(context, { ...test, provider_id })
  })
  const others = [
    patientOf(context),
    ...practitionerOf(context),
    ...coverageOf(context),
    ...specimenOf(context),
    ...requisition.tests.flatMap(({ marker_id }) => answersOf(context, marker_id)),
  ]
  const written =
    shape === 'transaction'
      ? transactionOf([...others, ...tests], numbers.placer, status)
      : requestGroupOf(others, tests, context)
  return Buffer.from(JSON.stringify(written), 'utf8')
}

/** A UUID of a resource of an order: the same at each writing (RFC 9562, version 8). */
function urnOf(placer: string, key: string): string {
  const hash = createHash('sha256').update(`${placer} ${key}`).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return `urn:uuid:${[...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')}`
}

/** The search for the resource of an identifier: the last one, which is the most particular. */
function searchOf(resource: NewResource['resource']): string {
  const identifier = objectsOf(resource.identifier).at(-1) ?? {}
  const token = [identifier.system, identifier.value].map((part) =>
    encodeURIComponent(textOf(part) ?? ''),
  )
  return `identifier=${token.join('%7C')}`
}

/**
 * Each resource is created unless it is there by its identifier, so that a repetition changes
 * nothing. The patient and what is cancelled are updated.
 */
function transactionOf(
  resources: readonly NewResource[],
  placer: string,
  status: 'active' | 'revoked',
): object {
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: resources.map(({ key, resource }) => {
      const { resourceType: type } = resource
      const search = searchOf(resource)
      const isUpdated = type === 'Patient' || (type === 'ServiceRequest' && status === 'revoked')
      return {
        fullUrl: urnOf(placer, key),
        resource,
        request: isUpdated
          ? { method: 'PUT', url: `${type}?${search}` }
          : { method: 'POST', url: type, ifNoneExist: search },
      }
    }),
  }
}

function requestGroupOf(
  others: readonly NewResource[],
  tests: readonly NewResource[],
  { requisition, numbers, status, refer }: OrderContext,
): object {
  return {
    resourceType: 'RequestGroup',
    contained: [...others, ...tests].map(({ key, resource }) => ({ ...resource, id: key })),
    identifier: [{ system: PLACER_SYSTEM, value: numbers.placer }],
    status,
    intent: 'order',
    subject: refer('patient'),
    authoredOn: requisition.orderedAt.toISOString(),
    ...(requisition.physician !== null && { author: refer('practitioner') }),
    action: tests.map(({ key }) => ({ resource: refer(key) })),
  }
}

/** The request that a stored order or cancellation is sent with. */
export function requestOf(
  base: string,
  content: Buffer,
): { url: string; method: 'POST' | 'PUT'; headers: Record<string, string> } {
  const json = objectOf(JSON.parse(content.toString('utf8')))
  if (json.resourceType === 'Bundle') return { url: base, method: 'POST', headers: {} }
  const search = searchOf(json as NewResource['resource'])
  const url = `${base}/RequestGroup`
  if (json.status === 'revoked') return { url: `${url}?${search}`, method: 'PUT', headers: {} }
  return { url, method: 'POST', headers: { 'if-none-exist': search } }
}
