import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateAtOffset, parseDate, parseInstant, startOfUtcDay } from './instants.ts'

/** The forms that are read fast, and others that are read by a pattern. */
const dateTime = fc.tuple(
  fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31'), noInvalidDate: true }),
  fc.constantFrom(19, 23),
  fc.constantFrom(
    '',
    'Z',
    '+00:00',
    '-00:00',
    '+02:00',
    '-07:00',
    '+05:45',
    '+13:00',
    '-0330',
    '+09',
  ),
  fc.constantFrom('T', ' '),
)

test('a date-time is the instant that the engine reads, however it is written', () => {
  fc.assert(
    fc.property(dateTime, ([date, length, zone, separator]) => {
      const local = date.toISOString().slice(0, length)
      const colons = zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').replace(/^([+-]\d{2})$/, '$1:00')
      const parsed = parseInstant(`${local.replace('T', separator)}${zone}`)
      const minutes = Number(colons.slice(1, 3)) * 60 + Number(colons.slice(4, 6))
      const offset = zone === '' || zone === 'Z' || zone === '-00:00' ? null : minutes * 60
      assert.deepEqual(parsed, {
        epochMilliseconds: Date.parse(`${local}${colons || 'Z'}`),
        offsetSeconds: offset && zone[0] === '-' ? -offset : offset,
      })
    }),
    { seed: 12, numRuns: 500 },
  )
})

test('a date is the day that the engine reads', () => {
  const number = (most: number) => fc.integer({ min: 0, max: most })
  const dates = fc.tuple(number(9999), number(13), number(32), fc.constantFrom('-', '/', '.'))
  fc.assert(
    fc.property(dates, ([year, month, day, separator]) => {
      const pad = (part: number, length = 2) => String(part).padStart(length, '0')
      const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
      const midnight = Date.parse(`${date}T00:00:00Z`)
      assert.equal(startOfUtcDay(date), midnight)
      const isDay =
        !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === date
      const written = date.replaceAll('-', separator)
      assert.equal(parseDate(written), isDay && separator !== '.' ? date : undefined)
      if (isDay) assert.equal(dateAtOffset(midnight - 1000, 1), date)
    }),
    { seed: 12, numRuns: 2000 },
  )
})

test('what is no date-time is none', () => {
  const wrong = [
    '',
    '2026-02-30T08:15:00+02:00',
    '2026-02-03T24:15:00+02:00',
    '2026-02-03T08:15:00+24:00',
    '2026-02-03T08:15:00+02:60',
    '2026-02-03T08:15:00*02:00',
    '2026-02-03T08:15:00+02.00',
    '2026-02-03T08:15:00.1x3+02:00',
    '2026-02-03T08:15:00+0x:00',
    '2026-02-03T08:15:00+02:00Z',
  ]
  for (const text of wrong) assert.equal(parseInstant(text), undefined, text)
})
