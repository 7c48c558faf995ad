import type { Practitioner, ServiceRequest } from '@medplum/fhirtypes'
import { findUserInfo, getUserRow, type UserInfo } from '@salus/accounts/users'
import { conflict, type InputError, invalidInput, notFound } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { isUuid } from '@salus/kernel/ids'
import type { TransactionScope } from '@salus/kernel/scope'
import { OrderCreate, placeOrder } from '@salus/lab/orders'
import { insertOrderIdentifiers, readByIds } from '../reading/index.ts'
import { type AskedOrder, type AskedPhysician, readServiceRequest } from './read-service-request.ts'

/** Whether the environment has a gateway to a laboratory. */
type IsConnected = (labSlug: string) => Promise<boolean>

/** The same rules as for the body of POST /v3/order. */
const validate = createValidatorCompiler()({
  schema: OrderCreate,
  method: 'POST',
  url: '/v3/order',
  httpPart: 'body',
})

/**
 * Places one order for ServiceRequests of one requisition, by the service and with the checks of
 * `POST /v3/order`. The patient's demographics are those that Salus has.
 * @returns the id of the order
 * @throws InputError 422; AppError 404 for the patient; 409 `order_identifier_taken`; as placeOrder
 */
export async function placeFhirOrder(
  tx: TransactionScope,
  isConnected: IsConnected,
  resources: readonly ServiceRequest[],
): Promise<string> {
  const asked = joinOrders(resources.map(readServiceRequest))
  const input = await toOrderCreate(tx, asked)
  const { order } = await placeOrder(tx, isConnected, input)
  if (asked.labId !== undefined && order.lab_test.lab?.id !== asked.labId) {
    throw invalidInput(['body', 'performer'], 'Another laboratory does this test', 'enum')
  }
  if (!(await insertOrderIdentifiers(tx, order.id, asked.identifiers))) {
    throw conflict('order_identifier_taken', 'Another order has this identifier.')
  }
  return order.id
}

/** Joins requests of one requisition: what they order is added up, and all else must be equal. */
function joinOrders(orders: readonly AskedOrder[]): AskedOrder {
  const [first] = orders
  if (first === undefined) throw invalidInput(['body', 'entry'], 'Field required', 'missing')
  const shared = ({ patientId, physician, activateBy, requisition, isUrgent }: AskedOrder) =>
    JSON.stringify([patientId, physician, activateBy, requisition, isUrgent])
  if (orders.some((one) => shared(one) !== shared(first))) {
    throw invalidInput(
      ['body', 'entry'],
      'The requests differ in patient, requester, priority, date or requisition',
      'enum',
    )
  }
  const all = <Item>(read: (one: AskedOrder) => Item[]): Item[] => [
    ...new Set(orders.flatMap(read)),
  ]
  return {
    ...first,
    labTestIds: all((one) => one.labTestIds),
    markerIds: all((one) => one.markerIds),
    providerIds: all((one) => one.providerIds),
    icdCodes: all((one) => one.icdCodes),
    consents: all((one) => one.consents),
    identifiers: orders.flatMap((one) => one.identifiers),
    answers: orders.flatMap((one) => one.answers),
  }
}

async function toOrderCreate(tx: TransactionScope, asked: AskedOrder): Promise<OrderCreate> {
  const { patientId, markerIds, providerIds } = asked
  const userId = patientId.toLowerCase()
  if (!isUuid(userId)) throw notFound('User')
  await getUserRow(tx, userId)
  const info = await findUserInfo(tx, userId)
  const physician = await findPhysician(tx, asked.physician)
  const addsOn = markerIds.length > 0 || providerIds.length > 0
  const input = {
    user_id: userId,
    order_set: {
      ...(asked.labTestIds.length > 0 && { lab_test_ids: asked.labTestIds }),
      ...(addsOn && { add_on: toAddOn(asked) }),
    },
    ...(info && toPatient(info)),
    priority: asked.isUrgent,
    ...(physician && { physician }),
    ...(asked.icdCodes.length > 0 && { icd_codes: asked.icdCodes }),
    ...(asked.activateBy && { activate_by: asked.activateBy }),
    ...(asked.notes && { notes: asked.notes }),
    ...(asked.collectionMethod && { collection_method: asked.collectionMethod }),
    ...(asked.billing && { billing_type: asked.billing }),
    ...(asked.answers.length > 0 && { aoe_answers: asked.answers }),
    consents: asked.consents.map((consentType) => ({ consentType })),
  }
  const result = await validate(input)
  if (typeof result === 'object' && 'error' in result) throw result.error as InputError
  return input as unknown as OrderCreate
}

const toAddOn = ({ markerIds, providerIds }: AskedOrder) => ({
  ...(markerIds.length > 0 && { marker_ids: markerIds }),
  ...(providerIds.length > 0 && { provider_ids: providerIds }),
})

/** Without demographics the schema of orders names the missing fields. */
function toPatient({ address, ...person }: UserInfo): object {
  const { first_name, last_name, dob, gender, phone_number, email } = person
  return {
    patient_details: { first_name, last_name, dob, gender, phone_number, email },
    patient_address: { ...address, receiver_name: `${first_name} ${last_name}` },
  }
}

async function findPhysician(tx: TransactionScope, asked: AskedPhysician | undefined) {
  if (asked === undefined || !('practitionerId' in asked)) return asked
  const [found] = await readByIds(tx, 'Practitioner', [asked.practitionerId])
  if (found === undefined) {
    throw invalidInput(['body', 'requester'], 'The practitioner is unknown', 'enum')
  }
  const { identifier, name } = found as Practitioner
  return {
    first_name: name?.[0]?.given?.[0] ?? '',
    last_name: name?.[0]?.family ?? '',
    npi: identifier?.[0]?.value ?? '',
  }
}
