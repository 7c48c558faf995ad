import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { OrderBody, OrderProblem } from './order-draft.ts'

/** Long enough that not every letter sends a request. */
const PAUSE_MS = 300

/** Validates the order by the server while it is filled in. */
export function useValidation(body: OrderBody) {
  const { key, team } = useEnvironment()
  const text = JSON.stringify(body)
  const [debounced] = useDebouncedValue(text, PAUSE_MS)
  const query = useQuery({
    queryKey: [...key, 'order_validation', debounced],
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.POST('/v3/order/validate', { body: JSON.parse(debounced) as OrderBody, signal }),
      ),
    placeholderData: keepPreviousData,
    // The answer is about a person and is used once.
    gcTime: 0,
  })
  return { ...query, isCurrent: debounced === text && !query.isPlaceholderData }
}

interface WrongField {
  loc: (string | number)[]
  msg: string
  type: string
}

/** Fields of errors that name none. */
const FIELD_OF: Readonly<Record<string, string>> = {
  consents_required: 'consents',
  physician_required: 'physician',
  medical_proxy_required: 'patient_details.dob',
  minor_not_allowed: 'patient_details.dob',
  kit_not_found: 'sample_id',
}

/** Returns the errors of fields of a refused request, in the form of the validation of an order. */
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

/** Parts of the form, with the fields of the request that each fills in. */
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

/** Returns the problems of a part of the form; the last part has those of no other part. */
export function problemsOf(part: PartId, problems: readonly OrderProblem[]): OrderProblem[] {
  const owner = (problem: OrderProblem): PartId =>
    PARTS.find(({ fields }) => fields.includes(topOf(problem)))?.id ?? 'remarks'
  return problems.filter((problem) => owner(problem) === part)
}

/** Types of problems that mean a missing field, as opposed to a wrong one. */
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
