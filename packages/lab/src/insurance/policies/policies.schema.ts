import { DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import {
  Address,
  GuarantorDetails,
  GuarantorInput,
  InsuredPerson,
  InsuredPersonInput,
  RELATIONSHIPS,
} from '../people.schema.ts'

/** Insurance of users (docs/contract/15-insurance.md#insurance). */

export const MEMBER_ID_LENGTH = 100

export const InsuranceCreate = Type.Object(
  {
    payor_code: Type.String({ minLength: 1, maxLength: 100 }),
    member_id: Type.String({ pattern: '\\S', maxLength: MEMBER_ID_LENGTH }),
    group_id: Type.Optional(Nullable(Type.String({ maxLength: MEMBER_ID_LENGTH }))),
    relationship: TextEnum(RELATIONSHIPS),
    insured: InsuredPersonInput,
    guarantor: Type.Optional(Nullable(GuarantorInput)),
    is_primary: Type.Boolean({ default: true }),
  },
  { title: 'InsuranceCreate' },
)
export type InsuranceCreate = Type.Static<typeof InsuranceCreate>

export const CompanyDetails = Type.Object(
  { name: Type.String(), address: Address },
  { title: 'CompanyDetails' },
)

export const Insurance = Type.Object(
  {
    member_id: Type.String(),
    payor_code: Type.String(),
    relationship: TextEnum(RELATIONSHIPS),
    insured: InsuredPerson,
    company: CompanyDetails,
    group_id: Nullable(Type.String()),
    guarantor: Nullable(GuarantorDetails),
    is_primary: Type.Boolean(),
  },
  { title: 'Insurance' },
)
export type Insurance = Type.Static<typeof Insurance>

export const InsuranceListQuery = Type.Object({
  ...pageQuery(100),
})
export type InsuranceListQuery = Type.Static<typeof InsuranceListQuery>

export const StoredInsurance = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Id of the insurance, which orders carry as `health_insurance_id`.',
    }),
    ...Insurance.properties,
    is_billed: Type.Boolean({
      description:
        'Whether new orders are billed to this insurance, which is the newest primary one.',
    }),
    created_at: DateTime,
  },
  { title: 'StoredInsurance' },
)

export const InsuranceList = Type.Object(
  { data: Type.Array(StoredInsurance), next_cursor: Nullable(Type.String()) },
  { title: 'InsuranceList' },
)
export type InsuranceList = Type.Static<typeof InsuranceList>
