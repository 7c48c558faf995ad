import { isTerminal } from '@salus/contracts/order-lifecycle'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset, formatInstant } from '@salus/kernel/time/instants'
import { getLabAccount } from '../../catalog/index.ts'
import { toOrderResponse } from '../commands/order-commands.service.ts'
import { checkIcdCodes, choosePolicy, type InsuredPerson } from '../insurance/billing.service.ts'
import { readHealthInsurance } from '../insurance/health-insurance.ts'
import { storeImages } from '../insurance/insurance-images.ts'
import type { TestkitRegistration } from '../order-requests.schema.ts'
import { listKits, lockOrder, type OrderRow } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { transitionOrder } from '../transitions/transition-order.service.ts'
import { searchColumns } from './order-draft.ts'
import { readConsents, readPatient, readPatientAddress, readPhysician } from './people.ts'
import { choosePhysician, isDelegated, storePhysician } from './physicians.service.ts'
import { requireAdultOrProxy, requireConsents, requireUser } from './prepare-order.service.ts'
import { addDispatchJob } from './store-order.service.ts'

/**
 * Registers the patient of a kit by its printed number; the laboratory gets the requisition next.
 * @throws AppError 404 `kit_not_found`, `user_not_found`; 400 `already_registered`,
 *   `kit_not_registrable`, and those of physicians, consents and minors
 */
export function registerKit(
  scope: Scope,
  secrets: SecretBox,
  input: TestkitRegistration,
): Promise<PostOrderResponse> {
  return scope.transaction(async (tx) => {
    const at = environmentNow(tx)
    const row = await lockRegistrableKit(tx, input.sample_id)
    const changes = await readRegistration(tx, row, input, at)
    const changed = await transitionOrder(tx, row, { to: 'registered', at, changes })
    if (changed.physician?.is_own) {
      await storePhysician(tx.db, tx.environment.teamId, changed.physician, at)
    }
    await storeImages(tx, secrets, changed, input.health_insurance)
    await addDispatchJob(tx, row.id)
    return toOrderResponse(tx, changed, 'Kit registered.')
  })
}

async function lockRegistrableKit(tx: TransactionScope, sampleId: string): Promise<OrderRow> {
  const kits = await listKits(tx, sampleId)
  const isOpen = (kit: OrderRow) => kit.registered_at === null && !isTerminal(kit.last_status)
  const kit = kits.find(isOpen) ?? kits[0]
  const row = kit && (await lockOrder(tx, kit.id))
  if (row === undefined || row.is_hidden) throw notFoundCode('kit_not_found')
  if (row.registered_at !== null) {
    throw badRequest('already_registered', 'The kit is already registered.')
  }
  if (isTerminal(row.last_status)) {
    throw badRequest('kit_not_registrable', 'The order of the kit has ended.')
  }
  return row
}

async function readRegistration(
  scope: TransactionScope,
  row: OrderRow,
  input: TestkitRegistration,
  at: Date,
) {
  const { db, environment } = scope
  const today = dateAtOffset(at.getTime(), 0)
  const patient = readPatient(input.patient_details, today)
  const healthInsurance = readHealthInsurance(input.health_insurance)
  const address = readPatientAddress(input.patient_address, patient)
  const userId = input.user_id ? (await requireUser(scope, input.user_id)).id : row.user_id
  const account = await getLabAccount(db, row.lab_account_id)
  const given = input.physician ? readPhysician(input.physician) : null
  const choice = { isDelegated: isDelegated(account.delegated_flow), state: address.state }
  const physician = await choosePhysician(db, environment.kind, given, choice)
  const consents = readConsents(input.consents ?? [], formatInstant(at))
  requireConsents(consents, !physician.is_own)
  await requireAdultOrProxy(scope, userId, patient, today)
  return {
    user_id: userId,
    ...(await readInsurance(scope, row, userId, { patient, address, healthInsurance })),
    patient_details: JSON.stringify(patient),
    patient_address: JSON.stringify(address),
    physician: JSON.stringify(physician),
    consents: JSON.stringify(consents),
    registered_at: at,
    // It is dispatched again, now to the laboratory.
    dispatched_at: null,
    dispatch_failed_at: null,
    dispatch_problem: null,
    dispatch_detail: null,
    ...searchColumns(patient, address, row.shipping_details),
  }
}

/** Returns the insurance of the kit's patient. */
async function readInsurance(
  tx: TransactionScope,
  row: OrderRow,
  userId: string,
  person: InsuredPerson,
) {
  const { healthInsurance } = person
  if (healthInsurance === null) return {}
  const { diagnosis_codes: codes } = healthInsurance
  const { billing_type: billing } = row
  await checkIcdCodes(tx.db, codes, billing === 'commercial_insurance')
  return {
    health_insurance_id: await choosePolicy(tx, { userId, billing, person }),
    health_insurance: JSON.stringify(healthInsurance),
    ...(codes.length > 0 && { icd_codes: codes }),
  }
}
