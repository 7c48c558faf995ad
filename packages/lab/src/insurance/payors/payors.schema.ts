import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Address, AddressInput } from '../people.schema.ts'

/** Payors (docs/contract/15-insurance.md#payor). */

/** Clearing houses and similar providers whose ids of payors are known. */
export const PAYOR_PROVIDERS = [
  'change_healthcare',
  'availity',
  'stedi',
  'waystar',
  'claim_md',
  'apero',
  'pverify',
] as const
export type PayorProvider = (typeof PAYOR_PROVIDERS)[number]

const PAYOR_SOURCES = ['platform', 'team'] as const

/** Federal programs, Medicare and Medicaid, which stand for the plan of the patient's state. */
export const FEDERAL_CODES = ['MEDFED', 'MAIDFED'] as const
export type FederalCode = (typeof FEDERAL_CODES)[number]

/** Search text, limited to the length that the search uses. */
const Searched = Type.Optional(Nullable(Type.String({ maxLength: 200 })))
const Provider = Type.Optional(Nullable(TextEnum(PAYOR_PROVIDERS)))

const shownFields = {
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  org_address: Address,
  source: TextEnum(PAYOR_SOURCES),
}

export const Payor = Type.Object({ payor_code: Type.String(), ...shownFields }, { title: 'Payor' })
export type Payor = Type.Static<typeof Payor>

export const PayorQuery = Type.Object({
  insurance_name: Searched,
  provider: Provider,
  provider_payor_id: Searched,
})
export type PayorQuery = Type.Static<typeof PayorQuery>

/** Request of the deprecated search. */
export const PayorSearch = Type.Object(
  { insurance_name: Searched, provider: Provider, provider_id: Searched },
  { title: 'PayorSearch', deprecated: true },
)
export type PayorSearch = Type.Static<typeof PayorSearch>

/** Result of the deprecated search. */
export const PayorSearchResult = Type.Object(
  { code: Type.String({ description: 'Same value as `payor_code`.' }), ...shownFields },
  { title: 'PayorSearchResult', deprecated: true },
)
export type PayorSearchResult = Type.Static<typeof PayorSearchResult>

export const PayorCreate = Type.Object(
  {
    name: Type.String({ maxLength: 200, pattern: '\\S' }),
    address: AddressInput,
    provider: Provider,
    provider_payor_id: Type.Optional(Nullable(Type.String({ maxLength: 200, pattern: '\\S' }))),
  },
  { title: 'PayorCreate' },
)
export type PayorCreate = Type.Static<typeof PayorCreate>
