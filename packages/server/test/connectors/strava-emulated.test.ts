import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createSend, refreshTokens, revokeTokens } from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { Heart } from '../../../sandbox/src/providers/people/heart.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'

/** The connector brings what the people of the emulated vendor do. */

const vendor = new EmulatedConnector('strava')
const ACCOUNT = 'jan+live'
const calendar = new Calendar(personOf('strava', ACCOUNT))
/** What happened more than some days ago changes no more. */
const SPAN = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() - 4 * DAY_MS }
const SLUGS: Readonly<Record<string, string>> = {
  running: 'trail_running',
  cycling: 'gravel_cycling',
  strength_training: 'traditional_strength_training',
}

before(() => vendor.emulator.listen())
after(() => vendor.close())

test('every activity arrives once, with its stream, and nothing else', async () => {
  const { tokens } = await vendor.signIn(ACCOUNT)
  const data = await vendor.pull('activities', tokens, SPAN)
  assert.deepEqual(data.quarantined, [])
  const exercises = calendar
    .days(SPAN)
    .flatMap((day) => day.exercises)
    .filter(({ from }) => from >= SPAN.from && from < SPAN.to)
  const { summaries } = data
  assert.equal(new Set(summaries.map(({ recordId }) => recordId)).size, summaries.length)
  // People delete some.
  assert.ok(summaries.length > 15 && summaries.length <= exercises.length)
  const manual = summaries.filter(({ sourceType }) => sourceType === 'app')
  assert.ok(manual.length > 0 && manual.length < summaries.length / 2)
  assert.equal(data.streams.size, summaries.length - manual.length)
  const streams = [...data.streams.values()]
  for (const { startedAt, endedAt, values, timezoneOffset, sourceType } of summaries) {
    const exercise = exercises.find(({ from }) => from === startedAt) ?? assert.fail()
    assert.equal(endedAt, exercise.to)
    assert.equal(timezoneOffset, calendar.offsetAt(startedAt) / 1000)
    const minutes = activeMinutes(calendar, exercise)
    const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
    const { weightKilograms } = calendar.person
    const kilocalories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
    const columns = known(values)
    const { name } = exercise.sport
    assert.equal(columns.sport_slug, SLUGS[name] ?? name)
    const isNear = (value: unknown, expected: number, unit: number) =>
      assert.ok(Math.abs(Number(value) - expected) <= unit, `${value} ${expected}`)
    isNear(columns.distance_meter ?? 0, meters, 0.051)
    if (sourceType === 'app') {
      assert.equal(columns.calories ?? columns.speed_maximum, undefined)
      continue
    }
    isNear(columns.calories, kilocalories, 0.051)
    const stream = streams.find(({ time }) => time[0] === startedAt / 1000) ?? assert.fail()
    assert.equal(stream.time.length, (endedAt - startedAt) / 10_000)
    isNear(stream.distance?.at(-1) ?? 0, meters, 0.051)
    const beats: number[] = []
    new Heart(calendar).each(exercise, 10_000, (_at, rate) => beats.push(rate))
    if (beats.length !== stream.time.length) {
      // The device was off for a while.
      assert.equal(stream.heartrate, undefined)
      continue
    }
    assert.deepEqual(stream.heartrate, beats)
    const mean = beats.reduce((sum, rate) => sum + rate, 0) / beats.length
    isNear(columns.heart_rate_mean, mean, 0.551)
    assert.equal(columns.heart_rate_maximum, Math.max(...beats))
    assert.equal(columns.heart_rate_minimum, Math.min(...beats))
    if (name === 'running') {
      const steps = minutes.flatMap((minute) => Array(6).fill(2 * Math.round(minute.steps / 2)))
      assert.deepEqual(stream.cadence, steps)
      assert.equal(stream.lat?.length, stream.time.length)
    }
  }
})

test('the sex of the athlete arrives', async () => {
  const { tokens } = await vendor.signIn(ACCOUNT)
  const { summaries } = await vendor.pull('athlete', tokens, SPAN)
  assert.deepEqual(known(summaries[0]?.values ?? {}), { sex: calendar.person.sex })
})

test('the callback names the scopes, and without that of activities there are none', async () => {
  const { tokens, grantedScopes } = await vendor.signIn('bob', ['read'])
  assert.deepEqual(grantedScopes, ['read'])
  const id = await vendor.connector.auth.identify(vendor.fetchJson(tokens), tokens)
  assert.equal(id, vendor.emulator.accountIdOf('strava', 'bob'))
  const failure = await failureOf(vendor.pull('activities', tokens, SPAN))
  assert.deepEqual(failure, { kind: 'refused' })
})

test('tokens are refreshed, and end when the person ends the access', async () => {
  const { tokens } = await vendor.signIn('carla')
  assert.equal(tokens.expiresAt, vendor.now() + 6 * HOUR_MS)
  const refresh = (former = tokens, app = vendor.app) =>
    refreshTokens(vendor.connector, vendor.address, app, former, vendor.clock.now())
  const next = await refresh()
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  const wrong = await failureOf(refresh(next, { ...vendor.app, clientSecret: 'wrong' }))
  assert.equal(wrong?.kind, 'unexpected')
  await revokeTokens(vendor.connector, vendor.address, vendor.app, next)
  assert.deepEqual(await failureOf(refresh(next)), ended)
  const pulled = await failureOf(vendor.pull('athlete', next, SPAN))
  assert.deepEqual(pulled, { kind: 'unauthorized' })
})

test('limits and errors of the vendor are understood', async () => {
  const { tokens } = await vendor.signIn('dave')
  const failure = async (kind: 'rate_limit' | 'server_error' | 'malformed') => {
    await vendor.emulator.setFaults('strava', 'dave', [{ kind }])
    return failureOf(vendor.pull('athlete', tokens, SPAN))
  }
  const limited = await failure('rate_limit')
  const quarter = 15 * MINUTE_MS
  // The vendor's clock has whole seconds.
  const second = Math.floor(vendor.now() / 1000) * 1000
  const retryAfterMs = quarter - (second % quarter)
  assert.deepEqual(limited, { kind: 'rate_limited', retryAfterMs })
  assert.deepEqual(await failure('server_error'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})

for (const account of ['carla', 'carla+unsigned']) {
  test(`messages about ${account} lead to activities, and name those that are gone`, async () => {
    const { connector, emulator } = vendor
    const { push } = connector
    const { tokens } = await vendor.signIn(account)
    const send = createSend(vendor.address)
    const app = { ...vendor.app, secrets: {} as Record<string, string> }
    const end = vendor.now()
    const notices = await vendor.receive(app, async (url) => {
      for (const callback of [url, `${url}2`, `${url}2`]) {
        Object.assign(app.secrets, await push?.subscribe?.(send, app, callback))
      }
      assert.match(app.secrets.subscription_id ?? '', /^\d+$/)
      for (let at = end - 60 * DAY_MS; at < end; at += DAY_MS / 2) {
        await emulator.push('strava', account, { from: at, to: at + DAY_MS / 2 })
      }
      const fetchJson = vendor.fetchJson(tokens)
      await emulator.revoke('strava', account)
      assert.deepEqual(await failureOf(fetchJson({ path: '/api/v3/athlete' })), {
        kind: 'unauthorized',
      })
    })
    const accountId = emulator.accountIdOf('strava', account)
    assert.ok(notices.every((notice) => notice.accountId === accountId))
    // The last one ends the access.
    assert.equal(notices.at(-1)?.collection, null)
    const records = notices.flatMap(({ record }) => record ?? [])
    const { activities = [] } = emulator.truthOf('strava', account, { from: 0, to: end })
    const present = new Set(activities.map((one) => String((one as { id: number }).id)))
    const last = new Map(records.map(({ id, isDeleted }) => [id, isDeleted]))
    assert.ok([...last.values()].includes(true))
    for (const [id, isDeleted] of last) assert.equal(present.has(id), !isDeleted)
  })
}
