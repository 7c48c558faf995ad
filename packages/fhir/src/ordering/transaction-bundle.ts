import type { Bundle, ServiceRequest } from '@medplum/fhirtypes'
import { invalidInput } from '@salus/kernel/errors'
import type { FhirResource } from '../resources/index.ts'

/** Most ServiceRequests of one requisition. */
const MOST_ENTRIES = 100

/**
 * Returns the ServiceRequests of a transaction.
 * @throws InputError 422 for another Bundle, and for entries that are no new ServiceRequest
 */
export function readTransaction(bundle: Bundle): ServiceRequest[] {
  const { resourceType, type, entry = [] } = bundle
  if (resourceType !== 'Bundle' || type !== 'transaction') {
    throw invalidInput(['body', 'type'], 'Input should be a Bundle of the type transaction', 'enum')
  }
  if (entry.length === 0 || entry.length > MOST_ENTRIES) {
    throw invalidInput(
      ['body', 'entry'],
      `Input should have 1 to ${MOST_ENTRIES} entries`,
      'too_long',
    )
  }
  return entry.map(({ request, resource }, index) => {
    const isNew = request?.method === 'POST' && request.url === 'ServiceRequest'
    if (isNew && resource?.resourceType === 'ServiceRequest') return resource
    throw invalidInput(['body', 'entry', index], 'Only new ServiceRequests are possible', 'enum')
  })
}

/** Returns the answer: all entries are the one order of their requisition. */
export function toTransactionAnswer(order: FhirResource, entries: number): Bundle {
  const location = `ServiceRequest/${order.id}`
  return {
    resourceType: 'Bundle',
    type: 'transaction-response',
    entry: Array.from({ length: entries }, () => ({
      resource: order,
      response: { status: '201 Created', location },
    })),
  }
}
