import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSURANCE } from '../../../../server/test/insurance/route-cases.ts'
import { findBodyProblems } from '../../../../server/test/schema-problems.ts'
import { readGuarantor, readInsured } from '../people.ts'
import { InsuranceCreate } from './policies.schema.ts'

const TODAY = '2026-03-01'
const { address } = INSURANCE.insured
const GUARANTOR = {
  first_name: 'Max',
  last_name: 'Moreau',
  phone_number: '+15550100198',
  address: { first_line: '2 Main St', city: 'Phoenix', state: 'AZ', zip: '85004-1234' },
}

const problems = (changes: object) =>
  findBodyProblems<InsuranceCreate>(InsuranceCreate, { ...INSURANCE, ...changes }, (body) => {
    readInsured(body.insured, ['insured'], TODAY)
    if (body.guarantor) readGuarantor(body.guarantor, ['guarantor'])
  })

const insured = (changes: object) => ({ insured: { ...INSURANCE.insured, ...changes } })
const living = (changes: object) => insured({ address: { ...address, ...changes } })
const guaranteed = (changes: object) => ({ guarantor: { ...GUARANTOR, ...changes } })

const REFUSED: [changes: object, place: string, type: string][] = [
  [insured({ first_name: 'Zoë' }), 'insured.first_name', 'string_pattern_mismatch'],
  [insured({ last_name: ' Lee' }), 'insured.last_name', 'string_pattern_mismatch'],
  [insured({ gender: 'none' }), 'insured.gender', 'enum'],
  [insured({ dob: '2999-01-01' }), 'insured.dob', 'date_past'],
  [insured({ dob: '1899-12-31' }), 'insured.dob', 'date_too_early'],
  [insured({ email: 'nowhere' }), 'insured.email', 'email'],
  [insured({ phone_number: '12' }), 'insured.phone_number', 'phone_number'],
  [living({ state: 'ZZ' }), 'insured.address.state', 'enum'],
  [living({ zip: '85005' }), 'insured.address.zip_code', 'zip_mismatch'],
  [living({ zip_code: undefined }), 'insured.address.zip_code', 'missing'],
  [living({ zip_code: '850' }), 'insured.address.zip_code', 'string_pattern_mismatch'],
  [living({ access_notes: 'x'.repeat(1001) }), 'insured.address.access_notes', 'too_long'],
  [living({ country: 'x'.repeat(101) }), 'insured.address.country', 'too_long'],
  [guaranteed({ first_name: 'Lee@Wu' }), 'guarantor.first_name', 'string_pattern_mismatch'],
  [guaranteed({ phone_number: 'at home' }), 'guarantor.phone_number', 'phone_number'],
  [guaranteed({ household_size: -1 }), 'guarantor.household_size', 'greater_than_equal'],
  [{ relationship: 'Child' }, 'relationship', 'enum'],
  [{ member_id: ' ' }, 'member_id', 'string_pattern_mismatch'],
]

test('a policy is refused with the place of everything that is wrong', () => {
  assert.deepEqual(problems({}), [])
  assert.deepEqual(problems({ guarantor: GUARANTOR }), [])
  for (const [changes, ...expected] of REFUSED) assert.deepEqual(problems(changes), [expected])
  for (const field of ['payor_code', 'member_id', 'relationship', 'insured']) {
    assert.deepEqual(problems({ [field]: undefined }), [[field, 'missing']])
  }
})
