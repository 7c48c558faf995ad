import { findUserInfo, findUserReference, holdUserReference } from '@salus/accounts/users'
import type { RequisitionInsurance } from '@salus/contracts/lab-gateway'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import { isUuid, newId } from '@salus/kernel/ids'
import {
  environmentNow,
  type RowScope,
  type Scope,
  type TransactionScope,
} from '@salus/kernel/scope'
import { dateAtOffset, formatInstant } from '@salus/kernel/time/instants'
import { getPayorOfPolicy, type PayorRow } from '../payors/payors.repository.ts'
import { getPayor } from '../payors/payors.service.ts'
import type { GuarantorDetails, InsuredPerson, Relationship } from '../people.schema.ts'
import { readGuarantor, readInsured } from '../people.ts'
import type { PolicyRow } from './policies.repository.ts'
import * as repository from './policies.repository.ts'
import type {
  Insurance,
  InsuranceCreate,
  InsuranceList,
  InsuranceListQuery,
} from './policies.schema.ts'

/**
 * Adds a policy of a person (docs/contract/15-insurance.md#post-v2useruser_idinsurance).
 * @throws AppError 404 `user_not_found`, `payor_not_found`; 400 `demographics_required`,
 *   `guarantor_required`; InputError 422 for invalid people and addresses
 */
export function createInsurance(
  scope: Scope,
  userId: string,
  input: InsuranceCreate,
): Promise<Insurance> {
  return scope.transaction(async (tx) => {
    const today = dateAtOffset(environmentNow(tx).getTime(), 0)
    const insured = readInsured(input.insured, ['insured'], today)
    const guarantor = input.guarantor ? readGuarantor(input.guarantor, ['guarantor']) : null
    const user = isUuid(userId) ? await holdUserReference(tx, userId) : undefined
    if (user === undefined) throw notFoundCode('user_not_found')
    const info = await findUserInfo(tx, user.id)
    if (info === undefined) {
      throw badRequest('demographics_required', 'The demographics of the user are not known.')
    }
    const { payor_code, member_id, group_id = null, relationship, is_primary } = input
    if (relationship !== 'Self' && guarantor === null) {
      const message = 'A guarantor is required unless relationship is Self.'
      throw badRequest('guarantor_required', message)
    }
    const { state } = info.address
    const given = { payor_code, member_id, group_id, relationship, insured, guarantor, is_primary }
    return showInsurance(tx, await addPolicy(tx, user.id, { ...given, state }))
  })
}

export interface PolicyInput {
  payor_code: string
  /** State of the patient, which selects the plan of a federal program. */
  state: string
  member_id: string
  group_id: string | null
  relationship: Relationship
  insured: InsuredPerson
  guarantor: GuarantorDetails | null
  is_primary: boolean
}

/** Stores a policy whose people were checked. @throws AppError 404 `payor_not_found` */
export async function addPolicy(
  tx: TransactionScope,
  userId: string,
  input: PolicyInput,
): Promise<PolicyRow> {
  const payor = await getPayor(tx, input.payor_code, input.state)
  return repository.insertPolicy(tx, {
    id: newId(),
    user_id: userId,
    payor_id: payor.id,
    member_id: input.member_id,
    group_id: input.group_id,
    relationship: input.relationship,
    insured: JSON.stringify(input.insured),
    guarantor: input.guarantor && JSON.stringify(input.guarantor),
    is_primary: input.is_primary,
    created_at: environmentNow(tx),
  })
}

/**
 * Returns the newest policy of a person.
 * @throws AppError 404 `user_not_found`, `insurance_not_found`
 */
export async function getLatestInsurance(
  scope: Scope,
  userId: string,
  isPrimary: boolean,
): Promise<Insurance> {
  const user = isUuid(userId) ? await findUserReference(scope, userId) : undefined
  if (user === undefined) throw notFoundCode('user_not_found')
  const policy = await repository.findNewestPolicy(scope, user.id, isPrimary)
  if (policy === undefined) throw notFoundCode('insurance_not_found')
  return showInsurance(scope, policy)
}

const PAGES = new KeysetPages({ sequence: integerKey() })

/**
 * Returns a page of a person's policies, newest first.
 * @throws AppError 404 `user_not_found`, 400 `invalid_cursor`
 */
export async function listInsurance(
  scope: Scope,
  userId: string,
  { limit, next_cursor: cursor }: InsuranceListQuery,
): Promise<InsuranceList> {
  const user = isUuid(userId) ? await findUserReference(scope, userId) : undefined
  if (user === undefined) throw notFoundCode('user_not_found')
  const about = ['insurance', scope.environment.id, user.id]
  const before = PAGES.read(about, cursor)?.sequence ?? null
  const found = await repository.listPolicies(scope, user.id, { before, limit: limit + 1 })
  const billed = await findBillingPolicy(scope, user.id)
  const { page, nextCursor } = PAGES.cut(about, found, limit, (policy) => ({
    sequence: Number(policy.sequence),
  }))
  const data = await Promise.all(
    page.map(async (policy) => ({
      id: policy.id,
      ...(await showInsurance(scope, policy)),
      is_billed: policy.id === billed?.id,
      created_at: formatInstant(policy.created_at),
    })),
  )
  return { data, next_cursor: nextCursor }
}

/** Returns the policy that an insurer is billed with: the newest primary one of a person. */
export function findBillingPolicy(scope: RowScope, userId: string): Promise<PolicyRow | undefined> {
  return repository.findNewestPolicy(scope, userId, true)
}

/** Returns the wire object of a policy (docs/contract/15-insurance.md#insurance). */
async function showInsurance(scope: RowScope, policy: PolicyRow): Promise<Insurance> {
  return toInsurance(policy, await getPayorOfPolicy(scope, policy.payor_id))
}

function toInsurance(policy: PolicyRow, payor: PayorRow): Insurance {
  return {
    member_id: policy.member_id,
    payor_code: payor.payor_code,
    relationship: policy.relationship,
    insured: policy.insured,
    company: { name: payor.name, address: payor.address },
    group_id: policy.group_id,
    guarantor: policy.guarantor,
    is_primary: policy.is_primary,
  }
}

/** Returns whether a policy is the primary one of its person, and Medicare pays for it. */
export async function isMedicarePolicy(scope: RowScope, policyId: string): Promise<boolean> {
  const policy = await repository.findPolicy(scope, policyId)
  if (policy === undefined || !policy.is_primary) return false
  return (await getPayorOfPolicy(scope, policy.payor_id)).federal_code === 'MEDFED'
}

/** Returns a policy with its payor for billing; undefined when it was erased with its person. */
export async function findPolicy(
  scope: RowScope,
  policyId: string,
): Promise<RequisitionInsurance | undefined> {
  const policy = await repository.findPolicy(scope, policyId)
  if (policy === undefined) return undefined
  const payor = await getPayorOfPolicy(scope, policy.payor_id)
  return { ...toInsurance(policy, payor), payor_ids: payor.external_ids }
}
