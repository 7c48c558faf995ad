import type { ColumnType, Generated } from 'kysely'
import type { FederalCode, PayorProvider } from './payors/payors.schema.ts'
import type { Address, GuarantorDetails, InsuredPerson, Relationship } from './people.schema.ts'

type Json<T> = ColumnType<T, string, string>

export interface PayorsTable {
  id: string
  /** Null for a payor of the installation. */
  environment_id: string | null
  payor_code: string
  name: string
  aliases: string[]
  address: Json<Address>
  external_ids: Json<Partial<Record<PayorProvider, string[]>>>
  federal_code: FederalCode | null
  plan_states: Generated<string[]>
  is_sample: Generated<boolean>
  is_active: Generated<boolean>
  identity: string | null
  search_text: string
  created_at: Date
}

export interface InsurancePoliciesTable {
  environment_id: string
  user_id: string
  id: string
  sequence: Generated<number>
  payor_id: string
  member_id: string
  group_id: string | null
  relationship: Relationship
  insured: Json<InsuredPerson>
  guarantor: ColumnType<GuarantorDetails | null, string | null, string | null>
  is_primary: boolean
  created_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    payors: PayorsTable
    insurance_policies: InsurancePoliciesTable
  }
}
