import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageData } from '../page-data.ts'
import { mapReadings } from './dexcom-share.mapper.ts'

const AT = Date.UTC(2026, 1, 6, 9, 12, 35)
const reading = (at: number, Value: unknown, offset = '-0800') => ({
  WT: `Date(${at})`,
  ST: `Date(${at})`,
  DT: `Date(${at}${offset})`,
  Value,
  Trend: 'Flat',
})

function map(...records: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'dexcom' })
  mapReadings(records, data)
  return data
}

test('a reading has the instant of the world clock and the offset of the display', () => {
  const [sample] = map(reading(AT, 112)).samples
  assert.equal(sample?.startedAt, AT)
  assert.equal(sample?.timezoneOffset, -28_800)
  assert.ok(Math.abs(Number(sample?.value) - 112 / 18.0182) < 0.001)
  assert.deepEqual([sample?.sourceType, sample?.sampleType], ['automatic', 'automatic'])
  const [east] = map(reading(AT, 112, '+0545')).samples
  assert.equal(east?.timezoneOffset, 20_700)
  const [bare] = map({ WT: `/Date(${AT})/`, DT: `/Date(${AT})/`, Value: 112 }).samples
  assert.deepEqual([bare?.startedAt, bare?.timezoneOffset], [AT, null])
})

test('of two devices that uploaded one value the first counts, other values stay', () => {
  const starts = (...records: unknown[]) => map(...records).samples.map((one) => one.startedAt)
  assert.deepEqual(starts(reading(AT + 1000, 112), reading(AT, 112)), [AT])
  assert.deepEqual(starts(reading(AT + 1000, 113), reading(AT, 112)), [AT, AT + 1000])
  assert.deepEqual(starts(reading(AT + 300_000, 112), reading(AT, 112)), [AT, AT + 300_000])
})

test('what the sensor did not measure and what is no reading is quarantined with a reason', () => {
  const { samples, quarantined } = map(
    reading(AT, 39),
    reading(AT + 300_000, 401),
    reading(AT + 600_000, 5),
    reading(AT + 900_000, 'high'),
    { ...reading(AT, 112), WT: 'yesterday' },
    { ...reading(AT, 112), WT: AT },
    7,
    reading(AT + 1_200_000, 40),
  )
  assert.deepEqual(
    quarantined.map(({ reason }) => reason),
    [
      'invalid_start_date',
      'invalid_start_date',
      'not_an_object',
      'out_of_range',
      'out_of_range',
      'out_of_range',
      'invalid_value',
    ],
  )
  assert.equal(samples.length, 1)
})
