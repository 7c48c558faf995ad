import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import {
  measuresOf,
  ratesOf,
  uploadedAt,
  wattsOf,
} from '../../../sandbox/src/providers/people/recorded-workouts.ts'
import {
  activityIdOf,
  RECORD_MS,
  uploadedActivities,
} from '../../../sandbox/src/providers/zwift/activities.ts'
import { failureOf, known } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector brings what the people of the emulated vendor do. */

const vendor = new EmulatedPassword('zwift')
const SPORTS: Readonly<Record<string, string>> = {
  cycling: 'virtual_cycling',
  running: 'virtual_running',
  walking: 'virtual_running',
  swimming: 'rowing_machine',
}

/** An account of someone who does several of the game's sports. */
const ACCOUNT = ['kim', 'lou', 'max', 'eva', 'tom', 'ada'].find((name) => {
  const calendar = new Calendar(personOf('zwift', name))
  return uploadedActivities(calendar, vendor.now()).length > 60
}) as string
const calendar = new Calendar(personOf('zwift', ACCOUNT))
const RANGE = { from: vendor.now() - 90 * DAY_MS, to: vendor.now() }

before(() => vendor.emulator.listen())
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

test('every activity arrives with its seconds, and no session that was not used', async () => {
  const data = await vendor.pull('activities', await vendor.tokensOf(ACCOUNT), RANGE)
  assert.deepEqual(data.quarantined, [])
  const expected = uploadedActivities(calendar, vendor.now())
  const within = expected.filter(({ exercise: { from } }) => from >= RANGE.from)
  const stored = data.summaries.filter(({ startedAt }) => startedAt >= RANGE.from)
  assert.ok(within.length > 10)
  assert.deepEqual(
    stored.map(({ recordId }) => recordId),
    within.map((one) => activityIdOf(calendar, one)),
  )
  const streams = new Map([...data.streams.values()].map((stream) => [stream.time[0], stream]))
  for (const one of within) {
    const { from, to, sport } = one.exercise
    const summary = stored.find(({ recordId }) => recordId === activityIdOf(calendar, one))
    assert.deepEqual(
      [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset, summary?.sourceType],
      [from, to, null, 'exercise_machine'],
    )
    const values = known(summary?.values ?? {})
    const measures = measuresOf(calendar, one.exercise, RECORD_MS)
    assert.equal(values.sport_slug, SPORTS[sport.name])
    assert.equal(values.calories, measures.calories)
    isClose(values.distance_meter, measures.distanceMeters, 1e-6)
    assert.equal(values.duration_active_second, measures.seconds - 45)
    assert.equal(values.power_mean, wattsOf(one.exercise))
    assert.equal(values.elevation_gain_meter, 84)
    const isMeasured = sport.name !== 'swimming'
    assert.equal(values.heart_rate_mean, isMeasured ? measures.meanHeartRate : undefined)
    assert.equal(values.heart_rate_maximum, isMeasured ? measures.highestHeartRate : undefined)
    const stream = streams.get(from / 1000) ?? assert.fail()
    assert.equal(stream.time.length, measures.seconds - 45)
    assert.deepEqual(
      [stream.lat, stream.lng, values.map_polyline],
      [undefined, undefined, undefined],
    )
    const rates = ratesOf(calendar, one.exercise, RECORD_MS)
    for (const [index, second] of stream.time.entries()) {
      const passed = second - from / 1000
      assert.equal(stream.power?.[index], wattsOf(one.exercise))
      isClose(stream.distance?.[index], sport.metersASecond * passed, 0.0051)
      isClose(stream.velocity_smooth?.[index], sport.metersASecond, 0.0051)
      if (isMeasured) assert.equal(stream.heartrate?.[index], rates.get(second * 1000))
    }
  }
})

test('an activity that is still being processed comes without its seconds, and later with', async () => {
  const [latest] = uploadedActivities(calendar, vendor.now())
  assert.ok(latest !== undefined)
  const tokens = await vendor.tokensOf(ACCOUNT)
  const { clock } = vendor
  const now = clock.now
  const at = uploadedAt(calendar, latest)
  const range = { from: at - 6 * HOUR_MS, to: at }
  try {
    clock.now = () => new Date(at + 60_000)
    const early = await vendor.pull('activities', await vendor.tokensOf(ACCOUNT), range)
    assert.deepEqual([early.summaries.length > 0, early.streams.size], [true, 0])
    clock.now = () => new Date(at + 10 * 60_000)
    const late = await vendor.pull('activities', await vendor.tokensOf(ACCOUNT), range)
    assert.equal(late.streams.size, 1)
  } finally {
    clock.now = now
  }
  assert.ok(tokens.refreshToken)
})

test('a poll reads one page, and the seconds of its range only', async () => {
  const tokens = await vendor.tokensOf(ACCOUNT)
  const range = { from: vendor.now() - 2 * DAY_MS, to: vendor.now() }
  const paths: string[] = []
  const fetchJson = vendor.fetchJson(tokens)
  await vendor.pull('activities', tokens, range, (wanted) => {
    if ('path' in wanted) paths.push(wanted.path)
    return fetchJson(wanted)
  })
  const recent = uploadedActivities(calendar, vendor.now()).filter(
    ({ exercise: { from } }) => from >= range.from,
  )
  const files = paths.filter((path) => path.endsWith('/file/full'))
  assert.equal(files.length, recent.length)
  assert.equal(paths.filter((path) => path.endsWith('/activities')).length, 1)
})

test('each password has its outcome', async () => {
  assert.equal(await vendor.reasonOf('kim', 'wrong'), 'wrong_credential')
  assert.equal(await vendor.reasonOf('kim', 'consent'), 'consent_needed')
  assert.equal((await failureOf(vendor.signIn('kim', 'locked')))?.kind, 'rate_limited')
  assert.equal((await failureOf(vendor.signIn('kim', 'robot')))?.kind, 'blocked')
  assert.equal((await failureOf(vendor.signIn('kim', 'down')))?.kind, 'unavailable')
})

test('a session is renewed by its refresh token, then by the password, until it is another', async () => {
  const tokens = await vendor.tokensOf('emil')
  assert.equal(tokens.expiresAt, vendor.now() + 6 * HOUR_MS)
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const pull = (own = tokens) => failureOf(vendor.pull('activities', own, range))
  assert.equal(await pull(), undefined)
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await vendor.emulator.setFaults('zwift', 'emil', [{ kind, times: 1 }])
    assert.equal((await pull())?.kind, expected, kind)
  }
  await vendor.emulator.expire('zwift', 'emil')
  assert.equal((await pull())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, 'emil')
  assert.equal(await pull(renewed), undefined)
  const again = await vendor.renew({ ...renewed, refreshToken: 'forgotten' }, 'emil')
  assert.equal(await pull(again), undefined)
  await vendor.emulator.revoke('zwift', 'emil')
  const ended = { kind: 'ended', errorType: 'provider_credential_error' }
  assert.deepEqual(await failureOf(vendor.renew(again, 'emil')), ended)
})
