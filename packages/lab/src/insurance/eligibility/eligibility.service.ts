import { findUserReference } from '@salus/accounts/users'
import {
  type CoveredPerson,
  type EligibilityAnswer,
  type EligibilityQuestion,
  type LabPartners,
  REJECTION_CODES,
} from '@salus/contracts/lab-partners'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { callLabPartner, requirePartner } from '../../gateways/index.ts'
import { getPayorOfPolicy } from '../payors/payors.repository.ts'
import type { GuarantorDetails, InsuredPerson } from '../people.schema.ts'
import type { PolicyRow } from '../policies/policies.repository.ts'
import * as repository from '../policies/policies.repository.ts'
import type { EligibilityCheck, EligibilityRequest } from './eligibility.schema.ts'

/**
 * Asks the payor of a policy whether the person is covered, and for what. The answer is not stored
 * (docs/contract/15-insurance.md#post-v2useruser_idinsuranceeligibility).
 * @throws AppError 404 `user_not_found`, `insurance_not_found`; 400 `partner_not_configured`,
 *   `payor_not_reachable`; 502 `partner_unavailable`
 */
export async function checkEligibility(
  scope: Scope,
  partners: LabPartners,
  userId: string,
  request: EligibilityRequest,
): Promise<EligibilityCheck> {
  const policy = await getPolicy(scope, userId, request.insurance_id ?? null)
  const gateway = requirePartner(partners[scope.environment.kind].eligibility)
  const payor = await getPayorOfPolicy(scope, policy.payor_id)
  if (!gateway.reaches(payor.external_ids)) {
    const message = 'The payor has no id at the clearing house that checks eligibility.'
    throw badRequest('payor_not_reachable', message)
  }
  const question = toQuestion(policy, payor.external_ids, request)
  const answer = await callLabPartner(scope.log, () => gateway.check(question))
  return toCheck(answer, payor.payor_code, scope.clock.now())
}

async function getPolicy(
  scope: Scope,
  userId: string,
  policyId: string | null,
): Promise<PolicyRow> {
  const user = isUuid(userId) ? await findUserReference(scope, userId) : undefined
  if (user === undefined) throw notFoundCode('user_not_found')
  const policy =
    policyId === null
      ? await repository.findNewestPolicy(scope, user.id, true)
      : await repository.findPolicy(scope, policyId)
  if (policy?.user_id !== user.id) throw notFoundCode('insurance_not_found')
  return policy
}

/**
 * The insured person is the patient. Unless the patient is the policyholder, the guarantor is the
 * subscriber, whose birth date is not known, and the patient is the dependent.
 */
function toQuestion(
  { member_id: memberId, relationship, insured, guarantor }: PolicyRow,
  payorIds: EligibilityQuestion['payorIds'],
  {
    service_type_codes: serviceTypeCodes,
    date_of_service: dateOfService = null,
  }: EligibilityRequest,
): EligibilityQuestion {
  const patient = toPerson(insured)
  const isDependent = relationship !== 'Self' && guarantor !== null
  const people = isDependent
    ? { subscriber: toSubscriber(guarantor), dependent: patient }
    : { subscriber: patient, dependent: null }
  return { payorIds, memberId, ...people, serviceTypeCodes, dateOfService }
}

function toPerson({ first_name, last_name, dob, gender }: InsuredPerson): CoveredPerson {
  const known = gender === 'female' || gender === 'male' ? gender : null
  return { firstName: first_name, lastName: last_name, birthDate: dob, gender: known }
}

const toSubscriber = ({ first_name, last_name }: GuarantorDetails): CoveredPerson => ({
  firstName: first_name,
  lastName: last_name,
  birthDate: null,
  gender: null,
})

function toCheck(answer: EligibilityAnswer, payorCode: string, now: Date): EligibilityCheck {
  return {
    status: answer.status,
    payor_code: payorCode,
    plan_name: answer.planName,
    group_number: answer.groupNumber,
    plan_begins: answer.planBegins,
    plan_ends: answer.planEnds,
    benefits: answer.benefits.map((benefit) => ({
      kind: benefit.kind,
      service_type_codes: benefit.serviceTypeCodes,
      coverage_level: benefit.coverageLevelCode,
      amount_cents: benefit.amountCents,
      share: benefit.share,
      period: benefit.period,
      is_in_network: benefit.isInNetwork,
      needs_authorization: benefit.needsAuthorization,
      notes: benefit.notes,
    })),
    rejections: answer.rejections.map(({ code, aaaCode }) => ({
      code,
      aaa_code: aaaCode,
      message: REJECTION_CODES[code],
    })),
    checked_at: formatInstant(now),
  }
}
