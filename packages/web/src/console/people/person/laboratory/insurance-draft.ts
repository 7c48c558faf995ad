import type { components } from '../../../api/openapi.generated.d.ts'

type Policy = components['schemas']['StoredInsurance']
type Demographics = components['schemas']['UserInfo']
type PolicyInput = components['schemas']['InsuranceCreate']

export const RELATIONSHIPS = ['Self', 'Spouse', 'Other'] as const
export const GENDERS = ['female', 'male', 'other', 'unknown'] as const

/** A person of a policy as the form has them; missing texts are empty. */
export interface DraftPerson {
  first_name: string
  last_name: string
  gender: string
  dob: string
  email: string
  phone_number: string
  first_line: string
  second_line: string
  city: string
  state: string
  zip_code: string
  country: string
  household_income: string
  household_size: string
}

/** A policy while it is filled in. */
export interface PolicyDraft {
  payor: { code: string; name: string } | undefined
  member_id: string
  group_id: string
  relationship: (typeof RELATIONSHIPS)[number]
  is_primary: boolean
  insured: DraftPerson
  /** Whether a guarantor is given although the person holds the policy. */
  hasGuarantor: boolean
  guarantor: DraftPerson
}

const EMPTY_PERSON: DraftPerson = {
  ...{ first_name: '', last_name: '', gender: '', dob: '', email: '', phone_number: '' },
  ...{ first_line: '', second_line: '', city: '', state: '', zip_code: '', country: 'US' },
  ...{ household_income: '', household_size: '' },
}

interface KnownAddress {
  first_line: string
  second_line?: string | null
  city: string
  state: string
  zip: string
  country: string
}

interface KnownPerson {
  first_name: string
  last_name: string
  email?: string | null
  phone_number: string
  address: KnownAddress
  gender?: string
  dob?: string
  household_income?: number | null
  household_size?: number | null
}

function toDraftPerson(known: KnownPerson): DraftPerson {
  const { address } = known
  return {
    first_name: known.first_name,
    last_name: known.last_name,
    gender: known.gender?.toLowerCase() ?? '',
    dob: known.dob ?? '',
    email: known.email ?? '',
    phone_number: known.phone_number,
    first_line: address.first_line,
    second_line: address.second_line ?? '',
    city: address.city,
    state: address.state,
    zip_code: address.zip,
    country: address.country,
    household_income: known.household_income?.toString() ?? '',
    household_size: known.household_size?.toString() ?? '',
  }
}

/** Returns an empty policy of a person, with what their demographics say. */
export function newDraft(demographics: Demographics | null): PolicyDraft {
  return {
    ...{ payor: undefined, member_id: '', group_id: '', relationship: 'Self', is_primary: true },
    insured: demographics === null ? EMPTY_PERSON : toDraftPerson(demographics as KnownPerson),
    ...{ hasGuarantor: false, guarantor: EMPTY_PERSON },
  }
}

/** Returns a policy with the fields of a stored one. */
export function draftOf(policy: Policy): PolicyDraft {
  return {
    payor: { code: policy.payor_code, name: policy.company.name },
    member_id: policy.member_id,
    group_id: policy.group_id ?? '',
    relationship: policy.relationship,
    is_primary: policy.is_primary,
    insured: toDraftPerson(policy.insured),
    hasGuarantor: policy.guarantor !== null,
    guarantor: policy.guarantor === null ? EMPTY_PERSON : toDraftPerson(policy.guarantor),
  }
}

/** Whether the API needs a guarantor. */
export const needsGuarantor = ({ relationship }: PolicyDraft): boolean => relationship !== 'Self'

const toAddress = (person: DraftPerson) => ({
  first_line: person.first_line.trim(),
  second_line: person.second_line.trim() || null,
  city: person.city.trim(),
  state: person.state,
  zip_code: person.zip_code.trim(),
  country: person.country,
})

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Returns the request of a policy (docs/contract/15-insurance.md). */
export function toInput(draft: PolicyDraft): PolicyInput {
  const { insured, guarantor } = draft
  return {
    payor_code: draft.payor?.code ?? '',
    member_id: draft.member_id.trim(),
    group_id: draft.group_id.trim() || null,
    relationship: draft.relationship,
    is_primary: draft.is_primary,
    insured: {
      first_name: insured.first_name.trim(),
      last_name: insured.last_name.trim(),
      gender: insured.gender,
      dob: insured.dob,
      email: insured.email.trim(),
      phone_number: insured.phone_number.trim(),
      address: toAddress(insured),
    },
    guarantor:
      needsGuarantor(draft) || draft.hasGuarantor
        ? {
            first_name: guarantor.first_name.trim(),
            last_name: guarantor.last_name.trim(),
            phone_number: guarantor.phone_number.trim(),
            email: guarantor.email.trim() || null,
            household_income: toNumber(guarantor.household_income),
            household_size: toNumber(guarantor.household_size),
            address: toAddress(guarantor),
          }
        : null,
  }
}

const OPTIONAL = new Set(['second_line', 'household_income', 'household_size'])
const ONLY_OF_INSURED = new Set(['gender', 'dob'])
const IN_ADDRESS = new Set(['first_line', 'second_line', 'city', 'state', 'zip_code', 'country'])

/** Returns the path of a field in messages of the API. */
export const pathOf = (role: 'insured' | 'guarantor', field: keyof DraftPerson): string =>
  `${role}.${IN_ADDRESS.has(field) ? 'address.' : ''}${field}`

/** Returns the messages of fields that are missing, by path, before anything is sent. */
export function findMissing(draft: PolicyDraft): Record<string, string> {
  const missing: Record<string, string> = {}
  const need = (path: string, text: string): void => {
    if (text.trim() === '') missing[path] = 'This field is required.'
  }
  need('payor_code', draft.payor?.code ?? '')
  need('member_id', draft.member_id)
  const roles = needsGuarantor(draft) || draft.hasGuarantor ? ROLES : (['insured'] as const)
  for (const role of roles) {
    for (const [field, value] of Object.entries(draft[role])) {
      const isOfOther = role === 'guarantor' && ONLY_OF_INSURED.has(field)
      const mayLack = OPTIONAL.has(field) || (role === 'guarantor' && field === 'email')
      if (!isOfOther && !mayLack) need(pathOf(role, field as keyof DraftPerson), value)
    }
  }
  return missing
}

const ROLES = ['insured', 'guarantor'] as const
