import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onlyMessage, readFixture } from '../test/read-fixture.ts'
import { readTime, writeTime } from './times.ts'

const PHOENIX = { zone: 'America/Phoenix' }
const DENVER = { zone: 'America/Denver' }
const instant = (text: string, options = PHOENIX) => {
  const time = readTime(text, options)
  return time && [new Date(time.at).toISOString(), time.offsetSeconds, time.precision, time.local]
}

describe('a time', () => {
  for (const [text, at, offset, precision, local] of [
    ['1990', '1990-01-01T07:00:00.000Z', -25_200, 'year', '1990'],
    ['199004', '1990-04-01T07:00:00.000Z', -25_200, 'month', '1990-04'],
    ['19900412', '1990-04-12T07:00:00.000Z', -25_200, 'day', '1990-04-12'],
    ['2026030908', '2026-03-09T15:00:00.000Z', -25_200, 'hour', '2026-03-09T08'],
    ['202603090805', '2026-03-09T15:05:00.000Z', -25_200, 'minute', '2026-03-09T08:05'],
    ['20260309080507', '2026-03-09T15:05:07.000Z', -25_200, 'second', '2026-03-09T08:05:07'],
    [
      '20260309080507.1239',
      '2026-03-09T15:05:07.123Z',
      -25_200,
      'fraction',
      '2026-03-09T08:05:07.1239',
    ],
    ['202603091030-0330', '2026-03-09T14:00:00.000Z', -12_600, 'minute', '2026-03-09T10:30'],
    [
      '20260310102000.1234+0530',
      '2026-03-10T04:50:00.123Z',
      19_800,
      'fraction',
      '2026-03-10T10:20:00.1234',
    ],
    ['20260310102000+13:45', '2026-03-09T20:35:00.000Z', 49_500, 'second', '2026-03-10T10:20:00'],
    ['20260310-0700', '2026-03-10T07:00:00.000Z', -25_200, 'day', '2026-03-10'],
    ['20260310102000-0000', '2026-03-10T10:20:00.000Z', 0, 'second', '2026-03-10T10:20:00'],
    ['20260310102000Z', '2026-03-10T10:20:00.000Z', 0, 'second', '2026-03-10T10:20:00'],
    [' 20240229 ', '2024-02-29T07:00:00.000Z', -25_200, 'day', '2024-02-29'],
  ] as const) {
    test(`${text} is read with its precision and offset`, () => {
      assert.deepEqual(instant(text), [at, offset, precision, local])
      assert.equal(readTime(text, PHOENIX)?.isZoneStated, /[+-]|Z/.test(text))
    })
  }

  test('that is none is undefined', () => {
    for (const text of [
      '',
      ' ',
      '0',
      '202',
      '20261',
      '20261301',
      '20260230',
      '20230229',
      '20260009',
      '20260300',
      '2026030924',
      '202603090860',
      '20260309080560',
      '20260309080500.',
      '20260309080500+1500',
      '20260309080500+0760',
      '2026-03-09',
      '2026-0330',
      '20260309 0800',
      '00000000',
      '17530101',
      'unknown',
      '20260309T0800',
      '20260309080500.1234567890',
    ]) {
      assert.equal(readTime(text, PHOENIX), undefined, text)
    }
  })

  test('without an offset is local to the zone of the connection', () => {
    assert.equal(
      instant('20260701080000', { zone: 'America/New_York' })?.[0],
      '2026-07-01T12:00:00.000Z',
    )
    assert.equal(
      instant('20260101080000', { zone: 'America/New_York' })?.[0],
      '2026-01-01T13:00:00.000Z',
    )
    assert.equal(instant('20260701080000', { zone: 'UTC' })?.[0], '2026-07-01T08:00:00.000Z')
    assert.equal(instant('20260701080000', { zone: 'Asia/Kathmandu' })?.[1], 20_700)
  })

  test('that occurs twice is the earlier one', () => {
    assert.deepEqual(instant('202611010130', DENVER)?.slice(0, 2), [
      '2026-11-01T07:30:00.000Z',
      -21_600,
    ])
  })

  test('that a change of the clock leaves out is as far after the change', () => {
    const time = readTime('202603080230', DENVER)
    assert.equal(new Date(time?.at ?? 0).toISOString(), '2026-03-08T09:30:00.000Z')
    assert.equal(time?.local, '2026-03-08T02:30')
    // The instant and its offset agree with each other, and with the zone.
    assert.equal(time?.offsetSeconds, -21_600)
  })

  test('in a zone that does not exist is an error of the caller', () => {
    assert.throws(() => readTime('20260309', { zone: 'America/Nowhere' }), RangeError)
  })

  test('of a message is read in every form that the message has', () => {
    const message = onlyMessage(readFixture('oru-zones'))
    const [obr, obx] = [message.first('OBR'), message.first('OBX')]
    const times = [obr?.text(7), obr?.text(22), obx?.text(14), message.header.text(7)]
    assert.deepEqual(
      times.map((text) => readTime(text ?? '', PHOENIX)?.precision),
      ['hour', 'day', 'minute', 'fraction'],
    )
  })
})

test('a written time is read as the same instant', () => {
  const zone = fc.constantFrom(
    'America/Denver',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'UTC',
  )
  const second = fc.integer({ min: Date.UTC(1971, 0) / 1000, max: Date.UTC(2037, 0) / 1000 })
  fc.assert(
    fc.property(zone, second, (name, at) => {
      const text = writeTime(at * 1000, { zone: name })
      assert.match(text, /^\d{14}[+-]\d{4}$/)
      const read = readTime(text, { zone: 'Europe/Berlin' })
      assert.equal(read?.at, at * 1000)
      // An offset from the text decides, and it is the one of the zone.
      const local = readTime(text.slice(0, 14), { zone: name })
      assert.ok(local && Math.abs(local.at - at * 1000) <= 86_400_000)
      if (local?.at === at * 1000) assert.equal(local.offsetSeconds, read?.offsetSeconds)
    }),
    { numRuns: 1000, seed: 5 },
  )
  const at = Date.UTC(2026, 2, 9, 15, 5, 7)
  assert.equal(writeTime(at, PHOENIX), '20260309080507-0700')
  assert.equal(writeTime(at, { ...PHOENIX, precision: 'minute' }), '202603090805-0700')
  assert.equal(writeTime(at, { ...PHOENIX, precision: 'day' }), '20260309')
})
