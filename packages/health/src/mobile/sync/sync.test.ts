import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SERIES } from '@salus/contracts/series'
import { createHarness } from '../../../../server/test/harness.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { BACKFILL_TYPES, resourceOfBackfillType } from './backfill-types.ts'

const STATE = { tzinfo: 'Europe/Vienna', request_start_date: '2026-01-30T12:00:00Z' }
const NOTHING_SETTLED = {
  request_start_date: null,
  request_end_date: null,
  ingestion_start: null,
  per_device_activity_ts: false,
  expires_in: 14_400,
  pull_preferences: null,
  reporting_interval: 3600,
  health_kit_params: null,
}

const salus = useFixture(createHarness)

const ask = (userId: string, body: object = STATE, provider = 'apple_health_kit') =>
  salus.call('POST', `/v2/user/${userId}/sdk_sync_state/${provider}`, body)

describe('the state of synchronization', () => {
  test('is active with a connection, paused with a paused one, else an error', async () => {
    const userId = await salus.makeUser('apple_health_kit')
    const { body } = await ask(userId)
    assert.deepEqual(body, { status: 'active', ...NOTHING_SETTLED })
    assert.equal((await ask(userId, STATE, 'health_connect')).body.status, 'error')
    const set = (status: string) =>
      salus.database.pool.query('update connections set status = $1 where user_id = $2', [
        status,
        userId,
      ])
    await set('paused')
    assert.equal((await ask(userId)).body.status, 'paused')
    await set('error')
    assert.equal((await ask(userId)).body.status, 'error')
    await salus.call('DELETE', `/v2/user/${userId}/apple_health_kit`)
    assert.equal((await ask(userId)).body.status, 'error')
  })

  test('returns the bounds of ingestion and the settings of the team', async () => {
    const userId = await salus.makeUser('samsung_health')
    const bounds = { ingestion_start: '2026-02-01', ingestion_end: '2026-03-20' }
    await salus.call('PATCH', `/v2/user/${userId}`, bounds)
    await changeSettings(salus, { sdk_per_device_activity_timeseries: true })
    salus.clock.advance(6)
    const { body } = await ask(userId, STATE, 'samsung_health')
    assert.equal(body.ingestion_start, '2026-02-01T00:00:00+00:00')
    assert.equal(body.request_end_date, '2026-03-20T23:59:59+00:00')
    assert.equal(body.per_device_activity_ts, true)
    await changeSettings(salus, { sdk_per_device_activity_timeseries: false })
    salus.clock.advance(6)
  })

  test('returns how much history the team wants, in the spelling of clients', async () => {
    const userId = await salus.makeUser('apple_health_kit')
    const prefer = async (days: number | null, resourceOverrides: object) => {
      await salus.database.pool.query(
        `insert into team_pull_preferences (environment_id, provider, days, resource_overrides, updated_at)
        select environment_id, 'apple_health_kit', $2, $3, now() from users where id = $1
        on conflict (environment_id, provider) do update
          set days = excluded.days, resource_overrides = excluded.resource_overrides`,
        [userId, days, JSON.stringify(resourceOverrides)],
      )
      return (await ask(userId)).body.pull_preferences
    }
    assert.deepEqual(await prefer(90, {}), {
      historical_days_to_pull: 90,
      backfill_type_overrides: null,
    })
    assert.deepEqual(await prefer(90, { hrv: 7, stress_level: 3, note: 1 }), {
      historical_days_to_pull: 90,
      backfill_type_overrides: {
        heartrate_variability: { historical_days_to_pull: 7 },
        stress: { historical_days_to_pull: 3 },
      },
    })
    assert.equal(await prefer(null, { hrv: 7 }), null)
    await salus.database.pool.query('delete from team_pull_preferences')
  })

  test('learns zone and permissions from the device, and no zone over one set by hand', async () => {
    const userId = await salus.makeUser('health_connect')
    const zoneOf = async () => {
      const { body } = await salus.call('GET', `/v2/user/${userId}`)
      return [body.fallback_time_zone?.id, body.fallback_time_zone?.source_slug]
    }
    const granted_permissions = ['READ_STEPS', 'READ_SLEEP']
    await ask(userId, { ...STATE, granted_permissions }, 'health_connect')
    assert.deepEqual(await zoneOf(), ['Europe/Vienna', 'health_connect'])
    const { rows } = await salus.database.pool.query(
      'select granted_permissions from connections where user_id = $1',
      [userId],
    )
    assert.deepEqual(rows[0].granted_permissions, granted_permissions)
    const odd = await ask(userId, { tzinfo: 'GMT+2' }, 'health_connect')
    assert.equal(odd.status, 200)
    await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Asia/Tokyo' })
    await ask(userId, STATE, 'health_connect')
    assert.deepEqual(await zoneOf(), ['Asia/Tokyo', 'manual'])
  })

  test('is for stores of phones and for people of the team', async () => {
    const userId = await salus.makeUser('manual')
    assert.equal((await ask(userId, STATE, 'manual')).status, 422)
    assert.equal((await ask(userId, {})).status, 422)
    const { sandboxKey } = await salus.makeTeam()
    const url = `/v2/user/${userId}/sdk_sync_state/health_connect`
    const key = { 'x-service-api-key': sandboxKey }
    assert.equal((await salus.call('POST', url, STATE, key)).status, 404)
  })
})

describe('the start of a historical stage', () => {
  const start = (userId: string, change: object = {}) =>
    salus.call('POST', `/v2/user/${userId}/sdk_start_historical_stage/apple_health_kit`, {
      range_start: '2026-01-30T12:00:00Z',
      range_end: '2026-03-01T12:00:00Z',
      backfill_type: 'heartrate_variability',
      ...change,
    })
  const pullsOf = async (userId: string) => {
    const { body } = await salus.call('GET', `/v2/introspect/historical_pull?user_id=${userId}`)
    return body.data[0]?.provider.apple_health_kit.pulled
  }
  const finish = (userId: string) =>
    salus.call('POST', `/v2/timeseries/${userId}/heartrate_variability`, {
      stage: 'historical',
      provider: 'apple_health_kit',
      start_date: '2026-01-30T12:00:00Z',
      end_date: '2026-03-01T12:00:00Z',
      data: [],
      is_final_chunk: true,
    })

  test('is a pull in progress, which the last chunk ends', async () => {
    const userId = await salus.makeUser('apple_health_kit')
    assert.equal((await start(userId)).status, 200)
    const [first] = [(await pullsOf(userId)).hrv]
    assert.equal(first.status, 'in_progress')
    assert.equal(first.range_start, '2026-01-30T12:00:00+00:00')
    assert.equal(first.timeline.ended_at, null)
    // A repeated call is the same run, over both ranges.
    salus.clock.advance(60)
    await start(userId, { range_start: '2026-01-20T12:00:00Z' })
    const again = (await pullsOf(userId)).hrv
    assert.equal(again.trace_id, first.trace_id)
    assert.equal(again.range_start, '2026-01-20T12:00:00+00:00')
    assert.equal((await finish(userId)).status, 200)
    assert.equal((await pullsOf(userId)).hrv.status, 'success')
    salus.clock.advance(60)
    await start(userId)
    const next = (await pullsOf(userId)).hrv
    assert.equal(next.status, 'in_progress')
    assert.notEqual(next.trace_id, first.trace_id)
    assert.equal(next.range_start, '2026-01-30T12:00:00+00:00')
  })

  test('is refused without a connection, for a turned range and for unknown types', async () => {
    const unconnected = await salus.makeUser()
    const codeOf = async (userId: string, change?: object) => {
      const { status, body } = await start(userId, change)
      return [status, body.detail.error_type ?? body.detail[0].type]
    }
    assert.deepEqual(await codeOf(unconnected), [400, 'not_connected'])
    const userId = await salus.makeUser('apple_health_kit')
    const turned = { range_end: '2025-01-01T00:00:00Z' }
    assert.deepEqual(await codeOf(userId, turned), [400, 'invalid_date_range'])
    assert.deepEqual(await codeOf(userId, { backfill_type: 'mood' }), [422, 'enum'])
    assert.equal(await pullsOf(userId), undefined)
  })

  test('of every type is recorded as uploads of it are', () => {
    const summaries = ['workouts', 'activity', 'sleep', 'body', 'workout_stream', 'sleep_stream']
    const known = new Set<string>([
      ...summaries,
      ...['profile', 'meal', 'menstrual_cycle', 'electrocardiogram'],
      ...SERIES.map(({ resource }) => resource),
    ])
    assert.deepEqual(
      BACKFILL_TYPES.filter((type) => !known.has(resourceOfBackfillType(type))),
      [],
    )
    assert.equal(resourceOfBackfillType('heartrate_variability'), 'hrv')
    assert.equal(resourceOfBackfillType('temperature'), 'body_temperature')
    assert.equal(resourceOfBackfillType('stress'), 'stress_level')
  })
})

describe('a report of progress', () => {
  const REPORT = {
    sync_progress: {
      backfill_types: {
        steps: {
          syncs: [
            {
              start: '2026-03-01T11:00:00Z',
              tags: [0, 2],
              statuses: [{ timestamp: '2026-03-01T11:00:01Z', type: 1, count: 1 }],
              data_count: 12,
            },
          ],
          data_count: 12,
        },
      },
      system_events: [{ timestamp: '2026-03-01T11:00:00Z', type: 1, count: 1 }],
      data_count: 12,
      of_a_later_version: true,
    },
    device_info: {
      os_version: '26.1',
      model: 'iPhone18,1',
      app_bundle: 'com.example.app',
      app_version: '1.2',
      app_build: '34',
    },
  }
  const send = (userId: string, report: unknown, provider = 'apple_health_kit') =>
    salus.call(
      'POST',
      `/v2/user/${userId}/sdk_sync_progress/${provider}`,
      gzipSync(JSON.stringify(report)),
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    )
  const storedOf = async (userId: string) => {
    const { rows } = await salus.database.pool.query(
      'select provider, report from sdk_sync_reports where user_id = $1 order by provider',
      [userId],
    )
    return rows
  }

  test('is kept as it came, the latest of each provider', async () => {
    const userId = await salus.makeUser()
    assert.equal((await send(userId, { ...REPORT, sync_progress: {} })).status, 200)
    assert.equal((await send(userId, REPORT)).status, 200)
    assert.equal((await send(userId, REPORT, 'health_connect')).status, 200)
    assert.deepEqual(await storedOf(userId), [
      { provider: 'apple_health_kit', report: REPORT },
      { provider: 'health_connect', report: REPORT },
    ])
  })

  test('is refused when it is too large, not a report, or about an unknown user', async () => {
    const userId = await salus.makeUser()
    const bomb = { ...REPORT, padding: 'x'.repeat(2 * 1024 ** 2) }
    assert.equal((await send(userId, bomb)).status, 413)
    assert.equal((await send(userId, { device_info: {} })).status, 422)
    assert.equal((await send(userId, { ...REPORT, note: 'a\0b' })).status, 422)
    assert.equal((await send(salus.teamId, REPORT)).status, 404)
    assert.deepEqual(await storedOf(userId), [])
  })
})
