import assert from 'node:assert/strict'
import { PATIENT_ADDRESS, PATIENT_DETAILS } from '../orders/order-bodies.ts'
import { allResults } from '../results/lipid-reports.ts'
import type { FhirFixture } from './fhir-fixture.ts'

/** Three people with orders, reports of several days, wearables, devices and appointments. */
export async function makeSearchedPeople(fixture: FhirFixture): Promise<string[]> {
  const people = [
    await fixture.makePatient(),
    await fixture.makePatient({ first_name: 'Grace', last_name: 'Okafor', dob: '1985-11-02' }),
    await fixture.makePatient({ first_name: 'Adam', last_name: 'Moreno', gender: 'male' }),
  ]
  for (const [index, person] of people.entries()) {
    for (const day of [`2026-02-1${index}`, `2026-02-2${index}`]) {
      const collected_at = { timestamp: `${day}T15:00:00Z`, timezone_offset: 0 }
      const results = allResults().map((one, position) => ({
        ...one,
        timestamp: `${day}T1${position % 10}:00:00Z`,
      }))
      await fixture.makeReport(person, { collected_at, results })
      fixture.clock.advance(3_600)
    }
    await uploadSamples(fixture, person)
  }
  await bookVisit(fixture, people[0] ?? '')
  await bookVisit(fixture, people[1] ?? '')
  return people
}

async function uploadSamples(fixture: FhirFixture, person: string): Promise<void> {
  const connected = await fixture.call('POST', '/v2/link/provider/manual/manual', {
    user_id: person,
  })
  assert.equal(connected.status, 200, connected.text)
  const series = {
    heartrate: { unit: 'bpm', value: 61 },
    steps: { unit: 'count', value: 250 },
    body_weight: { unit: 'kg', value: 70 },
  }
  for (const [name, { unit, value }] of Object.entries(series)) {
    const data = [1, 2, 3].map((day) => ({
      start_date: `2026-02-0${day}T08:00:00Z`,
      end_date: `2026-02-0${day}T08:${name === 'steps' ? '15' : '00'}:00Z`,
      value: value + day,
      unit,
      type: 'watch',
      product_type: 'Watch7,5',
    }))
    const body = { stage: 'daily', provider: 'manual', data }
    const answer = await fixture.call('POST', `/v2/timeseries/${person}/${name}`, body)
    assert.ok(answer.status < 300, `${name}: ${answer.text}`)
  }
}

/** Books the first visit that a phlebotomist offers for an order. */
async function bookVisit(fixture: FhirFixture, person: string): Promise<void> {
  const { body: tests } = await fixture.call('GET', '/v3/lab_test')
  const test = tests.data.find(
    ({ name, method }: { name: string; method: string }) =>
      name.startsWith('Starter ') && method === 'at_home_phlebotomy',
  )
  const placed = await fixture.call('POST', '/v3/order', {
    user_id: person,
    order_set: { lab_test_ids: [test.id] },
    patient_details: PATIENT_DETAILS,
    patient_address: { ...PATIENT_ADDRESS, zip: '85003' },
  })
  assert.equal(placed.status, 200, placed.text)
  const { id } = placed.body.order
  const accepted = '?final_status=received.at_home_phlebotomy.requisition_created'
  await fixture.call('POST', `/v3/order/${id}/test${accepted}`)
  const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85003' }
  const offered = await fixture.call(
    'POST',
    '/v3/order/phlebotomy/appointment/availability',
    address,
  )
  const key = offered.body.slots
    .flatMap(({ slots }: { slots: { booking_key: string | null }[] }) => slots)
    .find(({ booking_key }: { booking_key: string | null }) => booking_key !== null).booking_key
  const booked = await fixture.call('POST', `/v3/order/${id}/phlebotomy/appointment/book`, {
    booking_key: key,
  })
  assert.equal(booked.status, 200, booked.text)
}
