import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ageAt, heartRateZones, maximumRateAt } from './heart-rate-zones.ts'

const point = (seconds: number, value: number) => ({
  startedAt: seconds * 1000,
  endedAt: seconds * 1000,
  value,
})
const session = (seconds: number) => ({ startedAt: 0, endedAt: seconds * 1000 })

test('a rate is in the zone of its share of 220 less the age, and holds a minute at most', () => {
  const rates = [99, 100, 119, 120, 140, 160, 180, 250].map((rate, index) =>
    point(index * 10, rate),
  )
  assert.deepEqual(heartRateZones(rates, session(75), 200), [10, 20, 10, 10, 10, 15])
  assert.deepEqual(heartRateZones([point(0, 150)], session(600), 200), [0, 0, 0, 60, 0, 0])
  assert.deepEqual(heartRateZones([], session(600), 200), [0, 0, 0, 0, 0, 0])
})

test('rates of a watch that measures each five minutes fill the workout, but not a gap in it', () => {
  const rates = Array.from({ length: 9 }, (_, index) => point(index * 300, 100 + 10 * index))
  assert.deepEqual(heartRateZones(rates, session(2700), 200), [0, 600, 600, 600, 600, 300])
  const paused = rates.filter((_, index) => index < 3 || index > 6)
  const seconds = heartRateZones(paused, session(2700), 200)
  assert.equal(
    seconds.reduce((sum, zone) => sum + zone, 0),
    2 * 300 + 600 + 2 * 300,
  )
  const each = Array.from({ length: 61 }, (_, index) => point(index, 100))
  assert.deepEqual(heartRateZones([...each, point(400, 100)], session(400), 200)[1], 120)
})

test('the age is that at the workout; unknown and impossible ones are thirty', () => {
  const at = Date.parse('2024-05-01T10:00:00Z')
  assert.deepEqual(
    ['2004-05-01', '2004-05-02', '2030-01-01', null].map((date) => ageAt(date, at)),
    [20, 19, 30, 30],
  )
  assert.equal(maximumRateAt('2004-05-02', at), 201)
})

test('each second is in the zone of the newest rate of the time before that it holds, in whatever order rates come', () => {
  const rate = fc.record({
    second: fc.integer({ min: -60, max: 400 }),
    value: fc.integer({ min: 30, max: 230 }),
  })
  const rates = fc.uniqueArray(rate, { selector: ({ second }) => second, maxLength: 12 })
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 300 }), (list, seconds) => {
      const at = list.map(({ second }) => second).filter((at) => at >= 0 && at <= seconds)
      const distances = at
        .sort((a, b) => a - b)
        .flatMap((one, index) => (index > 0 ? [one - (at[index - 1] as number)] : []))
        .sort((a, b) => b - a)
      const hold = Math.max(60, 2 * (distances[Math.ceil((distances.length - 1) / 2)] ?? 0))
      // Counted second by second.
      const expected = [0, 0, 0, 0, 0, 0]
      for (let second = 0; second < seconds; second++) {
        const newest = list
          .filter((one) => one.second >= 0 && one.second <= second && one.second > second - hold)
          .sort((a, b) => b.second - a.second)[0]
        if (newest === undefined) continue
        const share = newest.value / 190
        const zone = [0.5, 0.6, 0.7, 0.8, 0.9].filter((bound) => share >= bound).length
        expected[zone] = (expected[zone] as number) + 1
      }
      const readings = list.map(({ second, value }) => point(second, value))
      assert.deepEqual(heartRateZones(readings, session(seconds), 190), expected)
    }),
    { seed: 20_260_301 },
  )
})
