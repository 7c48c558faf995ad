import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAppleDate } from './apple-dates.ts'

test('a local time with its offset becomes an instant', () => {
  assert.deepEqual(parseAppleDate('2024-03-10 01:59:00 -0800'), {
    epochMilliseconds: Date.parse('2024-03-10T01:59:00-08:00'),
    offsetSeconds: -28_800,
  })
  assert.equal(parseAppleDate('2024-03-10 01:59:00 +0545')?.offsetSeconds, 20_700)
  assert.equal(Object.is(parseAppleDate('2024-03-10 01:59:00 -0000')?.offsetSeconds, 0), true)
})

test('days and times that do not exist and other forms give undefined', () => {
  const wrong = [
    '',
    '2024-03-10',
    '2024-03-10T01:59:00-08:00',
    '2024-03-10 01:59:00 -080',
    '2024-03-10 01:59:00 -08000',
    '2024-02-30 01:59:00 -0800',
    '2023-02-29 01:59:00 -0800',
    '2024-13-01 01:59:00 -0800',
    '2024-00-01 01:59:00 -0800',
    '2024-01-00 01:59:00 -0800',
    '2024-01-01 24:00:00 -0800',
    '2024-01-01 01:60:00 -0800',
    '2024-01-01 01:00:60 -0800',
    '2024-01-01 01:00:00 -1900',
    '2024-01-01 01:00:00 -0860',
    '2024-01-01 01:00:00  0800',
    '2024-01-0x 01:00:00 -0800',
    '20x4-01-01 01:00:00 -0800',
    '2024-01-01 01:00:00 -08x0',
  ]
  for (const text of wrong) assert.equal(parseAppleDate(text), undefined, text)
})

test('every instant and offset that is written out is read back', () => {
  const seconds = fc.integer({ min: Date.UTC(1990) / 1000, max: Date.UTC(2100) / 1000 })
  const quarters = fc.integer({ min: -48, max: 56 })
  fc.assert(
    fc.property(seconds, quarters, (epochSeconds, quarter) => {
      const offsetSeconds = quarter * 900
      const local = new Date((epochSeconds + offsetSeconds) * 1000).toISOString()
      const minutes = Math.abs(quarter) * 15
      const offset =
        `${Math.floor(minutes / 60)}`.padStart(2, '0') + `${minutes % 60}`.padStart(2, '0')
      const time = `${local.slice(0, 10)} ${local.slice(11, 19)}`
      const text = `${time} ${quarter < 0 ? '-' : '+'}${offset}`
      assert.deepEqual(parseAppleDate(text), {
        epochMilliseconds: epochSeconds * 1000,
        offsetSeconds,
      })
    }),
  )
})
