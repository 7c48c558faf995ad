import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { glucoseAt } from '../../../sandbox/src/providers/people/glucose.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { clockOf } from '../../../sandbox/src/providers/tandem-source/events.ts'
import {
  basalRateAt,
  bolusesOf,
  EXTENDED_MS,
  fingerpricksOf,
  isLateAt,
  LATE_MS,
  readingStateAt,
  STEP_MS,
  stepsOf,
  uploadedUntil,
} from '../../../sandbox/src/providers/tandem-source/pump.ts'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'
import { rowsOf } from './emulated-session.ts'

/** The connector brings what the pumps of the emulated people did, by the clock of the pump. */

const vendor = new EmulatedPassword('tandem_source')
const ACCOUNT = 'kim+travel'
const calendar = new Calendar(personOf('tandem_source', ACCOUNT))
const RANGE = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() }
const UNTIL = uploadedUntil(calendar, vendor.now())

before(() => vendor.emulator.listen())
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

/** Whether an event of an instant is uploaded, and by its clock in the range. */
const isIn = (at: number, event = at): boolean =>
  event <= UNTIL && clockOf(calendar, event) >= RANGE.from
const span = { from: RANGE.from - DAY_MS, to: UNTIL + HOUR_MS }
const steps = [...stepsOf(calendar, span)]

let pulled: Awaited<ReturnType<typeof vendor.pull>>
before(async () => {
  pulled = await vendor.pull('events', await vendor.tokensOf(ACCOUNT), RANGE)
})

const byStart = <T extends { at: number }>(list: T[]): T[] => list.sort((a, b) => a.at - b.at)

test('glucose has the time and the value of the sensor, also when it came late', () => {
  const measured = steps.filter((at) => readingStateAt(calendar, at) === 'measured')
  const readings = measured
    .filter((at) => isIn(at, at + 3000 + (isLateAt(calendar, at) ? LATE_MS : 0)))
    .map((at) => ({ at: clockOf(calendar, at), value: glucoseAt(calendar, at), type: 'automatic' }))
  const drops = fingerpricksOf(calendar, span)
    .filter((at) => isIn(at))
    .map((at) => ({
      at: clockOf(calendar, at),
      value: glucoseAt(calendar, at),
      type: 'fingerprick',
    }))
  for (const [type, expected] of [
    ['automatic', byStart(readings)],
    ['fingerprick', byStart(drops)],
  ] as const) {
    const samples = rowsOf(pulled, 'glucose').filter(({ sampleType }) => sampleType === type)
    // The clock of a traveller shows some times twice, and such values are a millisecond apart.
    const secondOf = (at: number) => Math.floor(at / 1000)
    const starts = [...new Set(expected.map(({ at }) => secondOf(at)))]
    assert.deepEqual([...new Set(samples.map(({ startedAt }) => secondOf(startedAt)))], starts)
    const values = Map.groupBy(expected, ({ at }) => secondOf(at))
    for (const { startedAt, value, timezoneOffset } of samples) {
      const own = values.get(secondOf(startedAt)) ?? assert.fail()
      assert.ok(own.some((one) => Math.abs(one.value / 18.0182 - value) < 0.001))
      assert.equal(timezoneOffset, null)
    }
  }
  assert.ok(readings.length > 10_000 && drops.length > 50)
})

test('a value above the limit of the sensor is quarantined', () => {
  const high = steps.filter((at) => readingStateAt(calendar, at) === 'high')
  const expected = high.filter((at) => isIn(at, at + 3000 + (isLateAt(calendar, at) ? LATE_MS : 0)))
  assert.ok(expected.length > 5)
  assert.ok(pulled.quarantined.every(({ reason }) => reason === 'out_of_range'))
  // Ranges overlap by the hours that a clock may be from UTC.
  assert.ok(pulled.quarantined.length >= expected.length)
})

const boluses = bolusesOf(calendar, span)
const insulin = () => {
  const all = new Map(
    rowsOf(pulled, 'insulin_injection').map((one) => [
      JSON.stringify([one.startedAt, one.endedAt, one.value, one.extra]),
      one,
    ]),
  )
  return [...all.values()].map((one) => ({ ...one, extra: JSON.parse(one.extra) }))
}

test('each bolus arrives once, with its parts and its purpose', () => {
  const expected = boluses.flatMap(({ requestedAt, completedAt, now, later, food, correction }) => {
    const purpose = correction > 0 && food > 0 ? 'mixed' : 'meal'
    const end = requestedAt + EXTENDED_MS
    return [
      ...(isIn(completedAt)
        ? [{ at: clockOf(calendar, completedAt), units: now, form: 'standard', purpose }]
        : []),
      ...(later > 0 && isIn(end)
        ? [{ at: clockOf(calendar, end), units: later, form: 'extended', purpose }]
        : []),
    ]
  })
  const stored = insulin().filter(({ extra }) => extra.delivery_mode === 'bolus')
  const shown = stored.map(({ endedAt, value, extra }) =>
    JSON.stringify([endedAt, value, extra.delivery_form, extra.bolus_purpose]),
  )
  const wanted = expected.map(({ at, units, form, purpose }) =>
    JSON.stringify([at, units, form, purpose]),
  )
  assert.ok(wanted.length > 150 && wanted.some((one) => one.includes('extended')))
  assert.deepEqual(shown.sort(), wanted.sort())
  const long = stored.filter(({ extra }) => extra.delivery_form === 'extended')
  assert.ok(long.every(({ startedAt, endedAt }) => endedAt > startedAt))
})

test('carbohydrates are those of the meals', () => {
  const expected = byStart(
    boluses
      .filter(({ requestedAt }) => isIn(requestedAt))
      .map(({ requestedAt, carbohydrates }) => ({
        at: clockOf(calendar, requestedAt),
        grams: carbohydrates,
      })),
  )
  const samples = new Map(rowsOf(pulled, 'carbohydrates').map((one) => [one.startedAt, one.value]))
  assert.deepEqual(
    [...samples],
    expected.map(({ at, grams }) => [at, grams]),
  )
})

test('basal insulin is that of the rates of the pump', () => {
  const expected = steps.flatMap((at) => {
    const next = at + STEP_MS
    const [from, to] = [clockOf(calendar, at), clockOf(calendar, next)]
    const duration = to - from
    const rate = basalRateAt(calendar, at)
    const isKnown = isIn(at) && next <= UNTIL && duration > 0 && duration <= HOUR_MS
    return isKnown && rate > 0 ? [{ from, to, units: ((rate / 1000) * duration) / HOUR_MS }] : []
  })
  const stored = insulin().filter(({ extra }) => extra.delivery_mode === 'basal')
  assert.ok(expected.length > 8000)
  assert.equal(stored.length, expected.length)
  const sorted = expected.sort((a, b) => a.from - b.from || a.units - b.units)
  // Two of one instant, when the clock was set back, are stored a millisecond apart.
  const secondOf = ({ startedAt }: { startedAt: number }) => Math.floor(startedAt / 1000)
  const own = stored.sort((a, b) => secondOf(a) - secondOf(b) || a.value - b.value)
  for (const [index, { startedAt, endedAt, value }] of own.entries()) {
    const { from, to, units } = sorted[index] ?? assert.fail()
    isClose(startedAt, from, 999)
    isClose(endedAt, to, 999)
    isClose(value, units, 6e-6)
  }
})

test('each password has its outcome, in both regions', async () => {
  assert.equal(await vendor.reasonOf('kim', 'wrong'), 'wrong_credential')
  assert.equal(await vendor.reasonOf('kim', 'elsewhere'), 'wrong_credential')
  assert.equal(await vendor.reasonOf('kim', 'expired'), 'password_expired')
  assert.equal(await vendor.reasonOf('kim', 'locked'), 'blocked')
  assert.equal((await failureOf(vendor.signIn('kim', 'robot')))?.kind, 'blocked')
  assert.equal((await failureOf(vendor.signIn('kim', 'down')))?.kind, 'unavailable')
  const europe = await vendor.tokensOf('eva', 'eu')
  assert.equal(europe.extra?.region, 'eu')
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  assert.ok((await vendor.pull('events', europe, range)).samples.length > 300)
})

test('a session ends and is opened again, until the password is another one', async () => {
  const tokens = await vendor.tokensOf('emil')
  assert.equal(tokens.expiresAt, vendor.now() + 8 * HOUR_MS)
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const pull = (own = tokens) => failureOf(vendor.pull('events', own, range))
  assert.equal(await pull(), undefined)
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
  ] as const) {
    await vendor.emulator.setFaults('tandem_source', 'emil', [{ kind, times: 1 }])
    assert.equal((await pull())?.kind, expected, kind)
  }
  await vendor.emulator.expire('tandem_source', 'emil')
  assert.equal((await pull())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, 'emil')
  assert.equal(await pull(renewed), undefined)
  await vendor.emulator.revoke('tandem_source', 'emil')
  const ended = { kind: 'ended', errorType: 'provider_credential_error' }
  assert.deepEqual(await failureOf(vendor.renew(renewed, 'emil')), ended)
})
