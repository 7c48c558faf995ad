import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import type { ItemContext, ParsedItem } from '../uploads/parsed-item.ts'
import { parseSleep } from './sleep.parser.ts'
import { orderStages, STAGE_LISTS, summarizeStages } from './sleep-stages.ts'

const CONTEXT = { userId: '11111111-1111-4111-8111-111111111111', timeZone: null, birthDate: null }
const IOS: ItemContext = { ...CONTEXT, provider: 'apple_health_kit' }
const ANDROID = { ...CONTEXT, provider: 'health_connect' }

const at = (minutes: number): string =>
  new Date(Date.UTC(2026, 1, 10, 22) + minutes * MINUTE_MS).toISOString()
const stage = (from: number, to: number) => ({
  value: 1,
  unit: 'stage',
  start_date: at(from),
  end_date: at(to),
})
const night = (change: object = {}) => ({
  id: 'night-1',
  start_date: at(0),
  end_date: at(480),
  source_bundle: 'com.apple.health.ABC',
  product_type: 'Watch6,1',
  ...change,
})

function parse(item: object, context = IOS): ParsedItem {
  const parsed = parseSleep(context, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

function sleepOf(item: object, context = IOS) {
  const [summary] = parse(item, context).summaries
  assert.ok(summary?.resource === 'sleep')
  return summary as typeof summary & { values: Record<string, unknown> }
}

test('stages in the spelling of iOS and of Android make the same night', () => {
  const lists = {
    awake: [stage(0, 30)],
    light: [stage(30, 240)],
    deep: [stage(240, 330)],
    rem: [stage(330, 470)],
  }
  const snake = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [`${name}_sleep_samples`, list]),
  )
  const camel = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [`${name}SleepSamples`, list]),
  )
  const { values } = sleepOf(
    night({ sleep_stages: { ...snake, in_bed_sleep_samples: [stage(0, 480)] } }),
  )
  assert.deepEqual(sleepOf(night({ sleepStages: camel })).values, {
    ...values,
    // No record has the time of lying down.
    latency_second: null,
  })
  assert.equal(values.type, 'long_sleep')
  assert.equal(values.latency_second, 30 * 60)
  assert.equal(values.duration_second, 480 * 60)
  assert.equal(values.stage_asleep_second, 440 * 60)
  assert.equal(values.stage_awake_second, 30 * 60)
  assert.equal(values.stage_light_second, 210 * 60)
  assert.equal(values.stage_deep_second, 90 * 60)
  assert.equal(values.stage_rem_second, 140 * 60)
  assert.equal(values.stage_unknown_second, 0)
  assert.equal(values.efficiency, (100 * 440) / 480)
  assert.deepEqual(values.stage_start_offset_second, [0, 1800, 14_400, 19_800])
  assert.deepEqual(values.stage_end_offset_second, [1800, 14_400, 19_800, 28_200])
  assert.deepEqual(values.stage_type, [4, 2, 1, 3])
})

test('out of bed is awake, and sleep of no stage is unknown but asleep', () => {
  const { values } = sleepOf(
    night({
      sleep_stages: {
        out_of_bed_sleep_samples: [stage(0, 20)],
        unspecified_sleep_samples: [stage(20, 200)],
        unknown_sleep_samples: [stage(200, 210)],
      },
    }),
  )
  assert.equal(values.stage_awake_second, 20 * 60)
  assert.equal(values.stage_asleep_second, 180 * 60)
  assert.equal(values.stage_unknown_second, 190 * 60)
  assert.deepEqual(values.stage_type, [4, -1])
  assert.deepEqual(values.stage_end_offset_second, [1200, 12_600])
})

test('a night without stages only has the time asleep', () => {
  const { values } = sleepOf(night({ sleep_stages: { in_bed_sleep_samples: [stage(0, 480)] } }))
  assert.equal(values.stage_asleep_second, 480 * 60)
  assert.equal(values.efficiency, 100)
  assert.equal(values.stage_light_second, null)
  assert.deepEqual(values.stage_type, [])
  assert.equal(sleepOf(night({ end_date: at(179) })).values.type, 'short_sleep')
})

test('a wrong stage sample is quarantined alone', () => {
  const wrong = { start_date: at(10), end_date: at(0) }
  const parsed = parse(night({ sleep_stages: { deep_sleep_samples: [wrong, 7, stage(10, 20)] } }))
  assert.deepEqual(parsed.quarantined, [
    { resource: 'sleep', reason: 'end_before_start', item: wrong },
    { resource: 'sleep', reason: 'not_an_object', item: 7 },
  ])
  assert.equal(parsed.summaries.length, 1)
})

test('measurements become columns and samples of their series', () => {
  const sample = (value: number, unit: string) => ({ value, unit, start_date: at(60) })
  const parsed = parse(
    night({
      heart_rate_maximum: 80,
      heart_rate_minimum: 45,
      heart_rate_mean: 52.4,
      hrv_mean_sdnn: 61.5,
      respiratory_rate_mean: 14.2,
      heart_rate: [sample(50, 'bpm'), sample(5, 'bpm')],
      heart_rate_variability: [sample(60, 'rmssd')],
      respiratory_rate: [sample(14, 'bpm')],
      wrist_temperature: [sample(35.2, '°C'), { ...sample(35.6, '°C'), start_date: at(90) }],
    }),
  )
  const values = parsed.summaries[0]?.values as Record<string, unknown>
  assert.equal(values.heart_rate_mean, 52)
  assert.equal(values.hrv_mean_sdnn, 61.5)
  assert.equal(values.hrv_mean_rmssd, null)
  assert.ok(Math.abs((values.skin_temperature as number) - 35.4) < 1e-9)
  assert.deepEqual(
    parsed.samples.map(({ series, value, extra }) => [series, value, extra]),
    [
      ['heartrate', 50, ''],
      ['hrv', 60, '{"method":"sdnn"}'],
      ['respiratory_rate', 14, ''],
      ['body_temperature', 35.2, '{"sensor_location":"wrist"}'],
      ['body_temperature', 35.6, '{"sensor_location":"wrist"}'],
    ],
  )
  assert.deepEqual(
    parsed.quarantined.map(({ resource, reason }) => [resource, reason]),
    [['heartrate', 'out_of_range']],
  )
  assert.equal(JSON.stringify(parsed.summaries[0]?.raw).includes('wrist_temperature'), false)
})

test('what Health Connect sends as SDNN is RMSSD, its score is kept, and no heart rate is null', () => {
  const { values } = sleepOf(night({ hrv_mean_sdnn: 40, score: 81, heart_rate_mean: 0 }), ANDROID)
  assert.equal(values.hrv_mean_rmssd, 40)
  assert.equal(values.hrv_mean_sdnn, null)
  assert.equal(values.score, 81)
  assert.equal(values.heart_rate_mean, null)
})

test('a sleep without an id has one of its start and source, which stays when it goes on', () => {
  const first = sleepOf(night({ id: null }))
  const longer = sleepOf(night({ id: undefined, end_date: at(500) }))
  assert.equal(first.recordId, '2026-02-10T22:00:00.000Z watch')
  assert.equal(longer.recordId, first.recordId)
  assert.notEqual(sleepOf(night({ id: null, source_type: 'ring' })).recordId, first.recordId)
  assert.equal(sleepOf(night()).recordId, 'night-1')
})

test('the local time is that of the end: its offset, else the zone of the record, else of the device', () => {
  const localTime = (change: object, timeZone: string | null = null) => {
    const { timezoneOffset, timeZone: zone } = sleepOf(night(change), { ...IOS, timeZone })
    return [timezoneOffset, zone]
  }
  const metadata = { HKTimeZone: 'Europe/Berlin' }
  assert.deepEqual(localTime({}), [null, ''])
  assert.deepEqual(localTime({}, 'America/New_York'), [-18_000, 'America/New_York'])
  assert.deepEqual(localTime({ metadata }, 'America/New_York'), [3600, 'Europe/Berlin'])
  const end_date = '2026-02-11T08:00:00+02:00'
  assert.deepEqual(localTime({ end_date, metadata }), [7200, ''])
  assert.deepEqual(localTime({ end_date, metadata: { HKTimeZone: 'Africa/Cairo' } }), [
    7200,
    'Africa/Cairo',
  ])
})

test('a sleep that cannot be stored is quarantined with a reason', () => {
  const reason = (item: unknown) => parseSleep(IOS, item)
  assert.equal(reason('night'), 'not_an_object')
  assert.equal(reason(night({ start_date: 'yesterday' })), 'invalid_start_date')
  assert.equal(reason(night({ end_date: null })), 'invalid_end_date')
  assert.equal(reason(night({ end_date: at(-1) })), 'end_before_start')
  assert.equal(reason(night({ end_date: at(8 * 24 * 60) })), 'out_of_range')
  assert.equal(reason(night({ source_type: 'pillow' })), 'unknown_source_type')
  assert.equal(reason(night({ score: 'good' })), 'invalid_value')
  assert.equal(reason(night({ score: 101 })), 'out_of_range')
})

const DURATION = 600
const spans = fc.array(
  fc.record({
    kind: fc.integer({ min: 0, max: 5 }),
    from: fc.integer({ min: -50, max: 650 }),
    to: fc.integer({ min: -50, max: 650 }),
  }),
  { maxLength: 30 },
)

test('stages never overlap, whatever samples come in whatever order', () => {
  fc.assert(
    fc.property(spans, fc.infiniteStream(fc.nat()), (list, keys) => {
      const stages = orderStages(list, DURATION)
      const { startOffsets, endOffsets, types } = stages
      let until = 0
      for (const [index, start] of startOffsets.entries()) {
        const end = endOffsets[index] as number
        assert.ok(start >= until && end > start && end <= DURATION)
        until = end
      }
      assert.equal(types.length, startOffsets.length)
      // Every second has the most specific of the stages that cover it.
      const seconds = Array.from({ length: DURATION }, (_, second) =>
        Math.min(9, ...list.filter((s) => s.from <= second && second < s.to).map((s) => s.kind)),
      )
      for (let kind = 0; kind <= 5; kind++) {
        const count = seconds.filter((best) => best === kind).length
        assert.equal(stages.secondsByKind[kind], count)
      }
      const shuffled = list
        .map((span) => ({ span, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
      assert.deepEqual(
        orderStages(
          shuffled.map(({ span }) => span),
          DURATION,
        ),
        stages,
      )
    }),
  )
})

test('stages that fill a night sum up to it', () => {
  fc.assert(
    fc.property(spans, (list) => {
      const filled = [...list, { kind: 5, from: 0, to: DURATION }]
      const sums = summarizeStages(orderStages(filled, DURATION), DURATION)
      const parts = [
        sums.stage_awake_second,
        sums.stage_light_second,
        sums.stage_rem_second,
        sums.stage_deep_second,
        sums.stage_unknown_second,
      ]
      assert.equal(
        parts.reduce((sum: number, part) => sum + (part ?? 0), 0),
        DURATION,
      )
      assert.ok(sums.stage_asleep_second >= 0 && sums.stage_asleep_second <= DURATION)
    }),
  )
})

test('every list of stages that clients send is known', () => {
  assert.deepEqual(STAGE_LISTS.map(([list]) => list).sort(), [
    'awake_sleep_samples',
    'deep_sleep_samples',
    'light_sleep_samples',
    'out_of_bed_sleep_samples',
    'rem_sleep_samples',
    'unknown_sleep_samples',
    'unspecified_sleep_samples',
  ])
})
