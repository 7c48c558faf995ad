import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  LIBREVIEW_RECORD,
  VENDOR_PAGES,
} from '../../../../server/test/connectors/vendor-pages.registry.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapGraph, mapLogbook, mapMeasurements } from './libreview.mapper.ts'

const at = (hour: number, minute = 0, ms = 0) => Date.UTC(2026, 2, 1, hour, minute, 0, ms)

function mapped(records: readonly unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'abbott_libreview' })
  mapMeasurements({ status: 0, data: { measurements: records, next: null } }, data)
  return data
}

const shown = ({ samples }: PageData) =>
  samples.map(({ series, startedAt, value, text, sampleType, sourceType }) => [
    series,
    startedAt,
    series === 'note' ? text : Number(value.toFixed(3)),
    sampleType,
    sourceType,
  ])

test('records stand at what the clock on the wall showed, without an offset', () => {
  const data = mapped(VENDOR_PAGES.abbott_libreview?.measurements?.records ?? [])
  assert.deepEqual(data.quarantined, [])
  assert.deepEqual(shown(data), [
    ['glucose', at(6, 45), 6.216, 'automatic', 'automatic'],
    ['glucose', at(6, 45), 4.995, 'fingerprick', 'fingerprick'],
    // Entries have the precision of an hour; their minutes are milliseconds, which keep them apart.
    ['insulin_injection', at(12, 0, 5), 4.5, 'rapid_acting', 'unknown'],
    ['carbohydrates', at(12, 0, 7), 45, '', 'unknown'],
    ['note', at(0, 0, 59), 'After a walk', '', 'unknown'],
  ])
  assert.ok(data.samples.every(({ timezoneOffset }) => timezoneOffset === null))
})

test('two entries of one minute are two, also when the page comes again', () => {
  const entry = { Timestamp: '3/1/2026 12:05:00 PM', type: 4, insulin: 2, insulinType: 'long' }
  const records = [
    { ...entry, id: 'a' },
    { ...entry, id: 'b' },
    { ...entry, id: 'a' },
  ]
  const times = mapped(records).samples.map(({ startedAt }) => startedAt)
  assert.deepEqual(times, [at(12, 0, 5), at(12, 0, 6), at(12, 0, 5)])
})

test('the graph and the logbook hold the same records', () => {
  const data = new PageData({ userId: 'u', provider: 'abbott_libreview' })
  mapGraph({ status: 0, data: { graphData: [LIBREVIEW_RECORD] } }, data)
  mapLogbook({ status: 0, data: [{ ...LIBREVIEW_RECORD, type: 1 }] }, data)
  assert.deepEqual(
    data.samples.map(({ sampleType }) => sampleType),
    ['automatic', 'manual_scan'],
  )
  for (const odd of [{ status: 2 }, { status: 0, data: {} }, [], null, { status: 0 }]) {
    assert.throws(() => mapGraph(odd, data), VendorError)
  }
})

test('midnight and noon are distinguished, and only an invalid record is quarantined', () => {
  const one = (Timestamp: string) => mapped([{ ...LIBREVIEW_RECORD, Timestamp }])
  assert.equal(one('3/1/2026 12:00:00 AM').samples[0]?.startedAt, at(0))
  assert.equal(one('3/1/2026 12:00:00 PM').samples[0]?.startedAt, at(12))
  assert.equal(one('3/1/2026 11:59:00 PM').samples[0]?.startedAt, at(23, 59))
  for (const wrong of ['2026-03-01T06:45:00Z', '2/30/2026 1:00:00 AM', '3/1/2026 1:00:00', '']) {
    assert.equal(one(wrong).quarantined[0]?.reason, 'invalid_start_date', wrong)
  }
  const data = mapped([
    { ...LIBREVIEW_RECORD, ValueInMgPerDl: null },
    { Timestamp: '3/1/2026 1:00:00 AM', type: 4, insulin: 2 },
    { Timestamp: '3/1/2026 1:00:00 AM', type: 6, note: 7 },
    { Timestamp: '3/1/2026 1:00:00 AM', type: 9 },
    LIBREVIEW_RECORD,
  ])
  assert.deepEqual(
    data.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['glucose', 'invalid_value'],
      ['insulin_injection', 'missing_type'],
      ['note', 'invalid_value'],
    ],
  )
  assert.equal(data.samples.length, 1)
})
