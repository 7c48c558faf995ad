import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  WHOOP_ACTIVITY,
  WHOOP_CYCLE_DETAILS,
  WHOOP_EVENTS,
  WHOOP_SLEEP,
} from '../../../../server/test/connectors/pages/whoop.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { CYCLE_PAGES, stageRequests } from './cycle-pages.ts'
import { mapCycles } from './cycles.mapper.ts'

const OFFSET = 20_700
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const CONTEXT = { extra: {}, now: RANGE.to, app: undefined }
const REQUEST = { range: RANGE, cursor: null, context: CONTEXT }
const { sleeps: _, workouts: __, ...DAY } = WHOOP_CYCLE_DETAILS

function map(answer: unknown, ...details: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'whoop' })
  mapCycles(answer, data, details, REQUEST)
  return data
}

const sleeping = (change: object, ...details: unknown[]) =>
  map([{ ...DAY, sleeps: [{ ...WHOOP_SLEEP, ...change }] }], ...details)

/** Columns with a value, of the only summary of a resource. */
function valuesOf({ summaries }: PageData, resource: string): Record<string, unknown> {
  const [summary, ...others] = summaries.filter((one) => one.resource === resource)
  assert.deepEqual([summary === undefined, others], [false, []])
  const values = Object.entries(summary?.values ?? {})
  return Object.fromEntries(values.filter(([, value]) => value !== null && String(value) !== ''))
}

const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

describe('cycles', () => {
  test('are the days that the vendor names, with kilocalories and the resting heart rate', () => {
    const data = map([DAY])
    const { raw: _, values: __, ...frame } = data.summaries[0] ?? assert.fail()
    const at = Date.UTC(2026, 1, 3, 22, 10)
    assert.deepEqual(frame, {
      resource: 'activity',
      recordId: '93710001',
      sourceType: 'watch',
      appId: '',
      deviceModel: '',
      calendarDate: '2026-02-04',
      startedAt: at,
      // It goes on.
      endedAt: at,
      timezoneOffset: OFFSET,
      timeZone: '',
      modifiedAt: null,
    })
    assert.deepEqual(valuesOf(data, 'activity'), {
      calories_total: 2250,
      heart_rate_mean: 68,
      heart_rate_maximum: 161,
      heart_rate_resting: 52,
    })
  })

  test('without a named day belong to that of twelve hours later', () => {
    const { days: _, ...cycle } = WHOOP_CYCLE_DETAILS.cycle
    const dayOf = (change: object) =>
      map([{ cycle: { ...cycle, ...change } }]).summaries[0]?.calendarDate
    assert.equal(dayOf({}), '2026-02-04')
    assert.equal(dayOf({ timezone_offset: '-0500' }), '2026-02-04')
    assert.equal(dayOf({ days: ['2026-02-05', '2026-02-06'] }), '2026-02-05')
  })

  test('of all forms are read, in all wrappers', () => {
    const { cycle, ...rest } = WHOOP_CYCLE_DETAILS
    const older = {
      ...cycle,
      ...rest,
      days: ['2026-02-04'],
      strain: { workouts: rest.workouts },
      workouts: undefined,
      recovery: {
        sleep_id: WHOOP_SLEEP.activity_id,
        score_state: 'SCORED',
        score: {
          recovery_score: 71,
          resting_heart_rate: 52,
          hrv_rmssd_milli: 62.5,
          skin_temp_celsius: 33.75,
        },
      },
    }
    const expected = map([WHOOP_CYCLE_DETAILS]).summaries.map(({ values }) => values)
    for (const answer of [
      [older],
      { records: [WHOOP_CYCLE_DETAILS] },
      { cycles: [older] },
      { data: [older] },
      { results: [older] },
    ]) {
      assert.deepEqual(
        map(answer).summaries.map(({ values }) => values),
        expected,
      )
    }
    for (const odd of [null, 7, {}, { records: 7 }]) assert.throws(() => map(odd), VendorError)
  })

  test('without measurements have nothing to store, and wrong ones are quarantined alone', () => {
    assert.deepEqual(
      map([{ cycle: { ...DAY.cycle, day_kilojoules: -1 } }, DAY, 7]).summaries.length,
      1,
    )
    const { id, during, days } = DAY.cycle
    assert.deepEqual(map([{ cycle: { id, during, days }, recovery: null }]).summaries, [])
    assert.deepEqual(refused(map([{ cycle: { ...DAY.cycle, id: null } }])), [
      ['activity', 'invalid_field'],
    ])
    assert.deepEqual(refused(map([{ cycle: { ...DAY.cycle, during: 'now' } }])), [
      ['activity', 'invalid_start_date'],
    ])
  })

  test('before the range are not mapped, but what happened within it in them is', () => {
    const cycle = {
      ...DAY.cycle,
      during: "['2026-01-31T22:10:00.000Z','2026-02-03T22:00:00.000Z')",
    }
    const during = "['2026-01-31T23:10:00.000Z','2026-02-01T00:00:00.000Z')"
    const workouts = [WHOOP_ACTIVITY, { ...WHOOP_ACTIVITY, activity_id: 'before', during }]
    const { summaries } = map([{ cycle, workouts }])
    assert.deepEqual(
      summaries.map(({ resource, recordId }) => [resource, recordId]),
      [['workouts', WHOOP_ACTIVITY.activity_id]],
    )
  })
})

describe('sleeps', () => {
  test('have the sums of the vendor, their stages, and the values of their recovery', () => {
    const data = sleeping({}, WHOOP_EVENTS)
    assert.deepEqual(valuesOf(data, 'sleep'), {
      duration_second: 26_640,
      stage_asleep_second: 24_841,
      stage_awake_second: 1740,
      stage_light_second: 13_320,
      stage_deep_second: 5401,
      stage_rem_second: 6120,
      stage_unknown_second: 60,
      latency_second: 360,
      efficiency: (100 * 24_841) / 26_640,
      respiratory_rate: 15.234375,
      score: 83,
      recovery_readiness_score: 71,
      heart_rate_resting: 52,
      hrv_mean_rmssd: 62.5,
      skin_temperature: 33.75,
      stage_start_offset_second: [0, 360, 4800, 10_200],
      stage_end_offset_second: [360, 4800, 10_200, 26_640],
      // Awake, light, deep, REM.
      stage_type: [4, 2, 1, 3],
    })
    const night = data.summaries.find(({ resource }) => resource === 'sleep')
    assert.equal(night?.recordId, WHOOP_SLEEP.activity_id)
    assert.deepEqual(
      [night?.timezoneOffset, night?.modifiedAt],
      [OFFSET, Date.UTC(2026, 1, 4, 6, 10, 0, 500)],
    )
    assert.deepEqual(data.quarantined, [])
  })

  test('need a request each for their stages, which are in a list or a field', () => {
    const { activity_id: activityId } = WHOOP_SLEEP
    const answer = [{ ...DAY, sleeps: [{ ...WHOOP_SLEEP, activity_id: null }, WHOOP_SLEEP] }]
    assert.deepEqual(stageRequests(answer, RANGE), [
      {
        path: '/sleep-service/v1/sleep-events',
        query: { apiVersion: '7', activityId },
        isOptional: true,
      },
    ])
    const stagesOf = (events: unknown) =>
      map(answer, events).summaries.find(({ resource }) => resource === 'sleep')?.values as {
        stage_type: number[]
      }
    assert.deepEqual(stagesOf({ id: 1, events: WHOOP_EVENTS }).stage_type, [4, 2, 1, 3])
    assert.deepEqual(stagesOf(undefined).stage_type, [])
    assert.deepEqual(stagesOf({ id: 1 }).stage_type, [])
  })

  test('take a recovery that names them, otherwise the longest night does', () => {
    const recovery = { ...DAY.recovery, sleep_id: undefined }
    const nap = { ...WHOOP_SLEEP, activity_id: 'nap', is_nap: true }
    const half = {
      ...WHOOP_SLEEP,
      activity_id: 'half',
      during: "['2026-02-03T19:00:00.000Z','2026-02-03T21:00:00.000Z')",
    }
    const { summaries } = map([{ ...DAY, recovery, sleeps: [half, nap, WHOOP_SLEEP] }])
    const sleeps = summaries.filter(({ resource }) => resource === 'sleep')
    const scores = sleeps.map(({ recordId, values }) => {
      const { recovery_readiness_score: score, type } = values as Record<string, unknown>
      return [recordId, score ?? null, type ?? null]
    })
    assert.deepEqual(scores, [
      ['half', null, null],
      ['nap', null, 'acknowledged_nap'],
      [WHOOP_SLEEP.activity_id, 71, null],
    ])
  })

  test('have a variability in milliseconds, however the vendor writes it', () => {
    for (const written of [
      { hrv_rmssd: 0.0625 },
      { hrv_rmssd: null, hrv_rmssd_milli: 62.5 },
      { hrv_rmssd: null, hrv_rmssd_milli: 0.0625 },
    ]) {
      const recovery = { ...DAY.recovery, ...written }
      const data = map([{ ...DAY, recovery, sleeps: [WHOOP_SLEEP] }])
      assert.equal(valuesOf(data, 'sleep').hrv_mean_rmssd, 62.5)
    }
  })

  test('wait for their score, and are quarantined when they are invalid', () => {
    for (const change of [
      { state: 'pending' },
      { state: undefined, score_state: 'PENDING_SCORE' },
    ]) {
      const { summaries, quarantined } = sleeping(change)
      assert.deepEqual([summaries.length, quarantined], [1, []])
    }
    for (const [change, reason] of [
      [{ during: "['2026-02-03T22:10:00.000Z',)" }, 'invalid_end_date'],
      [{ timezone_offset: 'Europe/Berlin' }, 'invalid_field'],
      [{ rem_sleep_duration: '1' }, 'invalid_value'],
      [{ score: 140 }, 'out_of_range'],
    ] as const) {
      assert.deepEqual(refused(sleeping(change)), [['sleep', reason]])
    }
    const wrong = [{ type: 'SWS', during: 'never' }, { type: 'SWS', during: null }, { type: 'NEW' }]
    assert.deepEqual(refused(sleeping({}, [...WHOOP_EVENTS, ...wrong])), [
      ['sleep_cycle', 'invalid_field'],
      ['sleep_cycle', 'invalid_field'],
    ])
  })
})

describe('workouts', () => {
  test('have the sport of their number, zones and kilocalories', () => {
    assert.deepEqual(valuesOf(map([{ ...DAY, workouts: [WHOOP_ACTIVITY] }]), 'workouts'), {
      sport_name: 'Cycling',
      sport_slug: 'cycling',
      heart_rate_mean: 128,
      heart_rate_maximum: 161,
      heart_rate_zone_1: 120.5,
      heart_rate_zone_2: 600,
      heart_rate_zone_3: 1500,
      heart_rate_zone_4: 779.5,
      heart_rate_zone_5: 0,
      heart_rate_zone_6: 0,
      distance_meter: 18_250.5,
      elevation_gain_meter: 96.5,
      calories: 1673.6 / 4.184,
    })
  })

  test('without values have times and a sport, and need an end', () => {
    const { activity_id, during } = WHOOP_ACTIVITY
    const bare = { activity_id, during, sport_id: -1 }
    const data = map([{ ...DAY, workouts: [bare, 7] }])
    assert.deepEqual(valuesOf(data, 'workouts'), { sport_name: 'Other', sport_slug: 'other' })
    // The offset is that of the cycle.
    assert.equal(data.summaries.at(-1)?.timezoneOffset, OFFSET)
    const open = { ...bare, during: "['2026-02-04T10:00:00.000Z',)" }
    assert.deepEqual(refused(map([{ ...DAY, workouts: [open, 7] }])), [
      ['workouts', 'invalid_end_date'],
      ['workouts', 'not_an_object'],
    ])
  })
})

test('a range is requested with three days before it, in which its cycles may have begun', () => {
  assert.deepEqual(CYCLE_PAGES.page(RANGE, null, CONTEXT), {
    path: '/core-details-bff/v0/cycles/details',
    query: {
      apiVersion: '7',
      id: 'USER_ID',
      startTime: '2026-01-29T00:00:00.000Z',
      endTime: '2026-02-08T00:00:00.000Z',
      limit: '26',
    },
  })
})
