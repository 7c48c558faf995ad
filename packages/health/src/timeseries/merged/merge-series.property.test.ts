import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MergeRule, series } from '@salus/contracts/series'
import { SECOND_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { instantOf } from '../../../../server/test/timeseries/merge-samples.ts'
import { DEFAULT_RANKING } from '../../source-priorities/index.ts'
import { amountBefore } from './claim-samples.ts'
import { type CoveredInterval, CoveredTime, coverageOf } from './coverage.ts'
import { type MergedSlot, mergeSeries } from './merge-series.ts'
import { groupBySource, type MergeSample } from './source-samples.ts'

const SLOTS = [60_000, 300_000, 900_000, 3_600_000, 86_400_000]

/** Sources from the best to the last. */
const SOURCES = [
  { provider: 'fitbit', sourceType: 'watch', appId: '' },
  { provider: 'apple_health_kit', sourceType: 'phone', appId: '' },
  { provider: 'manual', sourceType: 'app', appId: 'b' },
]

const samplesOf = (sources: readonly number[], most = 25): fc.Arbitrary<MergeSample[]> =>
  fc.array(
    fc
      .record({
        source: fc.constantFrom(...sources),
        start: fc.integer({ min: -7200, max: 2 * 7200 }),
        length: fc.oneof(fc.constant(0), fc.nat(120), fc.nat(5400)),
        value: fc.oneof(fc.nat(2000), fc.double({ min: 0, max: 500, noNaN: true })),
        timezoneOffset: fc.constantFrom(null, 0, -28_800, 19_800),
      })
      .map(({ source, start, length, value, timezoneOffset }) => ({
        ...(SOURCES[source] as (typeof SOURCES)[number]),
        startedAt: instantOf('23:00') + start * SECOND_MS,
        endedAt: instantOf('23:00') + (start + length) * SECOND_MS,
        value,
        timezoneOffset,
      })),
    { maxLength: most },
  )

const rules = fc
  .constantFrom('steps', 'distance', 'calories_basal', 'water')
  .map((name) => series(name).merge)

/** Exact, where the sum of the decimal values is not. */
const millionthsOf = (slots: readonly { value: number }[]): number =>
  slots.reduce((sum, { value }) => sum + Math.round(value * 1e6), 0)

const ZONE = 'America/Los_Angeles'
const merge = (rule: MergeRule, samples: MergeSample[], slotMs = 900_000) =>
  mergeSeries(rule, samples, DEFAULT_RANKING, slotMs, ZONE)

describe('whatever samples there are', () => {
  test('the sum is the same for every length of slots, and day by day for those of one place', () => {
    fc.assert(
      fc.property(rules, samplesOf([0, 1, 2]), (rule, samples) => {
        const totals = SLOTS.map((slotMs) => millionthsOf(merge(rule, samples, slotMs)))
        assert.equal(new Set(totals).size, 1)
        const atHome = samples.map((sample) => ({ ...sample, timezoneOffset: null }))
        const byDay = SLOTS.map((slotMs) => {
          const days = Map.groupBy(merge(rule, atHome, slotMs), (slot) => slot.calendarDate)
          const sums = [...days].map(([day, slots]) => [day, millionthsOf(slots)] as const)
          return Object.fromEntries(sums.filter(([, sum]) => sum > 0))
        })
        for (const days of byDay) assert.deepEqual(days, byDay[0])
      }),
    )
  })

  test('it is at least that of the best source alone, and at most that of all together', () => {
    fc.assert(
      fc.property(rules, samplesOf([0, 1, 2]), (rule, samples) => {
        const total = millionthsOf(merge(rule, samples))
        const best = DEFAULT_RANKING.compare
        const ranked = samples.toSorted(best)
        const first = ranked.filter((sample) => ranked[0] && best(sample, ranked[0]) === 0)
        assert.ok(total >= millionthsOf(first))
        assert.ok(total <= millionthsOf(samples))
      }),
    )
  })

  test('one source alone counts in full', () => {
    fc.assert(
      fc.property(rules, samplesOf([1]), (rule, samples) => {
        assert.equal(millionthsOf(merge(rule, samples)), millionthsOf(samples))
      }),
    )
  })

  test('their order changes nothing', () => {
    const shuffled = samplesOf([0, 1, 2]).chain((samples) =>
      fc.tuple(fc.constant(samples), fc.shuffledSubarray(samples, { minLength: samples.length })),
    )
    const rule = fc.oneof(rules, fc.constant(series('heartrate').merge))
    fc.assert(
      fc.property(rule, shuffled, (ofSeries, [samples, others]) => {
        const plain = (slots: MergedSlot[]) =>
          slots.map(({ start, value, count, sources }) => ({ start, value, count, sources }))
        assert.deepEqual(plain(merge(ofSeries, others)), plain(merge(ofSeries, samples)))
      }),
    )
  })

  test('a lower source that a better one covers adds nothing', () => {
    const inside = samplesOf([0, 1]).chain((samples) => {
      const covering = samples.filter(({ value }) => value > 0)
      if (covering.length === 0) return fc.constant([samples, [] as MergeSample[]] as const)
      const extra = fc.array(
        fc.record({ of: fc.constantFrom(...covering), from: fc.nat(100), to: fc.nat(100) }),
      )
      return extra.map((list) => {
        const added = list.map(({ of, from, to }): MergeSample => {
          const length = of.endedAt - of.startedAt
          const [first, last] = [Math.min(from, to), Math.max(from, to)]
          return {
            ...of,
            ...(SOURCES[2] as (typeof SOURCES)[number]),
            startedAt: of.startedAt + (length * first) / 100,
            endedAt: of.startedAt + (length * last) / 100,
          }
        })
        return [samples, added] as const
      })
    })
    fc.assert(
      fc.property(rules, inside, (rule, [samples, added]) => {
        const valued = (slots: MergedSlot[]) =>
          slots.filter(({ value }) => value > 0).map(({ start, value }) => [start, value])
        const before = valued(merge(rule, [...samples]))
        assert.deepEqual(valued(merge(rule, [...samples, ...added])), before)
      }),
    )
  })

  test('whole counts stay whole', () => {
    fc.assert(
      fc.property(samplesOf([0, 1, 2]), (samples) => {
        const whole = samples.map((sample) => ({ ...sample, value: Math.floor(sample.value) }))
        const slots = merge(series('steps').merge, whole, 60_000)
        assert.ok(slots.every(({ value }) => Number.isInteger(value)))
      }),
    )
  })
})

describe('coverage', () => {
  const coverage = (source: number, gapMs: number) =>
    samplesOf([source]).map((samples) => {
      const [group] = groupBySource(samples)
      return group === undefined ? [] : coverageOf(group, source, gapMs)
    })
  const parts = fc.tuple(coverage(0, 300_000), coverage(1, 60_000), coverage(2, 0))
  /** Every end of an interval, and its neighbors. */
  const instantsOf = (all: readonly CoveredInterval[][]): number[] =>
    all.flatMap((stretches) =>
      stretches.flatMap(({ from, to }) =>
        [from, to].flatMap((edge) => [edge - 500, edge, edge + 500]),
      ),
    )
  const isIn = ({ from, to }: CoveredInterval, instant: number): boolean =>
    from <= instant && instant <= to

  test('of several sources is that of the best where it is there, else that of the next', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const covered = new CoveredTime({ keepsSources: true })
        for (const stretch of all.flat()) covered.add(stretch)
        const edges = new Set(all.flat().flatMap(({ from, to }) => [from, to]))
        for (const instant of instantsOf(all)) {
          const expected = all.findIndex((stretches) => stretches.some((it) => isIn(it, instant)))
          const found = [...covered.intervalsTouching(instant, instant)].map(({ source }) => source)
          // Where two intervals touch, the instant belongs to both.
          if (edges.has(instant)) assert.equal(found.length > 0, expected >= 0)
          else assert.deepEqual(found, expected < 0 ? [] : [expected])
        }
      }),
    )
  })

  test('without the sources is the same time in as few stretches as there are', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const covered = new CoveredTime({ keepsSources: false })
        for (const stretch of all.flat()) covered.add(stretch)
        for (const instant of instantsOf(all)) {
          const expected = all.flat().some((stretch) => isIn(stretch, instant))
          assert.equal([...covered.intervalsTouching(instant, instant)].length, expected ? 1 : 0)
        }
        const whole = [
          ...covered.intervalsTouching(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
        ]
        for (const [index, { from }] of whole.entries()) {
          assert.ok(index === 0 || from > (whole[index - 1]?.to ?? 0))
        }
      }),
    )
  })
})

test('what lies before an instant never shrinks as time goes on', () => {
  fc.assert(
    fc.property(
      fc.nat(1e9),
      fc.constantFrom(1, 1e6),
      fc.nat(1e8),
      fc.nat(),
      fc.nat(),
      (...given) => {
        const [count, grain, length, a, b] = given
        const [first, last] = [Math.min(a, b), Math.max(a, b)]
        const amount = count * grain
        assert.ok(
          amountBefore(amount, grain, 0, length + 1, first) <=
            amountBefore(amount, grain, 0, length + 1, last),
        )
        assert.equal(amountBefore(amount, grain, 0, length + 1, length + 1), amount)
      },
    ),
  )
})
