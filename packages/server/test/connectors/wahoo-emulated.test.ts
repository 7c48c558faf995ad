import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import {
  type FetchJson,
  PageData,
  refreshTokens,
  revokeTokens,
  type VendorTokens,
} from '@salus/health/connectors'
import { fetchFile } from '../../../health/src/connectors/vendor-client.ts'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Exercise } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import {
  RECORD_MS,
  ratesOf,
  uploadedAt,
  wattsOf,
  workoutIdOf,
} from '../../../sandbox/src/providers/wahoo/workouts.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated vendor do. */

const vendor = new EmulatedConnector('wahoo')
const ACCOUNT = 'kim'
const calendar = new Calendar(personOf('wahoo', ACCOUNT))
const RANGE = { from: vendor.now() - 90 * DAY_MS, to: vendor.now() }
const SPORTS: Readonly<Record<string, string>> = {
  cycling: 'road_biking',
  strength_training: 'other',
  swimming: 'pool_swimming',
}

interface Done {
  day: number
  exercise: Exercise
}
const done = (): Done[] =>
  calendar
    .days(RANGE)
    .flatMap((day) => day.exercises.map((exercise) => ({ day: day.number, exercise })))
    .filter(({ exercise }) => exercise.from >= RANGE.from)
    .filter(({ day, exercise }) => uploadedAt(calendar, day, exercise) <= vendor.now())

let tokens: VendorTokens
before(async () => {
  await vendor.emulator.listen()
  tokens = (await vendor.signIn(ACCOUNT)).tokens
})
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number) =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

test('every workout arrives with its stream, and no planned one', async () => {
  const data = await vendor.pull('workouts', tokens, RANGE)
  assert.deepEqual(data.quarantined, [])
  const byId = new Map(data.summaries.map((one) => [one.recordId, one]))
  const within = data.summaries.filter(({ startedAt }) => startedAt >= RANGE.from)
  assert.ok(done().length > 10)
  assert.equal(within.length, done().length)
  const streams = new Map([...data.streams.values()].map((stream) => [stream.time[0], stream]))
  for (const { day, exercise } of done()) {
    const one = byId.get(String(workoutIdOf(calendar, day))) ?? assert.fail()
    const { from, to, sport } = exercise
    assert.deepEqual([one.startedAt, one.endedAt, one.timezoneOffset], [from, to, null])
    const { sport_slug, calories, distance_meter, heart_rate_mean, speed_mean, power_mean } = known(
      one.values,
    )
    assert.equal(sport_slug, SPORTS[sport.name] ?? sport.name)
    const minutes = activeMinutes(calendar, exercise)
    const { weightKilograms } = calendar.person
    const energy = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
    isClose(calories, energy, 0.005)
    const seconds = (to - from) / 1000
    if (sport.metersASecond > 0) {
      isClose(distance_meter, sport.metersASecond * seconds, 0.005)
      isClose(speed_mean, sport.metersASecond, 0.005)
    } else assert.equal(distance_meter, undefined)
    assert.equal(power_mean, wattsOf(exercise))
    const rates = ratesOf(calendar, exercise)
    const stream = streams.get(from / 1000)
    if (rates.size > 0) {
      const mean = [...rates.values()].reduce((sum, rate) => sum + rate, 0) / rates.size
      isClose(heart_rate_mean, mean, 0.51)
    }
    for (const [index, second] of (stream?.time ?? []).entries()) {
      assert.equal(second, (from + index * RECORD_MS) / 1000)
      assert.equal(stream?.heartrate?.[index] ?? undefined, rates.get(second * 1000))
      if (sport.metersASecond > 0) {
        isClose(stream?.distance?.[index], (sport.metersASecond * index * RECORD_MS) / 1000, 0.005)
        isClose(stream?.velocity_smooth?.[index], sport.metersASecond, 0.0005)
        isClose(stream?.lng?.[index], 13.4, 1e-7)
      }
      const cadence = sport.name === 'cycling' ? 85 : 2 * Math.round(sport.stepsAMinute / 2)
      if (cadence > 0 && sport.name === 'running') assert.equal(stream?.cadence?.[index], cadence)
    }
    assert.equal(stream?.time.length, Math.ceil((to - from) / RECORD_MS))
  }
})

test('a poll reads one page, and files of its range only', async () => {
  const requested: string[] = []
  const fetchJson = vendor.fetchJson(tokens)
  const counted: FetchJson = (request) => {
    requested.push('fileUrl' in request ? 'file' : request.path)
    return fetchJson(request)
  }
  const [collection] = vendor.connector.collections
  const range = { from: vendor.now() - 3 * DAY_MS, to: vendor.now() }
  assert.ok(collection?.details !== undefined)
  const request = { range, cursor: null, context: NO_CONTEXT }
  const answer = await counted(collection.page(range, null, NO_CONTEXT))
  const details = collection.details(answer, request)
  for (const detail of details) await counted(detail)
  assert.equal(collection.next(answer, request), null)
  const recent = done().filter(({ exercise: { from } }) => from >= range.from)
  assert.equal(requested.filter((one) => one === 'file').length, recent.length)
})

test('files are read at the hosts of the vendor only', async () => {
  const { address, connector } = vendor
  const failure = await failureOf(
    fetchFile(address, connector.fileHosts ?? [], 'https://files.example/x.fit'),
  )
  assert.equal(failure?.kind, 'unexpected')
})

test('a profile has the height and gender of the person', async () => {
  const data = await vendor.pull('user', tokens, RANGE)
  const { sex, heightMeters } = calendar.person
  const values = known(data.summaries[0]?.values ?? {})
  assert.equal(values.height_centimeter, Math.round(heightMeters * 100))
  assert.equal(values.gender, sex)
  assert.equal(
    await vendor.connector.auth.identify(vendor.fetchJson(tokens), tokens),
    vendor.emulator.accountIdOf('wahoo', ACCOUNT),
  )
})

test('a message names a workout, which is requested with its file', async () => {
  const span = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() }
  const notices = await vendor.receive(vendor.app, async (url) => {
    await vendor.connectors.enterPushAddress(vendor.connector, { kind: 'sandbox' }, vendor.app, url)
    await vendor.emulator.push('wahoo', ACCOUNT, span)
  })
  assert.ok(notices.length > 10)
  const [notice] = notices
  assert.equal(notice?.accountId, vendor.emulator.accountIdOf('wahoo', ACCOUNT))
  const [collection] = vendor.connector.collections
  const { record, details, map } = collection ?? assert.fail()
  assert.ok(record !== undefined && notice?.record !== undefined && details !== undefined)
  const fetchJson = vendor.fetchJson(tokens)
  const page = record.toPage(await fetchJson(record.request(notice.record.id)))
  const request = { range: { from: 0, to: 0 }, cursor: null, context: NO_CONTEXT }
  const files = await Promise.all(details(page, request).map((detail) => fetchJson(detail)))
  const data = new PageData({ userId: 'u', provider: 'wahoo' })
  map(page, data, files, request)
  assert.equal(data.summaries[0]?.recordId, notice.record.id)
  assert.equal(data.streams.size, 1)
  const gone = await failureOf(fetchJson(record.request('1')))
  assert.deepEqual(gone, { kind: 'unexpected', status: 404 })
})

test('limits, missing scopes, refreshes and the end of the access are understood', async () => {
  const { connector, address, app } = vendor
  const { tokens: own } = await vendor.signIn('lou', ['user_read', 'offline_data'])
  const user = () => failureOf(vendor.fetchJson(own)({ path: '/v1/user' }))
  const workouts = await failureOf(vendor.fetchJson(own)({ path: '/v1/workouts' }))
  assert.deepEqual(workouts, { kind: 'refused' })
  const fault = { kind: 'rate_limit', times: 1, milliseconds: 90_000 } as const
  await vendor.emulator.setFaults('wahoo', 'lou', [fault])
  assert.deepEqual(await user(), { kind: 'rate_limited', retryAfterMs: 90_000 })
  await vendor.emulator.setFaults('wahoo', 'lou', [{ kind: 'server_error', times: 1 }])
  assert.equal((await user())?.kind, 'unavailable')
  await vendor.emulator.expire('wahoo', 'lou')
  assert.equal((await user())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const next = await refreshTokens(connector, address, app, own, vendor.clock.now())
  assert.equal(next.expiresAt, vendor.now() + 2 * HOUR_MS)
  const refresh = (wanted: VendorTokens) =>
    failureOf(refreshTokens(connector, address, app, wanted, vendor.clock.now()))
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await refresh(own), ended)
  await revokeTokens(connector, address, app, next)
  assert.deepEqual(await refresh(next), ended)
})
