import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateSynthetic, measure, type SyntheticSet } from './evaluate-synthetic.ts'

/** F1 of name and value, unit and range, and precision of `auto_match`, which a set must reach. */
interface Floors {
  nameAndValue: number
  unit: number
  range: number
  autoMatchPrecision: number
}

const TEXT: Floors = { nameAndValue: 0.9, unit: 0.93, range: 0.9, autoMatchPrecision: 0.97 }
const PICTURE: Floors = { nameAndValue: 0.7, unit: 0.7, range: 0.6, autoMatchPrecision: 0.9 }

const CAMPAIGNS: [SyntheticSet, Floors][] = [
  [{ from: 10_000, count: 120, part: 'tuned', kind: 'text' }, TEXT],
  [{ from: 10_000, count: 120, part: 'unseen', kind: 'text' }, TEXT],
  [{ from: 20_000, count: 10, part: 'tuned', kind: 'scan' }, PICTURE],
  [{ from: 20_000, count: 10, part: 'unseen', kind: 'scan' }, PICTURE],
  [{ from: 30_000, count: 10, part: 'tuned', kind: 'photo' }, PICTURE],
  [{ from: 30_000, count: 10, part: 'unseen', kind: 'photo' }, PICTURE],
]

for (const [set, floors] of CAMPAIGNS) {
  test(`${set.count} ${set.part} reports, ${set.kind}, are read`, async (context) => {
    const documents = await evaluateSynthetic(set)
    const reached = measure(documents)
    context.diagnostic(`seeds from ${set.from}: ${JSON.stringify(reached)}`)
    for (const [key, floor] of Object.entries(floors) as [keyof Floors, number][]) {
      assert.ok(reached[key] >= floor, `${key}: ${reached[key]} instead of ${floor}`)
    }
    const wrong = documents.filter(
      ({ outcome }) => outcome === 'threw' || outcome === 'wrongly parsed',
    )
    assert.deepEqual(
      wrong.map(({ file, outcome }) => `${file}: ${outcome}`),
      [],
    )
  })
}
