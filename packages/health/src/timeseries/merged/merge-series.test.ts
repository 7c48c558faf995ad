import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SeriesName, series } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { everyMinute, instantOf, sample } from '../../../../server/test/timeseries/merge-samples.ts'
import { createRanking } from '../../source-priorities/index.ts'
import { type MergedSlot, mergeSeries } from './merge-series.ts'
import type { MergeSample } from './source-samples.ts'

const steps = series('steps').merge

const sumOf = (slots: readonly MergedSlot[]): number =>
  slots.reduce((total, slot) => total + slot.value, 0)
const totalOf = (samples: readonly MergeSample[], name: SeriesName = 'steps'): number =>
  sumOf(mergeSeries(series(name).merge, samples))
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

  test('all that better sources count within a sample is seen, however their samples overlap', () => {
    const samples = [
      sample('watch', '10:40', '11:00', 20),
      // The phone has a long sample that the watch splits in two, and a short one within it.
      sample('phone', '09:00', '12:20', 200),
      sample('phone', '09:40', '10:00', 50),
      // Both count 80 and 50 within the time of this one: more than it has.
      sample('app', '08:40', '10:20', 100),
    ]
    assert.equal(totalOf(samples), 20 + 180 + 50)
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
    // Half of the phone's first minute is free, but 60 of its 100 are counted already.
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
      startedAt: instantOf('00:00') + index * 7 * MINUTE_MS,
      endedAt: instantOf('00:07') + index * 7 * MINUTE_MS,
    }))
    for (const slotMs of [MINUTE_MS, 15 * MINUTE_MS, DAY_MS]) {
      const millionths = mergeSeries(series('distance').merge, samples, undefined, slotMs)
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
    const slots = mergeSeries(series('floors_climbed').merge, samples)
    assert.deepEqual(
      slots.map(({ start, value }) => [start, value]),
      [
        [instantOf('10:00'), 1],
        [instantOf('10:30'), 2],
      ],
    )
  })

  test('two apps with the same glass of water count one, and with two glasses two', () => {
    const samples = [
      sample('app', '10:00', '10:00', 250),
      { ...sample('app', '10:00', '10:00', 250), provider: 'apple_health_kit' },
      { ...sample('app', '10:03', '10:03', 200), provider: 'apple_health_kit' },
    ]
    assert.equal(totalOf(samples, 'water'), 450)
  })
})

describe('readings', () => {
  const rate = series('heartrate').merge

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
