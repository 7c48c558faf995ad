import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Period } from './expressions.schema.ts'
import { windowOf } from './window.ts'

const windowFrom = (anchor: string, past: Period): string[] => {
  const { from, to } = windowOf({ type: 'relative', anchor, past })
  return [from, to].map((time) => new Date(time).toISOString().slice(0, 16))
}

test('a window ends with the anchor day and is exactly as long as asked', () => {
  const cases: [anchor: string, past: Period, from: string, to: string][] = [
    ['2026-03-31', { unit: 'day' }, '2026-03-31T00:00', '2026-04-01T00:00'],
    ['2026-03-31', { unit: 'minute', value: 90 }, '2026-03-31T22:30', '2026-04-01T00:00'],
    ['2026-03-31', { unit: 'week', value: 2 }, '2026-03-18T00:00', '2026-04-01T00:00'],
    ['2026-03-30', { unit: 'month' }, '2026-02-28T00:00', '2026-03-31T00:00'],
    ['2026-03-30', { unit: 'month', value: 15 }, '2024-12-31T00:00', '2026-03-31T00:00'],
    ['2024-02-28', { unit: 'year', value: 1 }, '2023-02-28T00:00', '2024-02-29T00:00'],
    ['2025-12-31', { unit: 'year', value: 5 }, '2021-01-01T00:00', '2026-01-01T00:00'],
    ['1970-01-31', { unit: 'month', value: 2 }, '1969-12-01T00:00', '1970-02-01T00:00'],
  ]
  for (const [anchor, past, from, to] of cases) {
    assert.deepEqual(windowFrom(anchor, past), [from, to])
  }
})

test('five years are allowed with all leap days in them, and no more', () => {
  const tooLarge = { errorType: 'range_too_large' }
  for (const anchor of ['2025-12-31', '2024-02-28', '2024-02-29', '2028-03-01']) {
    windowFrom(anchor, { unit: 'year', value: 5 })
    windowFrom(anchor, { unit: 'month', value: 60 })
    windowFrom(anchor, { unit: 'day', value: 1827 })
    assert.throws(() => windowFrom(anchor, { unit: 'day', value: 1828 }), tooLarge)
    assert.throws(() => windowFrom(anchor, { unit: 'month', value: 61 }), tooLarge)
    assert.throws(() => windowFrom(anchor, { unit: 'year', value: 4e15 }), tooLarge)
  }
})
