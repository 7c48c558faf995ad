import type { components } from '../../api/openapi.generated.d.ts'

export type OrderBody = components['schemas']['OrderCreateOrReplace']
export type OrderProblem = components['schemas']['OrderProblem']
export type OrderDemands = components['schemas']['OrderDemands']
type UserInfo = components['schemas']['UserInfo']
type Order = components['schemas']['Order']

export interface Named<Id> {
  id: Id
  name: string
}

/** Texts of fields; an empty one is left out of the request. */
export type Fields<Name extends string> = Record<Name, string>

export type PatientField =
  | 'first_name'
  | 'last_name'
  | 'dob'
  | 'gender'
  | 'phone_number'
  | 'email'
  | 'race'
  | 'ethnicity'
export type AddressField = 'first_line' | 'second_line' | 'city' | 'state' | 'zip' | 'access_notes'
export type ProxyField =
  | 'first_name'
  | 'last_name'
  | 'phone_number'
  | 'first_line'
  | 'city'
  | 'state'
  | 'zip_code'
export type PhysicianField = 'first_name' | 'last_name' | 'npi' | 'email' | 'licensed_states'

/** An order that is being filled in. It is kept in memory only, because it is about a person. */
export interface OrderDraft {
  person: Named<string> | null
  tests: Named<string>[]
  addOns: Named<number>[]
  method: string
  accountId: string
  patient: Fields<PatientField>
  address: Fields<AddressField>
  proxy: Fields<ProxyField>
  /** Answers by marker and question, `12:34`; several for questions that allow several. */
  answers: Record<string, string[]>
  consents: string[]
  billing: string
  diagnoses: { code: string; description: string }[]
  physician: Fields<PhysicianField>
  priority: boolean
  activateBy: string
  clinicalNotes: string
  notes: string
  passthrough: string
  /** Id of the order to be replaced, with the reason. */
  replaces: string
  reason: string
}

export const NEW_DRAFT: OrderDraft = {
  person: null,
  tests: [],
  addOns: [],
  method: '',
  accountId: '',
  patient: {
    first_name: '',
    last_name: '',
    dob: '',
    gender: '',
    phone_number: '',
    email: '',
    race: '',
    ethnicity: '',
  },
  address: { first_line: '', second_line: '', city: '', state: '', zip: '', access_notes: '' },
  proxy: {
    first_name: '',
    last_name: '',
    phone_number: '',
    first_line: '',
    city: '',
    state: '',
    zip_code: '',
  },
  answers: {},
  consents: [],
  billing: 'client_bill',
  diagnoses: [],
  physician: { first_name: '', last_name: '', npi: '', email: '', licensed_states: '' },
  priority: false,
  activateBy: '',
  clinicalNotes: '',
  notes: '',
  passthrough: '',
  replaces: '',
  reason: '',
}

export type ChangeDraft = (changes: Partial<OrderDraft>) => void

/** Returns the fields that are not empty. */
export const filledFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  )

/** Returns the body of a request that places or validates the order. */
export function toBody(draft: OrderDraft): OrderBody {
  const { proxy, physician } = draft
  const physicianSaid = filledFields(physician)
  const body = {
    ...(draft.person && { user_id: draft.person.id }),
    order_set: toOrderSet(draft),
    ...(draft.method && { collection_method: draft.method }),
    ...(draft.accountId && { lab_account_id: draft.accountId }),
    patient_details: {
      ...filledFields(draft.patient),
      ...(hasText(proxy) && { medical_proxy: toProxy(proxy) }),
    },
    patient_address: { ...filledFields(draft.address), country: 'US' },
    ...(hasText(physician) && {
      physician: { ...physicianSaid, licensed_states: listStates(physician.licensed_states) },
    }),
    ...(Object.keys(draft.answers).length > 0 && { aoe_answers: toAnswers(draft.answers) }),
    consents: draft.consents.map((consentType) => ({ consentType })),
    billing_type: draft.billing,
    icd_codes: draft.diagnoses.map(({ code }) => code),
    priority: draft.priority,
    ...(draft.activateBy && { activate_by: draft.activateBy }),
    ...filledFields({
      clinical_notes: draft.clinicalNotes,
      notes: draft.notes,
      passthrough: draft.passthrough,
    }),
    ...(draft.replaces && {
      recreate_from_order_id: draft.replaces,
      update_reason: draft.reason || null,
    }),
  }
  // Missing fields are reported by the server, field by field.
  return body as OrderBody
}

export const hasText = (fields: Record<string, string>): boolean =>
  Object.values(fields).some((text) => text.trim() !== '')

function toOrderSet({ tests, addOns }: OrderDraft): OrderBody['order_set'] {
  return {
    lab_test_ids: tests.map(({ id }) => id),
    ...(addOns.length > 0 && { add_on: { marker_ids: addOns.map(({ id }) => id) } }),
  }
}

function toProxy({ first_name, last_name, phone_number, ...address }: Fields<ProxyField>) {
  return {
    ...filledFields({ first_name, last_name, phone_number }),
    address: filledFields(address),
  }
}

const listStates = (text: string): string[] => text.toUpperCase().match(/[A-Z]{2}/g) ?? []

function toAnswers(answers: OrderDraft['answers']) {
  return Object.entries(answers).flatMap(([which, texts]) => {
    const [marker, question] = which.split(':')
    return texts
      .filter((answer) => answer.trim() !== '')
      .map((answer) => ({ marker_id: Number(marker), question_id: Number(question), answer }))
  })
}

/** Fills empty fields with the demographics of a person. */
export function fillFromInfo(draft: OrderDraft, info: UserInfo): OrderDraft {
  const { address } = info
  return {
    ...draft,
    patient: fillEmptyFields(draft.patient, { ...info } as Record<string, unknown>),
    address: fillEmptyFields(draft.address, { ...address } as Record<string, unknown>),
  }
}

function fillEmptyFields<Name extends string>(
  fields: Fields<Name>,
  known: Record<string, unknown>,
): Fields<Name> {
  const filled = Object.entries<string>(fields).map(([name, text]) => [
    name,
    text || (typeof known[name] === 'string' ? known[name] : ''),
  ])
  return Object.fromEntries(filled) as Fields<Name>
}

/** Creates a draft from the order that it replaces. */
export function draftFromOrder(order: Order): OrderDraft {
  const { patient_details: patient, patient_address: address } = order
  const name = [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')
  const { lab_test: test } = order
  return {
    ...NEW_DRAFT,
    person: { id: order.user_id, name },
    tests: [{ id: test.id, name: test.name }],
    patient: fillEmptyFields(NEW_DRAFT.patient, { ...patient } as Record<string, unknown>),
    address: fillEmptyFields(NEW_DRAFT.address, { ...address } as Record<string, unknown>),
    billing: order.billing_type,
    diagnoses: (order.icd_codes ?? []).map((code) => ({ code, description: '' })),
    priority: order.priority,
    clinicalNotes: order.clinical_notes ?? '',
    notes: order.notes ?? '',
    passthrough: order.passthrough ?? '',
    replaces: order.id,
  }
}
