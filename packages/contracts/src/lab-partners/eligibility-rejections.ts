/** Reasons for which a payor rejects a question, as the API names them, with the remedy. */
export const REJECTION_CODES = {
  payor_unavailable: 'The payor does not answer at the moment. Check again later.',
  payor_not_reachable: 'The clearing house does not reach the payor under its id.',
  provider_not_authorized: 'The payor does not know the provider, or does not answer it.',
  service_not_supported: 'The payor does not answer about this type of service.',
  date_of_service_invalid: 'The payor does not answer about this date of service.',
  member_id_invalid: 'The payor does not know the member id, or it is missing.',
  name_mismatch: 'The payor has another name for the person.',
  birth_date_mismatch: 'The payor has another birth date for the person.',
  gender_mismatch: 'The payor has another gender for the person.',
  person_not_found: 'The payor does not find the person in its data.',
  person_ambiguous: 'The payor finds more than one person. Give more data.',
  person_not_covered: 'The person is not covered by a plan that the payor answers about.',
  rejected: 'The payor rejected the question for another reason.',
} as const
export type RejectionCode = keyof typeof REJECTION_CODES

/** A reason for which a payor rejected a question. */
export interface Rejection {
  code: RejectionCode
  /** AAA03 of the X12 271, such as `75`; null when the partner gave none. */
  aaaCode: string | null
}

/** Codes of AAA03 (X12 005010X279A1). */
const BY_AAA_CODE = new Map<string, RejectionCode>(
  Object.entries({
    '04': 'payor_not_reachable',
    '15': 'rejected',
    '33': 'rejected',
    '41': 'provider_not_authorized',
    '42': 'payor_unavailable',
    '43': 'provider_not_authorized',
    '44': 'provider_not_authorized',
    '45': 'provider_not_authorized',
    '46': 'provider_not_authorized',
    '47': 'provider_not_authorized',
    '48': 'provider_not_authorized',
    '49': 'provider_not_authorized',
    '50': 'provider_not_authorized',
    '51': 'provider_not_authorized',
    '52': 'date_of_service_invalid',
    '53': 'service_not_supported',
    '54': 'service_not_supported',
    '57': 'date_of_service_invalid',
    '58': 'birth_date_mismatch',
    '60': 'birth_date_mismatch',
    '61': 'date_of_service_invalid',
    '62': 'date_of_service_invalid',
    '63': 'date_of_service_invalid',
    '64': 'member_id_invalid',
    '65': 'name_mismatch',
    '66': 'gender_mismatch',
    '67': 'person_not_found',
    '68': 'person_ambiguous',
    '69': 'service_not_supported',
    '70': 'gender_mismatch',
    '71': 'birth_date_mismatch',
    '72': 'member_id_invalid',
    '73': 'name_mismatch',
    '74': 'gender_mismatch',
    '75': 'person_not_found',
    '76': 'person_ambiguous',
    '77': 'person_not_found',
    '78': 'person_not_covered',
    '79': 'payor_not_reachable',
    '80': 'payor_unavailable',
    '98': 'service_not_supported',
  }),
)

/** Returns the rejection of an AAA code; `rejected` for an unknown one. */
export function rejectionOf(aaaCode: string | null): Rejection {
  return { code: BY_AAA_CODE.get(aaaCode ?? '') ?? 'rejected', aaaCode }
}
