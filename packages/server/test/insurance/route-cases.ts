import type { RouteCase } from '../route-cases.ts'
import { makeOrderFile } from './diagnosis-codes.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const

/** Insurance with a payor that sandboxes have. */
export const INSURANCE = {
  payor_code: 'SAMPLE-10007',
  member_id: 'W123456789',
  group_id: 'G-77',
  relationship: 'Self',
  insured: {
    first_name: 'Ada',
    last_name: 'Moreau',
    gender: 'Female',
    dob: '1990-04-12',
    email: 'ada.moreau@example.com',
    phone_number: '(555) 010-0199',
    address: { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' },
  },
}

export const INSURANCE_CASES: readonly RouteCase[] = [
  { method: 'POST', path: '/v2/user/{user_id}/insurance', body: () => INSURANCE, ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/insurance', ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/insurance/latest', ...theirs },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/insurance/eligibility',
    body: () => ({ service_type_codes: ['5', '30'] }),
    ...theirs,
  },
  {
    method: 'GET',
    path: '/v3/insurance/search/payor',
    query: () => ({ insurance_name: 'aetna' }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v3/insurance/search/payor',
    body: () => ({ provider: 'availity', provider_id: '60054' }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v3/payor',
    body: () => ({ name: 'Desert Mutual', address: INSURANCE.insured.address }),
    ...own,
  },
  {
    method: 'GET',
    path: '/v3/insurance/search/diagnosis',
    query: () => ({ diagnosis_query: 'diabetes' }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v3/insurance/validate_icd_codes',
    body: () => ({ codes: ['E11.9', 'I10', 'nonsense'] }),
    ...own,
  },
]

/** What operators do with a management key. */
export const INSURANCE_OPERATOR_CASES: readonly RouteCase[] = [
  {
    method: 'PUT',
    path: '/v1/payors',
    query: () => ({ dry_run: 'true' }),
    body: () => ({
      csv: 'payor_code,name,first_line,city,state,zip\n10,Ten,1 Main St,Phoenix,AZ,85004',
    }),
    // The list is the installation's: only its operator loads it.
    stranger: 'forbidden',
  },
  {
    method: 'PUT',
    path: '/v1/diagnosis_codes',
    query: () => ({ dry_run: 'true' }),
    body: () => ({ order_file: makeOrderFile([['I10', true, 'Essential hypertension']]) }),
    stranger: 'forbidden',
  },
]
