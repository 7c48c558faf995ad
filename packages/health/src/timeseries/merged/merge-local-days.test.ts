import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { series } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { instantOf, sample } from '../../../../server/test/timeseries/merge-samples.ts'
import { mergeSeries } from './merge-series.ts'
import type { MergeSample } from './source-samples.ts'

const steps = series('steps').merge

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
    assert.deepEqual([slot?.start, slot?.end], [instantOf('09:30'), instantOf('10:30')])
  })
})
