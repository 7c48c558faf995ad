import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  amountsWithin,
  completeStatistics,
  type Reading,
  readingsWithin,
  statisticsOf,
} from './session-readings.ts'

const SESSION = { startedAt: 1000, endedAt: 2000 }
const reading = (startedAt: number, endedAt: number, value: number): Reading => ({
  startedAt,
  endedAt,
  value,
})
const triples = (list: readonly Reading[]) =>
  list.map(({ startedAt, endedAt, value }) => [startedAt, endedAt, value])

test('readings count where they lie in the session, those that reach out of it cut', () => {
  const readings = [
    reading(1900, 2500, 6),
    reading(1000, 1000, 2),
    reading(999, 999, 100),
    reading(2000, 2000, 3),
    reading(2001, 2001, 100),
    reading(500, 1500, 4),
    // These only touch it.
    reading(600, 1000, 100),
    { ...reading(2000, 2500, 100), sourceType: 'phone' },
  ]
  assert.deepEqual(triples(readingsWithin(readings, SESSION)), [
    [1000, 1000, 2],
    [1000, 1500, 4],
    [1900, 2000, 6],
    [2000, 2000, 3],
  ])
  const amounts = [reading(500, 1500, 4), reading(1900, 2500, 6), reading(1200, 1200, 5)]
  assert.deepEqual(triples(amountsWithin(amounts, SESSION)), [
    [1000, 1500, 2],
    [1200, 1200, 5],
    [1900, 2000, 1],
  ])
})

test('a reading that comes twice counts once, and two sources that read together are two', () => {
  const watch = { ...reading(1100, 1100, 60), sourceType: 'watch', appId: 'one' }
  const strap = { ...watch, sourceType: 'chest_strap', value: 62 }
  assert.deepEqual(triples(readingsWithin([watch, strap, watch], SESSION)), [
    [1100, 1100, 60],
    [1100, 1100, 62],
  ])
  // Of one source the store keeps the larger of two with the same start.
  assert.deepEqual(triples(readingsWithin([watch, { ...watch, value: 61 }], SESSION)), [
    [1100, 1100, 61],
  ])
})

test('what is no number is no reading', () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(readingsWithin([reading(1100, 1100, wrong)], SESSION), [])
    assert.deepEqual(readingsWithin([reading(wrong, wrong, 1)], SESSION), [])
  }
  assert.equal(statisticsOf([]), null)
})

test('a session of one instant has the readings of that instant', () => {
  const instant = { startedAt: 1000, endedAt: 1000 }
  const readings = [reading(1000, 1000, 1), reading(500, 1500, 3), reading(1001, 1001, 9)]
  assert.deepEqual(triples(readingsWithin(readings, instant)), [
    [1000, 1000, 1],
    [1000, 1000, 3],
  ])
})

test('a mean is that over time where every reading lasts, else that of the readings', () => {
  const lasting = [reading(0, 300, 36), reading(300, 400, 34)]
  assert.deepEqual(statisticsOf(lasting), { mean: 35.5, minimum: 34, maximum: 36 })
  assert.deepEqual(statisticsOf([...lasting, reading(400, 400, 41)]), {
    mean: 37,
    minimum: 34,
    maximum: 41,
  })
  assert.deepEqual(statisticsOf([reading(5, 5, 7)]), { mean: 7, minimum: 7, maximum: 7 })
})

test('what the source says stays, and bounds what is computed', () => {
  const nothing = { mean: null, minimum: null, maximum: null }
  const computed = { mean: 60, minimum: 50, maximum: 70 }
  assert.deepEqual(completeStatistics(nothing, computed), computed)
  assert.deepEqual(completeStatistics({ ...nothing, mean: 45 }, computed), {
    mean: 45,
    minimum: 45,
    maximum: 70,
  })
  assert.deepEqual(completeStatistics({ ...nothing, maximum: 55 }, computed), {
    mean: 55,
    minimum: 50,
    maximum: 55,
  })
  const said = { mean: 1, minimum: 2, maximum: 3 }
  assert.deepEqual(completeStatistics(said, computed), said)
  assert.deepEqual(completeStatistics({ ...nothing, minimum: 40 }, null), {
    ...nothing,
    minimum: 40,
  })
})

test('order and repetition change nothing, and the mean lies between the least and the most', () => {
  const time = fc.integer({ min: 0, max: 3000 })
  const readings = fc.array(
    fc
      .tuple(time, fc.integer({ min: 0, max: 500 }), fc.double({ min: 10, max: 350, noNaN: true }))
      .map(([from, lasts, value]) => reading(from, from + lasts, value)),
  )
  fc.assert(
    fc.property(readings, fc.integer(), (list, turn) => {
      const read = (some: readonly Reading[]) => statisticsOf(readingsWithin(some, SESSION))
      const statistics = read(list)
      const at = list.length === 0 ? 0 : Math.abs(turn) % list.length
      const turned = [...list.slice(at), ...list, ...list.slice(0, at)]
      assert.deepEqual(read(turned), statistics)
      if (statistics === null) return
      const { mean, minimum, maximum } = statistics
      assert.ok(minimum <= mean && mean <= maximum)
      const inside = list.filter(({ startedAt, endedAt }) => startedAt <= 2000 && endedAt >= 1000)
      const values = inside.map(({ value }) => value)
      assert.ok(minimum >= Math.min(...values) && maximum <= Math.max(...values))
    }),
    { seed: 20_260_302 },
  )
})
