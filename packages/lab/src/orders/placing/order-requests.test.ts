import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  orderBody,
  PATIENT_ADDRESS,
  PATIENT_DETAILS,
  SHIPPING_DETAILS,
} from '../../../../server/test/orders/order-bodies.ts'
import { findBodyProblems } from '../../../../server/test/schema-problems.ts'
import { readHealthInsurance } from '../insurance/health-insurance.ts'
import {
  OrderCreate,
  OrderCreateOrReplace,
  OrderImport,
  OrderPatch,
  TestkitOrder,
  TestkitRegistration,
} from '../order-requests.schema.ts'
import { readPatient, readPatientAddress, readPhysician, readShippingAddress } from './people.ts'

/**
 * What bodies of orders are refused for, by their schemas and by the functions that read people and
 * places. That each route has the schema and calls the functions is in the tests of the route.
 */

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const TODAY = '2026-03-01'

function readPeople(body: OrderCreate): void {
  const patient = readPatient(body.patient_details, TODAY)
  readPatientAddress(body.patient_address, patient)
  if (body.physician) readPhysician(body.physician)
  readHealthInsurance(body.health_insurance)
}

const details = (changes: object) => ({ patient_details: { ...PATIENT_DETAILS, ...changes } })
const address = (changes: object) => ({ patient_address: { ...PATIENT_ADDRESS, ...changes } })

describe('an order', () => {
  const problems = (changes: object, schema: object = OrderCreate) =>
    findBodyProblems<OrderCreate>(schema, orderBody(ID, ID, changes), readPeople)

  const malformed: Record<string, [changes: object, place: string, type: string]> = {
    'a name that begins with a blank': [
      details({ first_name: ' Ada' }),
      'patient_details.first_name',
      'string_pattern_mismatch',
    ],
    'a name with an accent': [
      details({ first_name: 'Zoë' }),
      'patient_details.first_name',
      'string_pattern_mismatch',
    ],
    'a name with two blanks': [
      details({ last_name: 'van  Dyk' }),
      'patient_details.last_name',
      'string_pattern_mismatch',
    ],
    'a name of 51 letters': [
      details({ last_name: 'x'.repeat(51) }),
      'patient_details.last_name',
      'too_long',
    ],
    'a birth date in the future': [
      details({ dob: '2999-01-01' }),
      'patient_details.dob',
      'date_past',
    ],
    'a birth date before 1900': [
      details({ dob: '1899-12-31' }),
      'patient_details.dob',
      'date_too_early',
    ],
    'an unknown gender': [details({ gender: 'neither' }), 'patient_details.gender', 'enum'],
    'a phone number of letters': [
      details({ phone_number: 'call me' }),
      'patient_details.phone_number',
      'phone_number',
    ],
    'an address without a known state': [address({ state: 'ZZ' }), 'patient_address.state', 'enum'],
    'an address abroad': [address({ country: 'FR' }), 'patient_address.country', 'enum'],
    'a postal code of four digits': [
      address({ zip: '8500' }),
      'patient_address.zip',
      'string_pattern_mismatch',
    ],
    'access notes over 1000 characters': [
      address({ access_notes: 'x'.repeat(1001) }),
      'patient_address.access_notes',
      'too_long',
    ],
    'clinical notes over 1000 characters': [
      { clinical_notes: 'x'.repeat(1001) },
      'clinical_notes',
      'too_long',
    ],
    'an unknown billing type': [{ billing_type: 'barter' }, 'billing_type', 'enum'],
    'insurance of another person who is not named': [
      { health_insurance: { responsible_relationship: 'Spouse' } },
      'health_insurance.responsible_details',
      'missing',
    ],
    'an image that is not base64': [
      { health_insurance: { front_image: { content: '<jpeg>', content_type: 'image/jpeg' } } },
      'health_insurance.front_image.content',
      'format',
    ],
    'an image of another type': [
      { health_insurance: { front_image: { content: 'AAAA', content_type: 'image/gif' } } },
      'health_insurance.front_image.content_type',
      'enum',
    ],
    'an NPI of nine digits': [
      { physician: { first_name: 'Ines', last_name: 'Park', npi: '123456789' } },
      'physician.npi',
      'npi',
    ],
  }
  for (const [what, [changes, place, type]] of Object.entries(malformed)) {
    test(`is refused for ${what}`, () => {
      assert.deepEqual(problems(changes), [[place, type]])
      assert.deepEqual(problems(changes, OrderCreateOrReplace), [[place, type]])
    })
  }

  test('takes names that laboratories take', () => {
    for (const name of ['Lee', 'Anna-Maria', "O'Neil", 'Dr. Wu', '7of9']) {
      assert.deepEqual(problems(details({ last_name: name })), [], name)
    }
  })
})

test('a registration of a kit is refused for the same people and places', () => {
  const body = { sample_id: '1', ...details({}), ...address({}) }
  const problems = (changes: object) =>
    findBodyProblems<OrderCreate>(TestkitRegistration, { ...body, ...changes }, readPeople)
  assert.deepEqual(problems({}), [])
  const first = 'patient_details.first_name'
  assert.deepEqual(problems(details({ first_name: 'Zoë' })), [[first, 'string_pattern_mismatch']])
  assert.deepEqual(problems(address({ state: 'ZZ' })), [['patient_address.state', 'enum']])
})

test('an order of a kit is refused without a place to send it to', () => {
  const body = { user_id: ID, lab_test_id: ID, shipping_details: SHIPPING_DETAILS }
  const problems = (changes: object) =>
    findBodyProblems<TestkitOrder>(TestkitOrder, { ...body, ...changes }, (given) =>
      readShippingAddress(given.shipping_details),
    )
  const sentTo = (changes: object) => ({ shipping_details: { ...SHIPPING_DETAILS, ...changes } })
  const refused: [changes: object, place: string, type: string][] = [
    [{ shipping_details: null }, 'shipping_details', 'type'],
    [sentTo({ city: undefined }), 'shipping_details.city', 'missing'],
    [sentTo({ zip: '850' }), 'shipping_details.zip', 'string_pattern_mismatch'],
    [sentTo({ state: 'ZZ' }), 'shipping_details.state', 'enum'],
    [sentTo({ phone_number: 'none' }), 'shipping_details.phone_number', 'phone_number'],
    [{ passthrough: 'x'.repeat(2001) }, 'passthrough', 'too_long'],
  ]
  assert.deepEqual(problems({}), [])
  for (const [changes, ...expected] of refused) assert.deepEqual(problems(changes), [expected])
})

test('an imported order is refused without a receiver, a method, a set, a billing or a number', () => {
  const body = {
    user_id: ID,
    billing_type: 'client_bill',
    order_set: { lab_test_ids: [ID] },
    collection_method: 'walk_in_test',
    sample_id: '1',
    ...details({}),
    ...address({}),
  }
  const refusedFields = (changes: object) => {
    const problems = findBodyProblems(OrderImport, { ...body, ...changes })
    return [...new Set(problems.map(([place]) => place))]
  }
  assert.deepEqual(refusedFields({}), [])
  const unnamed = address({ receiver_name: undefined })
  assert.deepEqual(refusedFields(unnamed), ['patient_address.receiver_name'])
  for (const name of ['collection_method', 'order_set', 'billing_type', 'sample_id']) {
    assert.deepEqual(refusedFields({ [name]: null }), [name])
    assert.deepEqual(refusedFields({ [name]: undefined }), [name])
  }
  assert.deepEqual(refusedFields({ sample_id: '' }), ['sample_id'])
})

test('the day of a scheduled order is named, and a day', () => {
  const problems = (body: object) => findBodyProblems(OrderPatch, body)
  assert.deepEqual(problems({ activate_by: null }), [])
  assert.deepEqual(problems({ activate_by: '2026-02-28' }), [])
  assert.deepEqual(problems({}), [['activate_by', 'missing']])
  for (const activate_by of ['soon', '2026-02-30']) {
    const [[place] = ['']] = problems({ activate_by })
    assert.equal(place, 'activate_by', activate_by)
  }
})
