import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  WHOOP_BODY,
  WHOOP_CYCLE,
  WHOOP_NIGHT,
  WHOOP_RECOVERY,
  WHOOP_WORKOUT,
} from '../../../../server/test/connectors/pages/whoop-v2.pages.ts'
import { toSport } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { sportOf, WHOOP_SPORTS } from '../whoop-sports.ts'
import { mapBody, mapCycles, mapSleeps, mapWorkouts } from './whoop.mapper.ts'
import { recoveriesOf } from './whoop-pages.ts'

type Mapper = typeof mapSleeps
const OFFSET = 20_700
const REQUEST = { range: { from: 0, to: Date.UTC(2026, 1, 11) }, cursor: null, context: NO_CONTEXT }

function map(mapper: Mapper, records: readonly unknown[], ...recoveries: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'whoop_v2' })
  const details = recoveries.length === 0 ? [] : [{ records: recoveries }]
  mapper({ records, next_token: null }, data, details)
  return data
}

/** Columns with a value, of the only summary. */
function valuesOf({ summaries }: PageData): Record<string, unknown> {
  assert.equal(summaries.length, 1)
  const values = Object.entries(summaries[0]?.values ?? {})
  return Object.fromEntries(values.filter(([, value]) => value !== null && String(value) !== ''))
}

const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

describe('cycles', () => {
  test('are days, with kilocalories', () => {
    const data = map(mapCycles, [WHOOP_CYCLE])
    const { raw, values: _, ...frame } = data.summaries[0] ?? assert.fail()
    assert.deepEqual(frame, {
      resource: 'activity',
      recordId: '881001',
      sourceType: 'watch',
      appId: '',
      deviceModel: '',
      calendarDate: '2026-02-10',
      startedAt: Date.UTC(2026, 1, 9, 17, 12, 40, 500),
      endedAt: Date.UTC(2026, 1, 10, 17, 40),
      timezoneOffset: OFFSET,
      timeZone: '',
      modifiedAt: Date.UTC(2026, 1, 10, 6, 41, 2, 250),
    })
    assert.equal(raw, WHOOP_CYCLE)
    assert.deepEqual(valuesOf(data), {
      calories_total: 2250,
      heart_rate_mean: 71,
      heart_rate_maximum: 158,
    })
  })

  test('belong to the local day twelve hours after their start', () => {
    const dayOf = (start: string, timezone_offset: unknown) =>
      map(mapCycles, [{ ...WHOOP_CYCLE, start, end: null, timezone_offset }]).summaries[0]
        ?.calendarDate
    assert.equal(dayOf('2026-02-10T03:30:00.000Z', '-05:00'), '2026-02-10')
    assert.equal(dayOf('2026-02-10T06:30:00.000Z', '-05:00'), '2026-02-10')
    assert.equal(dayOf('2026-02-10T18:00:00.000Z', '-05:00'), '2026-02-11')
    assert.equal(dayOf('2026-02-10T12:00:00.000Z', 'Z'), '2026-02-11')
    assert.equal(dayOf('2026-02-10T11:59:59.000Z', null), '2026-02-10')
  })

  test('in progress have no end, and those without a score nothing to store', () => {
    const { end: _, ...running } = WHOOP_CYCLE
    const [cycle] = map(mapCycles, [running]).summaries
    assert.equal(cycle?.endedAt, cycle?.startedAt)
    for (const score_state of ['PENDING_SCORE', 'UNSCORABLE', 'NEW', null]) {
      const { score: __, ...plain } = WHOOP_CYCLE
      const data = map(mapCycles, [{ ...plain, score_state }])
      assert.deepEqual([data.summaries, data.quarantined], [[], []])
    }
  })
})

describe('sleeps', () => {
  test('have the sums of their stages, and the values of their recovery', () => {
    const other = { ...WHOOP_RECOVERY, sleep_id: 'another' }
    const data = map(mapSleeps, [WHOOP_NIGHT], other, WHOOP_RECOVERY)
    assert.deepEqual(valuesOf(data), {
      duration_second: 27_600,
      stage_asleep_second: 25_741,
      stage_awake_second: 1800,
      stage_light_second: 14_400,
      stage_deep_second: 5401,
      stage_rem_second: 5940,
      stage_unknown_second: 60,
      efficiency: (100 * 25_741) / 27_600,
      respiratory_rate: 14.6484375,
      score: 87,
      recovery_readiness_score: 64,
      heart_rate_resting: 51,
      hrv_mean_rmssd: 47.813562,
      skin_temperature: 33.7,
    })
    const [night] = data.summaries
    assert.equal(night?.recordId, WHOOP_NIGHT.id)
    assert.equal(night?.timezoneOffset, OFFSET)
    // That of the recovery, which came later.
    assert.equal(night?.modifiedAt, Date.UTC(2026, 1, 10, 6, 50))
    assert.deepEqual(night?.raw, { ...WHOOP_NIGHT, recovery: WHOOP_RECOVERY })
    assert.deepEqual([data.samples, data.quarantined], [[], []])
  })

  test('are naps where the vendor says so', () => {
    assert.equal(valuesOf(map(mapSleeps, [{ ...WHOOP_NIGHT, nap: true }])).type, 'acknowledged_nap')
    assert.equal(valuesOf(map(mapSleeps, [WHOOP_NIGHT])).type, undefined)
  })

  test('wait for their score, and have only times when they cannot be scored', () => {
    const { score: _, ...plain } = WHOOP_NIGHT
    assert.deepEqual(map(mapSleeps, [{ ...plain, score_state: 'PENDING_SCORE' }]).summaries, [])
    const times = { duration_second: 27_600, stage_asleep_second: 27_600, efficiency: 100 }
    for (const record of [
      { ...plain, score_state: 'UNSCORABLE' },
      { ...plain, score: null },
      { ...WHOOP_NIGHT, score: {} },
    ]) {
      assert.deepEqual(valuesOf(map(mapSleeps, [record])), times)
    }
  })

  test('take no recovery that is not scored, and lose only that which is invalid', () => {
    const { score, ...pending } = WHOOP_RECOVERY
    const wait = map(mapSleeps, [WHOOP_NIGHT], { ...pending, score_state: 'PENDING_SCORE' })
    assert.equal(valuesOf(wait).recovery_readiness_score, undefined)
    const wrong = { ...pending, score: { ...score, recovery_score: 163 } }
    const data = map(mapSleeps, [WHOOP_NIGHT], wrong, null)
    assert.equal(valuesOf(data).heart_rate_resting, undefined)
    assert.deepEqual(refused(data), [['sleep', 'out_of_range']])
  })

  test('need one page of recoveries a page', () => {
    const [request] = recoveriesOf({ records: [WHOOP_NIGHT, WHOOP_CYCLE, 7] })
    assert.deepEqual(request, {
      path: '/developer/v2/recovery',
      query: {
        start: '2026-02-08T17:12:40.500Z',
        end: '2026-02-11T17:40:00.000Z',
        limit: '25',
        nextToken: undefined,
      },
      isOptional: true,
    })
    assert.deepEqual(recoveriesOf({ records: [] }), [])
  })
})

describe('workouts', () => {
  test('have zones, and kilocalories', () => {
    assert.deepEqual(valuesOf(map(mapWorkouts, [WHOOP_WORKOUT])), {
      sport_name: 'Hiking',
      sport_slug: 'hiking',
      heart_rate_mean: 121,
      heart_rate_maximum: 149,
      heart_rate_zone_1: 13.458,
      heart_rate_zone_2: 389.37,
      heart_rate_zone_3: 1800,
      heart_rate_zone_4: 711.37,
      heart_rate_zone_5: 0,
      heart_rate_zone_6: 0,
      distance_meter: 3870.5,
      elevation_gain_meter: 46.6,
      calories: 1569.25 / 4.184,
    })
  })

  test('without a score have times and a sport, also by its number', () => {
    const { score: _, sport_name: __, ...plain } = WHOOP_WORKOUT
    for (const score_state of ['PENDING_SCORE', 'UNSCORABLE']) {
      assert.deepEqual(valuesOf(map(mapWorkouts, [{ ...plain, score_state }])), {
        sport_name: 'Hiking',
        sport_slug: 'hiking',
      })
    }
  })

  /** No sports, or none that the table has. */
  const OTHER = [
    ...['activity', 'other', 'coaching', 'ice bath', 'gaming', 'caddying', 'manual labor'],
    ...['operations - tactical', 'operations - medical', 'operations - flying'],
    ...['operations - water', 'stage performance', 'high stress work', 'circus arts'],
    ...['massage therapy', 'watching sports', 'sauna', 'air compression', 'percussive massage'],
    ...['dedicated parenting', 'toddlerwearing', 'babywearing', 'musical performance'],
    ...['cooking', 'public speaking'],
  ]

  test('have the sport that the vendor names', () => {
    assert.equal(WHOOP_SPORTS.length, 122)
    const slugOf = (sport_name: string) => toSport(sportOf({ sport_name })).slug
    assert.deepEqual(WHOOP_SPORTS.filter((name) => slugOf(name) === 'other').sort(), OTHER.sort())
    for (const [name, slug] of [
      ['running', 'running'],
      ['football', 'american_football'],
      ['soccer', 'soccer'],
      ['track & field', 'track_and_field'],
      ['functional fitness', 'functional_strength_training'],
      ['strength trainer', 'strength_training'],
      ['assault bike', 'stationary_biking'],
      ["barry's", 'high_intensity_interval_training'],
      ['stroller jogging', 'running'],
      ['stroller walking', 'walking'],
      ['jumping rope', 'jump_rope'],
      ['stadium steps', 'stairs'],
      ['kite boarding', 'kitesurfing'],
      ['box fitness', 'boxing'],
      ['hurling/camogie', 'hurling'],
      // Current records have names in this form.
      ['weightlifting_msk', 'weightlifting'],
      ['Powerlifting MSK', toSport('powerlifting').slug],
      ['hiking-rucking', 'hiking'],
      ['barrys', 'high_intensity_interval_training'],
    ] as const) {
      assert.equal(slugOf(name), slug, name)
    }
    assert.equal(sportOf({ sport_id: 126 }), 'assault bike')
    assert.equal(sportOf({ sport_id: 9999 }), '')
  })
})

test('the answer for one record is read like a page', () => {
  const data = new PageData({ userId: 'u', provider: 'whoop_v2' })
  mapCycles(WHOOP_CYCLE, data)
  mapSleeps(WHOOP_NIGHT, data, [WHOOP_RECOVERY])
  mapWorkouts(WHOOP_WORKOUT, data)
  assert.deepEqual(
    data.summaries.map(({ resource }) => resource),
    ['activity', 'sleep', 'workouts'],
  )
  const night = data.summaries[1]?.values as { recovery_readiness_score?: number }
  assert.ok(night.recovery_readiness_score)
})

test('a weight stands on the day on which it was seen last; the height is in the profile', () => {
  const data = new PageData({ userId: 'u', provider: 'whoop_v2' })
  mapBody(WHOOP_BODY, data, [], REQUEST)
  const shown = data.summaries.map(({ resource, recordId, startedAt, values }) => [
    resource,
    recordId,
    startedAt,
    Object.values(values).filter((value) => value !== null),
  ])
  assert.deepEqual(shown, [
    ['body', 'weight 71.25', Date.UTC(2026, 1, 10), [71.25]],
    ['profile', 'profile', 0, [176]],
  ])
  const none = new PageData({ userId: 'u', provider: 'whoop_v2' })
  mapBody({ height_meter: 0, weight_kilogram: null }, none, [], REQUEST)
  mapBody({ height_meter: 'tall' }, none, [], REQUEST)
  assert.deepEqual([none.summaries, refused(none)], [[], [['body', 'invalid_value']]])
})

test('a wrong record is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ id: null }, 'invalid_field'],
    [{ timezone_offset: 'Europe/Berlin' }, 'invalid_field'],
    [{ timezone_offset: 3600 }, 'invalid_field'],
    [{ start: '2026-02-09T17:12:40.500' }, 'invalid_start_date'],
    [{ start: 5 }, 'invalid_start_date'],
    [{ end: 'later' }, 'invalid_end_date'],
    [{ end: null }, 'invalid_end_date'],
    [{ end: '2026-02-01T00:00:00Z' }, 'end_before_start'],
    [{ score: { ...WHOOP_NIGHT.score, respiratory_rate: '14' } }, 'invalid_value'],
    [{ score: { stage_summary: { total_awake_time_milli: -1 } } }, 'out_of_range'],
    [{ score: { stage_summary: 7 } }, 'not_an_object'],
  ] as const) {
    const wrong = { ...WHOOP_NIGHT, ...change }
    const data = map(mapSleeps, [wrong, WHOOP_NIGHT, null])
    assert.deepEqual(refused(data), [
      ['sleep', reason],
      ['sleep', 'not_an_object'],
    ])
    assert.equal(data.summaries.length, 1)
  }
})
