import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { PageData, refreshTokens, revokeTokens, type VendorApp } from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart } from '../../../sandbox/src/providers/people/heart.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { type Sleep, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated Suunto do. */

const SLUG = 'suunto'
const vendor = new EmulatedConnector(SLUG)
const ACCOUNT = 'mia+live'
const calendar = new Calendar(personOf(SLUG, ACCOUNT))
const SPAN: Span = { from: vendor.now() - 20 * DAY_MS, to: vendor.now() - 2 * DAY_MS }
const RANGE = { from: SPAN.from - 2 * DAY_MS, to: vendor.now() }
const STEP_MS = 10 * MINUTE_MS

before(() => vendor.emulator.listen())
after(() => vendor.close())

const days = calendar.days(SPAN)
const isWithin = ({ from, to }: Span) => from >= SPAN.from && to <= SPAN.to
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000

async function pull(name: string) {
  const { tokens } = await vendor.signIn(ACCOUNT)
  const data = await vendor.pull(name, tokens, RANGE)
  assert.deepEqual(data.quarantined, [])
  return data
}

test('every workout arrives with its values and its watch', async () => {
  const { summaries } = await pull('workouts')
  const exercises = days
    .flatMap((day) => day.exercises)
    .filter((exercise) => isWithin(exercise) && isWornDuring(calendar, exercise))
  assert.ok(exercises.length > 4)
  for (const exercise of exercises) {
    const one = summaries.find(({ startedAt }) => startedAt === exercise.from) ?? assert.fail()
    assert.deepEqual([one.endedAt, one.timezoneOffset], [exercise.to, offsetOf(exercise.from)])
    const minutes = activeMinutes(calendar, exercise)
    const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
    const { weightKilograms } = calendar.person
    const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
    const rates: number[] = []
    new Heart(calendar).each(exercise, MINUTE_MS, (_at, rate) => rates.push(rate))
    const values = known(one.values)
    assert.equal(values.calories, Math.round(calories))
    assert.equal(values.distance_meter, meters > 0 ? Number(meters.toFixed(1)) : undefined)
    assert.deepEqual(
      [values.heart_rate_minimum, values.heart_rate_maximum],
      [Math.min(...rates), Math.max(...rates)],
    )
    assert.notEqual(values.sport_slug, 'other')
    assert.equal(one.deviceModel, 'Suunto Race')
  }
})

const secondsOf = ({ stages }: Sleep, ...wanted: string[]) =>
  300 * stages.filter((stage) => wanted.includes(stage)).length

test('every night arrives with the seconds of its stages', async () => {
  const { summaries } = await pull('sleep')
  const sleeps = days
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .filter((sleep) => isWithin(sleep) && isWornDuring(calendar, sleep))
  assert.ok(sleeps.length > 12)
  for (const sleep of sleeps) {
    const one = summaries.find(({ startedAt }) => startedAt === sleep.from) ?? assert.fail()
    assert.deepEqual([one.endedAt, one.timezoneOffset], [sleep.to, offsetOf(sleep.from)])
    const values = known(one.values)
    assert.equal(values.type, sleep.kind === 'nap' ? 'acknowledged_nap' : values.type)
    assert.deepEqual(
      ['light', 'deep', 'rem', 'awake'].map((stage) => values[`stage_${stage}_second`]),
      ['light', 'deep', 'rem', 'awake'].map((stage) => secondsOf(sleep, stage)),
    )
    assert.equal(values.stage_asleep_second, secondsOf(sleep, 'light', 'deep', 'rem'))
  }
})

test('every sample arrives, and steps have their ten minutes', async () => {
  const { samples } = await pull('activity')
  const stored = (series: string) =>
    samples
      .filter((one) => one.series === series && isWithin({ from: one.startedAt, to: one.endedAt }))
      .map(({ startedAt, endedAt, value, timezoneOffset: offset }) => [
        startedAt,
        endedAt - startedAt,
        value,
        offset,
      ])
  const rates: unknown[] = []
  const steps: unknown[] = []
  const heart = new Heart(calendar)
  heart.each(SPAN, STEP_MS, (at, rate) => {
    if (at + STEP_MS > SPAN.to) return
    rates.push([at, 0, rate, offsetOf(at)])
    const minutes = activeMinutes(calendar, { from: at, to: at + STEP_MS })
    const count = minutes.reduce((sum, minute) => sum + minute.steps, 0)
    steps.push([at, STEP_MS, count, offsetOf(at)])
  })
  assert.ok(rates.length > 2000)
  assert.deepEqual(
    stored('heartrate').filter(([at]) => Number(at) + STEP_MS <= SPAN.to),
    rates,
  )
  assert.deepEqual(stored('steps'), steps)
  assert.ok(stored('hrv').length > 500)
  assert.ok(stored('blood_oxygen').every(([, , value]) => Math.abs(Number(value) - 97) < 1e-9))
})

const startsOf = ({ summaries, samples }: PageData): number[] =>
  [...summaries, ...samples].map(({ startedAt }) => startedAt)

test('messages are signed, name the user, and have the data', async () => {
  const { emulator, connector, connectors } = vendor
  const { tokens } = await vendor.signIn(ACCOUNT)
  const id = await connector.auth.identify(vendor.fetchJson(tokens), tokens)
  assert.equal(id, emulator.accountIdOf(SLUG, ACCOUNT))
  const signing: VendorApp = { ...vendor.app, secrets: { notification_secret: 'sandbox' } }
  const pushed = { from: vendor.now() - 3 * DAY_MS, to: vendor.now() }
  const notices = await vendor.receive(signing, async (url) => {
    await connectors.enterPushAddress(connector, { kind: 'sandbox' }, vendor.app, url)
    await emulator.push(SLUG, ACCOUNT, pushed)
  })
  assert.ok(notices.length > 4)
  assert.ok(notices.every(({ accountId }) => accountId === id))
  for (const name of ['workouts', 'sleep', 'activity']) {
    const { map } = connector.collections.find((one) => one.name === name) ?? assert.fail()
    const data = new PageData({ userId: 'u', provider: SLUG })
    for (const { collection, page } of notices) {
      if (collection === name)
        map(page, data, [], { range: pushed, cursor: null, context: NO_CONTEXT })
    }
    assert.deepEqual(data.quarantined, [])
    const starts = startsOf(data)
    const pulled = new Set(startsOf(await pull(name)))
    assert.ok(starts.length > 0 && starts.every((start) => pulled.has(start)), name)
  }
})

test('tokens are refreshed, and the app gives access back', async () => {
  const { connector, address, app, clock } = vendor
  const { tokens } = await vendor.signIn('bob')
  const refresh = (former = tokens) => refreshTokens(connector, address, app, former, clock.now())
  const next = await refresh()
  assert.ok((next.expiresAt ?? 0) > vendor.now())
  await revokeTokens(connector, address, app, next)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await failureOf(refresh(next)), ended)
  const pulled = vendor.pull('sleep', next, RANGE)
  assert.deepEqual(await failureOf(pulled), { kind: 'unauthorized' })
})

test('limits and errors of the vendor are understood', async () => {
  const { tokens } = await vendor.signIn('dave')
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await vendor.emulator.setFaults(SLUG, 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('sleep', tokens, RANGE))
  }
  assert.deepEqual(await failure('rate_limit'), { kind: 'rate_limited', retryAfterMs: 42_000 })
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})
