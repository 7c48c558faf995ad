import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRanking } from '../../source-priorities/index.ts'
import { type MergedSlot, mergeRuleOf, mergeSeries } from './merge-series.ts'
import type { MergeSample } from './source-samples.ts'
import { clock, everyMinute, sample } from './testing/merge-samples.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const steps = mergeRuleOf('steps')

const sumOf = (slots: readonly MergedSlot[]): number =>
  slots.reduce((total, slot) => total + slot.value, 0)
const totalOf = (samples: readonly MergeSample[], series = 'steps'): number =>
  sumOf(mergeSeries(mergeRuleOf(series), samples))
const sharesOf = (slot: MergedSlot | undefined) =>
  Object.fromEntries((slot?.sources ?? []).map(({ source, value }) => [source.sourceType, value]))

describe('two devices of one person', () => {
  test('a phone that misses the evening and a watch that misses the morning give the true total', () => {
    const samples = [
      ...everyMinute('phone', '08:00', '18:00', 10),
      ...everyMinute('watch', '12:00', '22:00', 11),
    ]
    const [day] = mergeSeries(steps, samples, undefined, DAY_MS)
    assert.equal(day?.value, 4 * 60 * 10 + 10 * 60 * 11)
    assert.deepEqual(sharesOf(day), { watch: 6600, phone: 2400 })
  })

  test('a phone fills the hour for which the watch was charged', () => {
    const samples = [
      ...everyMinute('watch', '08:00', '12:00', 10),
      ...everyMinute('watch', '13:00', '18:00', 10),
      ...everyMinute('phone', '08:00', '18:00', 9),
    ]
    assert.equal(totalOf(samples), 9 * 60 * 10 + 60 * 9)
  })

  test('minutes in which a worn watch counts nothing are not filled from the phone', () => {
    const samples = [
      sample('watch', '09:00', '09:03', 300),
      sample('watch', '09:05', '09:08', 310),
      sample('watch', '09:11', '09:12', 90),
      sample('phone', '09:00', '09:12', 1100),
    ]
    assert.equal(totalOf(samples), 700)
  })

  test('a watch that was quiet for longer was off: up to eight minutes it was worn', () => {
    const walk = (start: string) => [
      sample('watch', '09:00', '09:05', 500),
      sample('watch', start, '09:20', 200),
      ...everyMinute('phone', '09:05', start, 100),
    ]
    assert.equal(totalOf(walk('09:13')), 700)
    assert.equal(totalOf(walk('09:14')), 700 + 900)
  })

  test('a walk that the phone reports in an hourly sample is not counted again around the watch', () => {
    const samples = [
      sample('watch', '09:10', '09:15', 500),
      sample('watch', '09:40', '09:45', 450),
      sample('phone', '09:00', '10:00', 1000),
    ]
    assert.equal(totalOf(samples), 1000)
  })

  test('the same walk a little later by the clock of the phone counts once', () => {
    const samples = [
      sample('watch', '08:52:06', '08:55:06', 110),
      sample('phone', '08:52:29', '08:55:29', 101),
    ]
    assert.equal(totalOf(samples), 110)
  })

  test('a watch that writes zeros while it lies on the table hides nothing', () => {
    const samples = [
      ...everyMinute('watch', '09:00', '10:00', 0),
      ...everyMinute('phone', '09:00', '10:00', 50),
    ]
    assert.equal(totalOf(samples), 3000)
  })
})

describe('parts of samples', () => {
  test('a sample is spread over the slots it crosses, in whole steps', () => {
    const slots = mergeSeries(steps, [sample('phone', '09:50', '10:20', 100)], undefined, HOUR_MS)
    assert.deepEqual(
      slots.map(({ value }) => value),
      [33, 67],
    )
    const minutes = mergeSeries(
      steps,
      [sample('phone', '09:50', '10:20', 100)],
      undefined,
      MINUTE_MS,
    )
    assert.equal(minutes.length, 30)
    assert.ok(minutes.every(({ value }) => Number.isInteger(value)))
    assert.equal(sumOf(minutes), 100)
  })

  test('half of a minute is filled where the better source has the other half', () => {
    const samples = [
      sample('watch', '09:00:00', '09:00:30', 60),
      sample('phone', '09:00:00', '09:01:00', 100),
      sample('phone', '09:01:00', '09:02:00', 80),
    ]
    // Of the phone's first minute half is free, but 60 of its 100 are counted already.
    const [slot] = mergeSeries(steps, samples)
    assert.deepEqual(sharesOf(slot), { watch: 60, phone: 40 + 80 })
  })

  test('three sources: each fills what the better ones leave', () => {
    const samples = [
      sample('watch', '09:00', '09:10', 1000),
      sample('phone', '09:05', '09:20', 1500),
      sample('app', '09:00', '09:30', 3000),
    ]
    const [slot] = mergeSeries(steps, samples, undefined, HOUR_MS)
    assert.deepEqual(sharesOf(slot), { watch: 1000, phone: 1000, app: 1000 })
  })

  test('fractions of meters add up exactly', () => {
    const samples = Array.from({ length: 1000 }, (_, index) => ({
      ...sample('phone', '09:00', '09:07', 0.1),
      startedAt: clock('00:00') + index * 7 * MINUTE_MS,
      endedAt: clock('00:07') + index * 7 * MINUTE_MS,
    }))
    for (const slotMs of [MINUTE_MS, 15 * MINUTE_MS, DAY_MS]) {
      const millionths = mergeSeries(mergeRuleOf('distance'), samples, undefined, slotMs)
        .map(({ value }) => Math.round(value * 1e6))
        .reduce((sum, value) => sum + value, 0)
      assert.equal(millionths, 100_000_000)
    }
  })

  test('a sample without length belongs to its slot, and to the same event of another source', () => {
    const samples = [
      sample('watch', '10:00:06', '10:00:06', 1),
      sample('phone', '10:00:29', '10:00:29', 1),
      sample('phone', '10:40', '10:40', 2),
    ]
    const slots = mergeSeries(mergeRuleOf('floors_climbed'), samples)
    assert.deepEqual(
      slots.map(({ start, value }) => [start, value]),
      [
        [clock('10:00'), 1],
        [clock('10:30'), 2],
      ],
    )
  })

  test('two apps that tell of one glass of water tell of one, and of two glasses of two', () => {
    const samples = [
      sample('app', '10:00', '10:00', 250),
      { ...sample('app', '10:00', '10:00', 250), provider: 'apple_health_kit' },
      { ...sample('app', '10:03', '10:03', 200), provider: 'apple_health_kit' },
    ]
    assert.equal(totalOf(samples, 'water'), 450)
  })
})

describe('local days', () => {
  const PACIFIC = 'America/Los_Angeles'
  const at = (iso: string) => Date.parse(iso)
  const hourly = (from: string, hours: number, timezoneOffset: number | null): MergeSample[] =>
    Array.from({ length: hours }, (_, hour) => ({
      ...sample('phone', '00:00', '00:00', 10, timezoneOffset),
      startedAt: at(from) + hour * HOUR_MS,
      endedAt: at(from) + (hour + 1) * HOUR_MS,
    }))
  const daysOf = (samples: MergeSample[], zone: string) =>
    mergeSeries(steps, samples, undefined, DAY_MS, zone).map((day) => [
      day.calendarDate,
      day.value,
      (day.end - day.start) / HOUR_MS,
    ])

  test('a day of 23 hours when the clock goes forward, by the fallback zone', () => {
    assert.deepEqual(daysOf(hourly('2026-03-07T08:00:00Z', 71, null), PACIFIC), [
      ['2026-03-07', 240, 24],
      ['2026-03-08', 230, 23],
      ['2026-03-09', 240, 24],
    ])
  })

  test('a day of 25 hours when it goes back, by the offsets of the samples', () => {
    const samples = [
      ...hourly('2026-10-31T07:00:00Z', 26, -7 * 3600),
      ...hourly('2026-11-01T09:00:00Z', 23, -8 * 3600),
    ]
    assert.deepEqual(daysOf(samples, PACIFIC), [
      ['2026-10-31', 240, 24],
      ['2026-11-01', 250, 25],
    ])
  })

  test('a day of 23 hours of which only the afternoon has samples, with their offset', () => {
    const afternoon = hourly('2026-03-08T20:00:00Z', 4, -7 * 3600)
    assert.deepEqual(daysOf(afternoon, PACIFIC), [['2026-03-08', 40, 23]])
    assert.deepEqual(daysOf(afternoon, 'Europe/Vienna'), [['2026-03-08', 40, 24]])
  })

  test('a day that begins at an hour that the clock jumps over', () => {
    assert.deepEqual(daysOf(hourly('2026-04-23T20:30:00Z', 3, null), 'Africa/Cairo'), [
      ['2026-04-23', 15, 24],
      ['2026-04-24', 15, 23],
    ])
    assert.deepEqual(daysOf(hourly('2026-04-24T00:00:00Z', 24, null), 'Africa/Cairo'), [
      ['2026-04-24', 240 - 30, 23],
      ['2026-04-25', 30, 24],
    ])
  })

  test('a journey to the east ends the day early, and no step is lost or counted twice', () => {
    const samples = [
      ...hourly('2026-05-04T07:00:00Z', 12, -7 * 3600),
      ...hourly('2026-05-04T19:00:00Z', 10, 2 * 3600),
    ]
    const days = mergeSeries(steps, samples, undefined, DAY_MS, PACIFIC)
    assert.deepEqual(
      days.map(({ calendarDate, value }) => [calendarDate, value]),
      [
        ['2026-05-04', 150],
        ['2026-05-05', 70],
      ],
    )
    assert.equal((days[0]?.end ?? 0) - (days[0]?.start ?? 0), 15 * HOUR_MS)
  })

  test('a sample over midnight is split between the days', () => {
    const walk = { ...sample('phone', '23:50', '+1 00:20', 300, 0) }
    assert.deepEqual(
      mergeSeries(steps, [walk], undefined, DAY_MS).map(({ calendarDate, value }) => [
        calendarDate,
        value,
      ]),
      [
        ['2026-03-10', 100],
        ['2026-03-11', 200],
      ],
    )
  })

  test('hours are those of the local clock, also where it is half an hour off', () => {
    const india = 5.5 * 3600
    const [slot] = mergeSeries(
      steps,
      [sample('phone', '09:40', '09:50', 5, india)],
      undefined,
      HOUR_MS,
    )
    assert.deepEqual([slot?.start, slot?.end], [clock('09:30'), clock('10:30')])
  })
})

describe('readings', () => {
  const rate = mergeRuleOf('heartrate')

  test('a slot shows the mean, the smallest and the largest of the best source that has any', () => {
    const samples = [
      sample('watch', '09:01', '09:01', 60),
      sample('watch', '09:02', '09:02', 70),
      sample('phone', '09:03', '09:03', 150),
      sample('phone', '09:20', '09:20', 90),
    ]
    const slots = mergeSeries(rate, samples)
    assert.deepEqual(
      slots.map(({ value, min, max, count, sources }) => ({
        value,
        min,
        max,
        count,
        types: sources.map(({ source }) => source.sourceType),
      })),
      [
        { value: 65, min: 60, max: 70, count: 2, types: ['watch'] },
        { value: 90, min: 90, max: 90, count: 1, types: ['phone'] },
      ],
    )
  })

  test('a ranking that prefers the phone shows the phone', () => {
    const user = [
      {
        provider: 'apple_health_kit',
        sourceType: null,
        appId: null,
        priority: 1,
        specificity: 0,
      },
    ]
    const ranking = createRanking({ user, teamResource: [], teamDataType: [] })
    const samples = [sample('watch', '09:01', '09:01', 60), sample('phone', '09:03', '09:03', 150)]
    assert.equal(mergeSeries(rate, samples, ranking)[0]?.value, 150)
    assert.equal(mergeSeries(rate, samples)[0]?.value, 60)
  })
})
