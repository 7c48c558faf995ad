import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateSynthetic, measure, type SyntheticSet } from './evaluate-synthetic.ts'

/**
 * F1 of name and value, unit and range, and precision of what is sure and of `auto_match`, which a
 * set must reach.
 */
interface Floors {
  nameAndValue: number
  unit: number
  range: number
  sureAndRight: number
  autoMatchPrecision: number
}

const TEXT: Floors = {
  nameAndValue: 0.9,
  unit: 0.93,
  range: 0.9,
  sureAndRight: 0.995,
  autoMatchPrecision: 0.97,
}
const PICTURE: Floors = {
  nameAndValue: 0.7,
  unit: 0.7,
  range: 0.6,
  sureAndRight: 0.97,
  autoMatchPrecision: 0.9,
}
/** Kinds of which a part may be left unread are among these. */
const SPECIALIST: Floors = { ...TEXT, nameAndValue: 0.85, unit: 0.85, range: 0.85 }
/**
 * Of layouts that were kept apart 0.955 of what is sure was right when this was written; it is to
 * be raised.
 */
const SPECIALIST_PICTURE: Floors = {
  ...PICTURE,
  nameAndValue: 0.5,
  unit: 0.5,
  range: 0.5,
  sureAndRight: 0.95,
}

const CAMPAIGNS: [SyntheticSet, Floors][] = [
  [{ from: 10_000, count: 80, part: 'tuned', kind: 'text' }, TEXT],
  [{ from: 10_000, count: 80, part: 'unseen', kind: 'text' }, TEXT],
  [{ from: 20_000, count: 10, part: 'tuned', kind: 'scan' }, PICTURE],
  [{ from: 20_000, count: 10, part: 'unseen', kind: 'scan' }, PICTURE],
  [{ from: 30_000, count: 10, part: 'tuned', kind: 'photo' }, PICTURE],
  [{ from: 30_000, count: 10, part: 'unseen', kind: 'photo' }, PICTURE],
  [{ from: 40_000, count: 115, part: 'tuned', kind: 'text', reports: 'specialist' }, SPECIALIST],
  [{ from: 40_000, count: 115, part: 'unseen', kind: 'text', reports: 'specialist' }, SPECIALIST],
  [
    { from: 50_000, count: 6, part: 'tuned', kind: 'scan', reports: 'specialist' },
    SPECIALIST_PICTURE,
  ],
  [
    { from: 50_000, count: 6, part: 'unseen', kind: 'scan', reports: 'specialist' },
    SPECIALIST_PICTURE,
  ],
]

for (const [set, floors] of CAMPAIGNS) {
  test(`${set.count} ${set.part} ${set.reports ?? 'ordinary'} reports, ${set.kind}, are read`, async (context) => {
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
