import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isListedInstant } from './cursor.ts'

test('a time in a cursor is one that PostgreSQL writes and reads', () => {
  for (const text of [
    '2026-02-28 23:59:59+00',
    '2024-02-29 00:00:00.123456+00',
    '2026-06-01 12:00:00.5+02',
  ]) {
    assert.equal(isListedInstant(text), true, text)
  }
  for (const value of [
    '2026-02-30 00:00:00+00',
    '2025-02-29 00:00:00+00',
    '2026-13-01 00:00:00+00',
    '2026-01-01 25:00:00+00',
    '2026-01-01 00:00:61+00',
    '2026-01-01 00:00:00+23',
    '0000-01-01 00:00:00+00',
    '2026-01-01T00:00:00Z',
    20260101,
    null,
  ]) {
    assert.equal(isListedInstant(value), false, String(value))
  }
})
