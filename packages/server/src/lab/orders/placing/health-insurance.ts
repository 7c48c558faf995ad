import { badRequest, invalidInput } from '../../../platform/errors.ts'
import type { HealthInsuranceCreateRequest } from '../order-requests.schema.ts'

type Given = HealthInsuranceCreateRequest | null | undefined

/**
 * Checks what a request says of insurance
 * (docs/contract/11-orders.md#healthinsurancecreaterequest).
 * @throws InputError 422 when somebody else answers for the bill and is not named
 */
export function readHealthInsurance(given: Given): void {
  const { responsible_relationship: relation, responsible_details: person } = given ?? {}
  if (!relation || relation === 'Self' || person) return
  const loc: ['body', ...string[]] = ['body', 'health_insurance', 'responsible_details']
  throw invalidInput(loc, 'Field required unless responsible_relationship is Self', 'missing')
}

/**
 * Insurance is not stored by this version. An order that names one is refused rather than placed
 * without it.
 * @throws AppError 400 `health_insurance_not_supported`
 */
export function refuseHealthInsurance(given: Given): void {
  if (!given) return
  const message = 'Insurance cannot be billed yet. Leave health_insurance out.'
  throw badRequest('health_insurance_not_supported', message)
}
