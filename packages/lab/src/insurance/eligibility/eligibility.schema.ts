import { BENEFIT_KINDS, REJECTION_CODES, type RejectionCode } from '@salus/contracts/lab-partners'
import { DateOnly, DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Checks of eligibility (docs/contract/15-insurance.md#eligibilitycheck). */

const NullableString = Nullable(Type.String())
const NullableBoolean = Nullable(Type.Boolean())

/** X12 service type codes have one or two letters or digits. */
const ServiceTypeCodes = Type.Array(Type.String({ pattern: '^[A-Z0-9]{1,2}$' }), {
  minItems: 1,
  maxItems: 10,
  default: ['5'],
  description:
    'X12 codes of the types of services; `5` is diagnostic laboratory, `30` the plan in general.',
})

export const EligibilityRequest = Type.Object(
  {
    insurance_id: Type.Optional(
      Nullable(
        Type.String({
          format: 'uuid',
          description: 'Id of stored insurance of the user; by default the one that is billed.',
        }),
      ),
    ),
    service_type_codes: ServiceTypeCodes,
    date_of_service: Type.Optional(
      Nullable(
        Type.String({ format: 'date', description: 'Day of the service; by default today.' }),
      ),
    ),
  },
  { title: 'EligibilityRequest' },
)
export type EligibilityRequest = Type.Static<typeof EligibilityRequest>

const Benefit = Type.Object(
  {
    kind: TextEnum(Object.values(BENEFIT_KINDS)),
    service_type_codes: Type.Array(Type.String(), {
      description: 'X12 codes of the types of services; empty for all of them.',
    }),
    coverage_level: Nullable(
      Type.String({
        description: 'X12 code, such as `IND` for the individual and `FAM` for the family.',
      }),
    ),
    amount_cents: Nullable(Type.Integer({ description: 'US cents.' })),
    share: Nullable(
      Type.Number({
        description: 'Share from 0 to 1; of a co-insurance what the patient pays.',
      }),
    ),
    period: Nullable(Type.String({ description: 'Period of the benefit, in words of the payor.' })),
    is_in_network: NullableBoolean,
    needs_authorization: NullableBoolean,
    notes: Type.Array(Type.String(), { description: 'Messages of the payor.' }),
  },
  { title: 'EligibilityBenefit' },
)

const Rejection = Type.Object(
  {
    code: TextEnum(Object.keys(REJECTION_CODES) as RejectionCode[]),
    aaa_code: Nullable(Type.String({ description: 'Code of the X12 271.' })),
    message: Type.String(),
  },
  { title: 'EligibilityRejection' },
)

export const EligibilityCheck = Type.Object(
  {
    status: TextEnum(['active', 'inactive', 'unknown']),
    payor_code: Type.String(),
    plan_name: NullableString,
    group_number: NullableString,
    plan_begins: Nullable(DateOnly),
    plan_ends: Nullable(DateOnly),
    benefits: Type.Array(Benefit, { description: 'Benefits of the requested services.' }),
    rejections: Type.Array(Rejection, {
      description: 'Reasons for which the payor did not answer; then the status is `unknown`.',
    }),
    checked_at: DateTime,
  },
  { title: 'EligibilityCheck' },
)
export type EligibilityCheck = Type.Static<typeof EligibilityCheck>
