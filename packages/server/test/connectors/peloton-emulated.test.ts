import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import {
  presentWorkout,
  RECORD_MS,
  STROKES,
  showsMiles,
  uploadedWorkouts,
  workoutIdOf,
  zoneNameOf,
} from '../../../sandbox/src/providers/peloton/workouts.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import {
  measuresOf,
  ratesOf,
  wattsOf,
} from '../../../sandbox/src/providers/people/recorded-workouts.ts'
import { failureOf, known } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector brings what the people of the emulated vendor do, whatever units they see. */

const vendor = new EmulatedPassword('peloton')
const calendarOf = (account: string) => new Calendar(personOf('peloton', account))
const RANGE = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() }
const NAMES = ['kim', 'lou', 'max', 'eva', 'tom', 'ada', 'ben', 'ida', 'leo', 'mia', 'noa', 'pia']
const SPORTS: Readonly<Record<string, string>> = {
  cycling: 'stationary_biking',
  running: 'treadmill_running',
  walking: 'walking',
  swimming: 'rowing_machine',
  strength_training: 'strength_training',
  yoga: 'yoga',
}
const RIDDEN = new Set(['cycling', 'swimming'])

/** People with miles and with kilometers, and with a zone of a fixed offset. */
const findAccount = (isWanted: (calendar: Calendar) => boolean): string =>
  NAMES.find((name) => {
    const calendar = calendarOf(name)
    return isWanted(calendar) && uploadedWorkouts(calendar, vendor.now()).length > 60
  }) ?? assert.fail()
const isFixed = (calendar: Calendar) => zoneNameOf(calendar, RANGE.from).startsWith('Etc/')
const ACCOUNTS = new Set([
  findAccount(showsMiles),
  findAccount((calendar) => !showsMiles(calendar)),
  findAccount(isFixed),
])

before(() => vendor.emulator.listen())
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

for (const account of ACCOUNTS) {
  describe(account, () => {
    const calendar = calendarOf(account)
    test('every workout arrives with its series', async () => {
      const data = await vendor.pull('workouts', await vendor.tokensOf(account), RANGE)
      assert.deepEqual(data.quarantined, [])
      const within = uploadedWorkouts(calendar, vendor.now()).filter(
        ({ exercise: { from } }) => from >= RANGE.from,
      )
      assert.ok(within.length > 8)
      const stored = data.summaries.filter(({ startedAt }) => startedAt >= RANGE.from)
      assert.deepEqual(
        stored.map(({ recordId }) => recordId),
        within.map((one) => workoutIdOf(calendar, one)),
      )
      const streams = new Map([...data.streams.values()].map((stream) => [stream.time[0], stream]))
      for (const [index, one] of within.entries()) {
        const { from, to, sport } = one.exercise
        const summary = stored[index]
        assert.deepEqual(
          [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
          [from, to, calendar.offsetAt(from) / 1000],
        )
        const values = known(summary?.values ?? {})
        const measures = measuresOf(calendar, one.exercise, RECORD_MS)
        const isMoving = sport.metersASecond > 0
        assert.equal(values.sport_slug, SPORTS[sport.name])
        assert.equal(values.calories, measures.calories)
        assert.equal(values.heart_rate_mean, measures.meanHeartRate)
        assert.equal(values.heart_rate_maximum, measures.highestHeartRate)
        const watts = RIDDEN.has(sport.name) ? wattsOf(one.exercise) : undefined
        assert.equal(values.power_mean, watts)
        if (isMoving) {
          isClose(values.distance_meter, measures.distanceMeters, 1e-6)
          // A rower shows its pace in hundredths of a minute only.
          isClose(values.speed_mean, sport.metersASecond, sport.name === 'swimming' ? 4e-4 : 1e-9)
        } else assert.equal(values.distance_meter, undefined)
        assert.equal('map_polyline' in values, sport.name === 'walking')
        const rates = ratesOf(calendar, one.exercise, RECORD_MS)
        const stream = streams.get(from / 1000) ?? streams.get(from / 1000 + 5)
        if (stream === undefined) {
          // Without a sensor and on no machine nothing was recorded.
          assert.ok(!isMoving && watts === undefined && rates.size === 0)
          continue
        }
        for (const [place, second] of stream.time.entries()) {
          const passed = second - from / 1000
          const rate = passed < 5 ? undefined : rates.get(second * 1000)
          assert.equal(stream.heartrate?.[place] ?? undefined, rate)
          // A list of the vendor may end some seconds early.
          if (passed >= measures.seconds - 3) continue
          assert.equal(stream.power?.[place], watts)
          const tolerance = sport.name === 'swimming' ? 4e-4 : 1e-9
          if (isMoving) isClose(stream.velocity_smooth?.[place], sport.metersASecond, tolerance)
          if (sport.name === 'swimming') assert.equal(stream.cadence?.[place], STROKES)
        }
      }
    })
  })
}

test('a workout that goes on is left out until it is over', async () => {
  const [account = ''] = ACCOUNTS
  const calendar = calendarOf(account)
  const [latest] = uploadedWorkouts(calendar, vendor.now())
  assert.ok(latest !== undefined)
  const { clock } = vendor
  const now = clock.now
  try {
    clock.now = () => new Date(latest.exercise.from + 60_000)
    assert.ok(presentWorkout(calendar, vendor.now()) !== undefined)
    const range = { from: vendor.now() - DAY_MS / 4, to: vendor.now() + 1 }
    const data = await vendor.pull('workouts', await vendor.tokensOf(account), range)
    const id = workoutIdOf(calendar, latest)
    assert.ok(data.summaries.every(({ recordId }) => recordId !== id))
    assert.deepEqual(data.quarantined, [])
  } finally {
    clock.now = now
  }
})

test('each password has its outcome, and too many wrong ones are a block', async () => {
  const reason = (password: string) => vendor.reasonOf('zoe', password)
  assert.equal(await reason('wrong'), 'wrong_credential')
  assert.equal(await reason('locked'), 'blocked')
  assert.equal((await failureOf(vendor.signIn('zoe', 'robot')))?.kind, 'blocked')
  assert.equal((await failureOf(vendor.signIn('kim', 'down')))?.kind, 'unavailable')
  for (let tries = 0; tries < 9; tries++) await reason('wrong')
  assert.equal(await reason('wrong'), 'blocked')
})

test('a session is kept by refresh tokens that change, then by the password', async () => {
  const tokens = await vendor.tokensOf('emil')
  assert.equal(tokens.expiresAt, vendor.now() + 48 * HOUR_MS)
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const pull = (own = tokens) => failureOf(vendor.pull('workouts', own, range))
  assert.equal(await pull(), undefined)
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await vendor.emulator.setFaults('peloton', 'emil', [{ kind, times: 1 }])
    assert.equal((await pull())?.kind, expected, kind)
  }
  await vendor.emulator.expire('peloton', 'emil')
  assert.equal((await pull())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, 'emil')
  assert.notEqual(renewed.refreshToken, tokens.refreshToken)
  assert.deepEqual(renewed.extra, tokens.extra)
  assert.equal(await pull(renewed), undefined)
  // The first refresh token was used, so that the password opens another session.
  assert.equal(await pull(await vendor.renew(tokens, 'emil')), undefined)
  await vendor.emulator.revoke('peloton', 'emil')
  const ended = { kind: 'ended', errorType: 'provider_credential_error' }
  assert.deepEqual(await failureOf(vendor.renew(renewed, 'emil')), ended)
})
