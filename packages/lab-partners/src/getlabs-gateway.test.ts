import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { ProviderUnavailable, type Visit } from '@salus/contracts/lab-gateway'
import type { PartnerFailure } from '@salus/contracts/lab-partners'
import { Secret } from '@salus/kernel/crypto/credential-store'
import type { PartnerFaultKind } from '@salus/sandbox/partners'
import { openEmulatedPartners } from '../test/emulated-partners.ts'
import { createGetlabsGateway } from './getlabs-gateway.ts'

const { emulator, clock, urlOf, send } = await openEmulatedPartners()
const failures: PartnerFailure[] = []
const open = (secret = 'sandbox-secret') =>
  createGetlabsGateway(
    { clientId: 'sandbox', secret: new Secret(secret), url: urlOf('getlabs') },
    send,
    { clock, onFailure: (failure) => failures.push(failure) },
  )
const gateway = open()
const environmentId = randomUUID()
const PHOENIX = { kind: 'area', zip: '85004', timeZone: 'America/Phoenix' } as const

/** A free slot of its own for each test. */
let nextDay = 0
async function freeSlot() {
  const startDate = new Date(Date.UTC(2026, 3, ++nextDay)).toISOString().slice(0, 10)
  const search = { environmentId, now: clock.now(), place: PHOENIX, startDate, days: 1 }
  const slot = (await gateway.listSlots(search))[0]?.slots[0]
  assert.ok(slot)
  return slot
}

const visitOf = (changes: Partial<Visit> = {}): Visit => ({
  environmentId,
  appointmentId: randomUUID(),
  place: PHOENIX,
  address: {
    first_line: '1 Main St',
    second_line: null,
    city: 'Phoenix',
    state: 'AZ',
    zip_code: '85004',
    access_notes: 'Blue door',
  },
  patient: {
    first_name: 'Ada',
    last_name: 'Moreau',
    dob: '1990-04-12',
    gender: 'female',
    phone_number: '+15550100199',
    email: 'ada@example.com',
  },
  requisitionNumber: 'R1',
  notes: null,
  ...changes,
})
const countCalls = (method: string, url: string) =>
  emulator.calls.filter((call) => call.method === method && call.url.startsWith(url)).length

beforeEach(() => {
  emulator.calls.length = 0
  emulator.setFault('getlabs', null)
  failures.length = 0
})

test('slots are those of the local days, with price and priority', async () => {
  const search = {
    environmentId,
    now: new Date('2026-03-03T16:00:00Z'),
    place: PHOENIX,
    address: visitOf().address,
    startDate: '2026-03-03',
    days: 2,
  }
  const days = await gateway.listSlots(search)
  assert.deepEqual(
    days.map(({ date, slots }) => [
      date,
      slots.map(({ start }) => start.toISOString().slice(11, 16)),
    ]),
    [
      ['2026-03-03', ['17:00', '19:00', '21:00']],
      ['2026-03-04', ['15:00', '17:00', '19:00', '21:00']],
    ],
  )
  const [first] = days[1]?.slots ?? []
  assert.deepEqual([first?.priceCents, first?.isPriority, first?.available], [9950, true, 1])
  assert.equal(Number(first?.end) - Number(first?.start), 2 * 3_600_000)
  const url = emulator.calls.at(-1)?.url ?? ''
  assert.match(
    url,
    /zipCode=85004&address=1\+Main\+St&city=Phoenix&state=AZ&startDate=2026-03-03&days=2/,
  )
})

test('an area that is not served has no service and days without slots', async () => {
  assert.deepEqual(await gateway.serviceTypes({ environmentId, zip: '99901' }), [])
  assert.deepEqual(await gateway.serviceTypes({ environmentId, zip: '85004' }), [
    'appointment-ready',
  ])
  const elsewhere = { ...PHOENIX, zip: '99901' }
  const search = {
    environmentId,
    now: clock.now(),
    place: elsewhere,
    startDate: '2026-03-03',
    days: 1,
  }
  assert.deepEqual(await gateway.listSlots(search), [{ date: '2026-03-03', slots: [] }])
})

test('areas are requested once an hour, and one token serves until it expires', async () => {
  const area = { environmentId, zip: '85006' }
  for (let time = 0; time < 3; time++) await gateway.serviceTypes(area)
  assert.equal(countCalls('GET', '/v2/availability'), 1)
  clock.advance(3601)
  await gateway.serviceTypes(area)
  assert.equal(countCalls('GET', '/v2/availability'), 2)
  assert.equal(countCalls('POST', '/v2/oauth/token'), 1)
})

test('concurrent requests of a new process share one token', async () => {
  const fresh = open()
  await Promise.all(
    ['85001', '85002', '85003'].map((zip) => fresh.serviceTypes({ environmentId, zip })),
  )
  assert.equal(countCalls('POST', '/v2/oauth/token'), 1)
})

test('a booking has an id of the provider, and a repeated one has no further effect', async () => {
  const slot = await freeSlot()
  const visit = visitOf()
  const booked = await gateway.book(visit, slot, clock.now())
  assert.ok(booked.state === 'booked' && !booked.isHeld)
  assert.deepEqual(await gateway.book(visit, slot, clock.now()), booked)
  assert.equal(countCalls('POST', '/v2/appointment'), 1)
  const { body } = emulator.calls.find(({ url }) => url === '/v2/patient') ?? {}
  assert.equal((body as Record<string, string>).phoneNumber, '5550100199')
})

test('a slot is booked once', async () => {
  const slot = await freeSlot()
  assert.equal((await gateway.book(visitOf(), slot, clock.now())).state, 'booked')
  const second = await gateway.book(visitOf(), slot, clock.now())
  assert.deepEqual(second, { state: 'slot_unavailable' })
})

test('a visit moves to another slot and keeps its id; a taken slot leaves it where it is', async () => {
  const [slot, later, taken] = [await freeSlot(), await freeSlot(), await freeSlot()]
  const visit = visitOf()
  const booked = await gateway.book(visit, slot, clock.now())
  await gateway.book(visitOf(), taken, clock.now())
  const refused = await gateway.reschedule(visit, taken, clock.now())
  assert.deepEqual(refused, { state: 'slot_unavailable' })
  assert.deepEqual(await gateway.book(visit, slot, clock.now()), booked)
  assert.deepEqual(await gateway.reschedule(visit, later, clock.now()), booked)
  assert.equal((await gateway.book(visitOf(), slot, clock.now())).state, 'booked')
})

test('a cancellation frees the slot, also repeated and of an unknown visit', async () => {
  const slot = await freeSlot()
  const visit = visitOf()
  await gateway.book(visit, slot, clock.now())
  await gateway.cancel(visit)
  await gateway.cancel(visit)
  await gateway.cancel({ environmentId, appointmentId: randomUUID() })
  assert.equal(countCalls('POST', '/v2/appointment/'), 1)
  assert.equal((await gateway.book(visitOf(), slot, clock.now())).state, 'booked')
})

test('an address that is not served, and a visit without a patient, are refused', async () => {
  const slot = await freeSlot()
  const address = { ...visitOf().address, zip_code: '99901' }
  assert.deepEqual(await gateway.book(visitOf({ address }), slot, clock.now()), {
    state: 'refused',
  })
  const withoutPatient = visitOf({ patient: null })
  assert.deepEqual(await gateway.book(withoutPatient, slot, clock.now()), { state: 'refused' })
  assert.deepEqual(await gateway.request(visitOf(), clock.now()), { state: 'refused' })
})

test('each fault makes the provider unavailable, and only announced maintenance is no failure', async () => {
  const reasons: Record<PartnerFaultKind, string[]> = {
    unauthorized: ['unauthorized'],
    rate_limit: ['rate_limited'],
    maintenance: [],
    server_error: ['server_error'],
    slow: ['no_answer'],
    malformed: ['malformed'],
  }
  const slot = await freeSlot()
  for (const [kind, reported] of Object.entries(reasons)) {
    failures.length = 0
    emulator.setFault('getlabs', { kind: kind as PartnerFaultKind, milliseconds: 2000 })
    const error = await gateway.book(visitOf(), slot, clock.now()).catch((thrown) => thrown)
    assert.ok(error instanceof ProviderUnavailable, kind)
    assert.equal(error.isMaintenance, kind === 'maintenance')
    assert.deepEqual(
      failures.map(({ reason }) => reason),
      reported,
    )
  }
})

test('a token that is refused is renewed once', async () => {
  emulator.setFault('getlabs', { kind: 'unauthorized', times: 1 })
  const slot = await freeSlot()
  assert.equal((await gateway.book(visitOf(), slot, clock.now())).state, 'booked')
  assert.equal(countCalls('POST', '/v2/oauth/token'), 1)
})

test('a wrong secret is reported as such', async () => {
  const area = { environmentId, zip: '85004' }
  await assert.rejects(open('another').serviceTypes(area), { name: 'ProviderUnavailable' })
  assert.deepEqual(
    failures.map(({ reason }) => reason),
    ['unauthorized'],
  )
})
