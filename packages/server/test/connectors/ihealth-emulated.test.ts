import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refreshTokens, type VendorTokens } from '@salus/health/connectors'
import { activeMinutes } from '../../../sandbox/src/providers/people/activity.ts'
import * as people from '../../../sandbox/src/providers/people/body.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { secondsIn, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { assertSummary } from './assert-summary.ts'
import { APP, EmulatedSession, failureOf, rowsOf } from './emulated-session.ts'

/** What the connector reads from the emulated vendor equals the person to the unit. */

const session = new EmulatedSession('ihealth')
const RANGE = { from: Date.UTC(2026, 0, 20), to: Date.UTC(2026, 1, 20) }
const isWithin = ({ at }: { at: number }) => at >= RANGE.from && at < RANGE.to

before(() => session.listen())
after(() => session.close())

test('a person signs in and is known by the id of paths', async () => {
  const { tokens, grantedScopes } = await session.signIn('bob')
  const { auth } = session.connector
  const id = session.emulator.accountIdOf('ihealth', 'bob')
  assert.equal(await auth.identify(session.fetchAs(tokens), tokens), id)
  assert.deepEqual(grantedScopes, auth.scopes)
})

// People of three units, in zones east and west of Greenwich.
for (const account of ['anna', 'carla', 'dora+travel', 'erik', 'fred', 'gina']) {
  test(`what ${account} measured arrives in the units of Salus, at its instant`, async () => {
    const calendar = new Calendar(personOf('ihealth', account))
    const days = calendar.days(RANGE)
    const offsetOf = (at: number) => calendar.offsetAt(at) / 1000
    const each = <Fact>(factsOn: (calendar: Calendar, day: number) => Fact | undefined): Fact[] =>
      days.flatMap(({ number }) => factsOn(calendar, number) ?? [])
    const { tokens } = await session.signIn(account)
    const digits = (value: number) => value.toFixed(4)
    // A day more is requested on both sides.
    const pull = async (name: string) => {
      const data = await session.pull(name, tokens, RANGE)
      const samples = data.samples.filter(({ startedAt }) => isWithin({ at: startedAt }))
      return { ...data, samples, data }
    }

    const pressures = each(people.pressuresOn).flat().filter(isWithin)
    assert.deepEqual(
      (await pull('bp')).samples.map(({ startedAt, value, diastolic, timezoneOffset }) => [
        startedAt,
        digits(value),
        digits(diastolic),
        timezoneOffset,
      ]),
      pressures.map(({ at, systolic, diastolic }) => [
        at,
        digits(systolic),
        digits(diastolic),
        offsetOf(at),
      ]),
    )
    const strips = each(people.stripsOn).flat().filter(isWithin)
    assert.deepEqual(
      (await pull('glucose')).samples.map(({ startedAt, value }) => [startedAt, digits(value)]),
      strips.map(({ at, value }) => [at, digits(value / 18.0182)]),
    )
    const oxygens = each(people.oxygenOn).filter(isWithin)
    assert.deepEqual(
      (await pull('spo2')).samples.map(({ startedAt, value, timezoneOffset }) => [
        startedAt,
        value,
        timezoneOffset,
      ]),
      oxygens.map(({ at, value }) => [at, value, offsetOf(at)]),
    )
    const weighings = each(people.weighingOn).filter(isWithin)
    const bodies = await pull('weight')
    assert.deepEqual(
      rowsOf({ samples: bodies.samples } as typeof bodies.data, 'body_weight').map(
        ({ startedAt, value }) => [startedAt, digits(value)],
      ),
      weighings.map(({ at, kilograms }) => [at, digits(kilograms)]),
    )
    for (const { at, kilograms, muscleKilograms, fatPercent } of weighings) {
      const body = bodies.data.summaries.find(({ startedAt }) => startedAt === at)
      assertSummary(body, 'body')
      const { fat_mass_percentage: fat, muscle_mass_percentage: muscle } = body.values
      if (fat === null) assert.equal(muscle, null)
      else {
        assert.equal(fat, fatPercent)
        assert.equal(digits(muscle ?? 0), digits((100 * muscleKilograms) / kilograms))
      }
    }
    assert.ok(pressures.length > 10 && strips.length > 50 && weighings.length > 10)
  })
}

test('days and nights are those of the local clock', async () => {
  const account = 'hans'
  const calendar = new Calendar(personOf('ihealth', account))
  const days = calendar.days(RANGE)
  const { tokens } = await session.signIn(account)
  const activity = await session.pull('activity', tokens, RANGE)
  for (const { number, from, to } of days) {
    const day = activity.summaries.find(({ calendarDate }) => calendarDate === dateText(number))
    assertSummary(day, 'activity')
    const worn = activeMinutes(calendar, { from, to }).filter(({ isWorn }) => isWorn)
    const meters = worn.reduce((sum, one) => sum + one.meters, 0)
    assert.equal(
      day.values.steps,
      worn.reduce((sum, { steps }) => sum + steps, 0),
    )
    assert.equal(Math.round(day.values.distance_meter ?? -1), Math.round(meters))
  }
  const sleep = await session.pull('sleep', tokens, RANGE)
  const nights = days
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .filter((one) => isWornDuring(calendar, one))
  for (const one of nights) {
    const night = sleep.summaries.find(({ startedAt }) => startedAt === one.from)
    assertSummary(night, 'sleep')
    assert.deepEqual(
      [night.endedAt, night.timezoneOffset],
      [one.to, calendar.offsetAt(one.to) / 1000],
    )
    const asleep = (one.to - one.from) / 1000 - secondsIn(one, 'awake')
    assert.equal(night.values.stage_asleep_second, asleep)
    assert.deepEqual(night.values.stage_type, [])
  }
  assert.ok(nights.length > 15)
})

test('errors are failures of their kind', async () => {
  const { tokens } = await session.signIn('ivan')
  const pull = () => failureOf(session.pull('bp', tokens, RANGE))
  for (const [kind, expected] of [
    ['server_error', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['unauthorized', 'unauthorized'],
    ['malformed', 'unexpected'],
    ['rate_limit', 'rate_limited'],
  ] as const) {
    await session.emulator.setFaults('ihealth', 'ivan', [{ kind }])
    assert.equal(await pull(), expected)
  }
  await session.emulator.setFaults('ihealth', 'ivan', [{ kind: 'duplicate_pages' }])
  assert.equal(await pull(), 'none')
  await session.emulator.expire('ihealth', 'ivan')
  assert.equal(await pull(), 'unauthorized')
})

test('tokens are refreshed once each, and end when the person ends the access', async () => {
  const { connector, address, clock } = session
  const { tokens } = await session.signIn('jana')
  const refresh = (given: VendorTokens) =>
    refreshTokens(connector, address, APP, given, clock.now())
  const next = await refresh(tokens)
  assert.deepEqual(next.extra, tokens.extra)
  assert.equal(await failureOf(refresh(tokens)), 'ended')
  await session.emulator.revoke('ihealth', 'jana')
  assert.equal(await failureOf(refresh(next)), 'ended')
  assert.equal(await failureOf(session.pull('bp', next, RANGE)), 'unauthorized')
})
