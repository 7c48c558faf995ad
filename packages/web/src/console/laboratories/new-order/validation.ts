import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { take } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { OrderBody, OrderProblem } from './order-draft.ts'

/** Long enough that not every letter is asked about. */
const PAUSE_MS = 300

/** What the server would say to the order as it stands, kept up to date while it is filled in. */
export function useValidation(body: OrderBody) {
  const { key, team } = useEnvironment()
  const text = JSON.stringify(body)
  const [asked] = useDebouncedValue(text, PAUSE_MS)
  const query = useQuery({
    queryKey: [...key, 'order_validation', asked],
    queryFn: ({ signal }) =>
      take(team.POST('/v3/order/validate', { body: JSON.parse(asked) as OrderBody, signal })),
    placeholderData: keepPreviousData,
    // It is about a person, and of use once.
    gcTime: 0,
  })
  return { ...query, isCurrent: asked === text && !query.isPlaceholderData }
}

interface WrongField {
  loc: (string | number)[]
  msg: string
  type: string
}

/** Which field a refusal is about that names none. */
const FIELD_OF: Readonly<Record<string, string>> = {
  consents_required: 'consents',
  physician_required: 'physician',
  medical_proxy_required: 'patient_details.dob',
  minor_not_allowed: 'patient_details.dob',
  kit_not_found: 'sample_id',
}

/**
 * What is wrong with the fields of a request that was refused, as the validation of an order tells
 * it.
 */
export function problemsOfRefusal(error: unknown): OrderProblem[] {
  if (!(error instanceof ApiError)) return []
  const { errorType: error_type, message } = error
  const field = FIELD_OF[error_type]
  if (field !== undefined) return [{ field, error_type, message, detail: {} }]
  if (!Array.isArray(error.detail)) return []
  return (error.detail as WrongField[]).map(({ loc, msg, type }) => ({
    field: loc.slice(1).join('.'),
    error_type: type,
    message: msg,
    detail: {},
  }))
}

export type PartId =
  | 'person'
  | 'tests'
  | 'collection'
  | 'patient'
  | 'questions'
  | 'consents'
  | 'payment'
  | 'physician'
  | 'remarks'

/** Parts of the form, with what of a request each of them fills in. */
export const PARTS: readonly { id: PartId; title: string; fields: readonly string[] }[] = [
  { id: 'person', title: 'Person', fields: ['user_id'] },
  {
    id: 'tests',
    title: 'Tests',
    fields: ['order_set', 'lab_account_id', 'recreate_from_order_id', 'update_reason'],
  },
  { id: 'collection', title: 'Collection', fields: ['collection_method'] },
  { id: 'patient', title: 'Patient', fields: ['patient_details', 'patient_address'] },
  { id: 'questions', title: 'Questions of the laboratory', fields: ['aoe_answers'] },
  { id: 'consents', title: 'Consents', fields: ['consents'] },
  { id: 'payment', title: 'Payment', fields: ['billing_type', 'icd_codes', 'health_insurance'] },
  { id: 'physician', title: 'Physician', fields: ['physician'] },
  { id: 'remarks', title: 'Date and notes', fields: [] },
]

const topOf = ({ field }: OrderProblem): string => field.split('.')[0] ?? ''

/** The problems of a part of the form; what belongs to no other part belongs to the last. */
export function problemsOf(part: PartId, problems: readonly OrderProblem[]): OrderProblem[] {
  const owner = (problem: OrderProblem): PartId =>
    PARTS.find(({ fields }) => fields.includes(topOf(problem)))?.id ?? 'remarks'
  return problems.filter((problem) => owner(problem) === part)
}

/** What is not filled in, as opposed to filled in wrongly. */
const OPEN = new Set([
  'missing',
  'order_set_required',
  'collection_method_required',
  'multiple_methods',
  'aoe_required',
  'consents_required',
  'icd_codes_required',
  'insurance_required',
  'physician_required',
  'medical_proxy_required',
  'update_reason_required',
])

export const isOpen = ({ error_type: type }: OrderProblem): boolean => OPEN.has(type)
