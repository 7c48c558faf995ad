import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBodyProblems } from '../../../server/test/schema-problems.ts'
import { BookingRequest, USAddressInput, VisitRequest } from './booking.schema.ts'
import { requireVisitAddress } from './booking-rules.ts'
import { refuseAsyncFields } from './commands/async-fields.ts'

/** What bodies of bookings are refused for; the tests of the routes have one case of each. */

const SYNC = 'sync_confirmation_timeout_millisecond'
const ASYNC = 'async_confirmation_timeout_millisecond'
const body = { booking_key: 'key' }
const ADDRESS = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' }

test('notes of a booking are at most 1000 characters, and its key is given', () => {
  const problems = (given: object) => findBodyProblems(BookingRequest, given)
  assert.deepEqual(problems({ ...body, appointment_notes: 'x'.repeat(1000) }), [])
  const long = { ...body, appointment_notes: 'x'.repeat(1001) }
  assert.deepEqual(problems(long), [['appointment_notes', 'too_long']])
  assert.deepEqual(problems({}), [['booking_key', 'missing']])
})

test('times to wait for a confirmation have bounds', () => {
  const problems = (given: object) =>
    findBodyProblems(BookingRequest, { ...body, async_confirmation: true, ...given })
  for (const [name, least, most] of [
    [SYNC, 1000, 10_000],
    [ASYNC, 60_000, 172_800_000],
  ] as const) {
    assert.deepEqual(problems({ [name]: least }), [])
    assert.deepEqual(problems({ [name]: most }), [])
    assert.deepEqual(problems({ [name]: least - 1 }), [[name, 'greater_than_equal']])
    assert.deepEqual(problems({ [name]: most + 1 }), [[name, 'less_than_equal']])
  }
})

test('a booking that is answered at once has no times to wait, and is not confirmed later', () => {
  const problems = (given: object) =>
    findBodyProblems<BookingRequest>(BookingRequest, { ...body, ...given }, refuseAsyncFields)
  assert.deepEqual(problems({ [SYNC]: null, [ASYNC]: null }), [])
  for (const given of [{ async_confirmation: true }, { [SYNC]: 2000 }, { [ASYNC]: 60_000 }]) {
    assert.deepEqual(problems(given), [[Object.keys(given)[0], 'extra_forbidden']])
  }
})

test('a visit is at an address whose state is one, and whose street has a number', () => {
  const refused: [changes: object, field: string, type: string][] = [
    [{ state: 'Arizona' }, 'state', 'enum'],
    [{ state: 'ZZ' }, 'state', 'enum'],
    [{ first_line: 'Main St' }, 'first_line', 'street_number'],
  ]
  for (const [changes, field, type] of refused) {
    const address = { ...ADDRESS, ...changes }
    const ofSlots = findBodyProblems<USAddressInput>(USAddressInput, address, (given) =>
      requireVisitAddress(given, []),
    )
    assert.deepEqual(ofSlots, [[field, type]])
    const request = { address, provider: 'phlebfinders' }
    const ofVisit = findBodyProblems<VisitRequest>(VisitRequest, request, (given) =>
      requireVisitAddress(given.address, ['address']),
    )
    assert.deepEqual(ofVisit, [[`address.${field}`, type]])
  }
})
