import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  LIBREVIEW_NEWEST,
  LIBREVIEW_RECORD,
} from '../../../../server/test/connectors/vendor-pages.registry.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapGraph } from './libreview.mapper.ts'

const at = (hour: number, minute = 0, second = 0) => Date.UTC(2026, 2, 1, hour, minute, second)

const page = (graphData: unknown, glucoseMeasurement: unknown = null) => ({
  status: 0,
  data: { connection: { glucoseMeasurement }, activeSensors: [], graphData },
})

function mapped(answer: unknown, logbook?: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'abbott_libreview' })
  mapGraph(answer, data, logbook === undefined ? [] : [{ status: 0, data: logbook }])
  return data
}

const shown = ({ samples }: PageData) =>
  samples.map(({ startedAt, value, sampleType, sourceType, timezoneOffset }) => [
    startedAt,
    Number(value.toFixed(3)),
    sampleType,
    sourceType,
    timezoneOffset,
  ])

test('times are those of UTC, with the offset of the phone', () => {
  const data = mapped(page([LIBREVIEW_RECORD], LIBREVIEW_NEWEST))
  assert.deepEqual(data.quarantined, [])
  assert.deepEqual(shown(data), [
    [at(11, 45), 6.216, 'automatic', 'automatic', -18_000],
    [at(11, 58, 7), 6.216, 'automatic', 'automatic', -18_000],
  ])
  const offsetOf = (Timestamp: unknown) =>
    mapped(page([{ ...LIBREVIEW_RECORD, Timestamp }])).samples[0]?.timezoneOffset
  assert.equal(offsetOf('3/1/2026 5:30:01 PM'), 20_700)
  assert.equal(offsetOf('3/2/2026 12:45:00 AM'), 46_800)
  // A phone with a wrong date, or no time of it, has no offset.
  assert.equal(offsetOf('3/3/2026 11:45:00 AM'), null)
  assert.equal(offsetOf(undefined), null)
})

test('the number of a kind means another one in the logbook than in the graph', () => {
  const later = { ...LIBREVIEW_RECORD, FactoryTimestamp: '3/1/2026 12:46:00 PM' }
  const data = mapped(page([{ ...LIBREVIEW_RECORD, type: 1 }]), [
    { ...LIBREVIEW_RECORD, type: 1 },
    { ...later, type: 2 },
    { ...later, FactoryTimestamp: '3/1/2026 1:00:00 PM', type: 3 },
  ])
  assert.deepEqual(
    shown(data).map(([, , type]) => type),
    ['automatic', 'manual_scan', 'automatic', 'automatic'],
  )
})

test('midnight and noon are distinguished, and only an invalid record is quarantined', () => {
  const one = (FactoryTimestamp: unknown) =>
    mapped(page([{ ...LIBREVIEW_RECORD, FactoryTimestamp }]))
  assert.equal(one('3/1/2026 12:00:00 AM').samples[0]?.startedAt, at(0))
  assert.equal(one('3/1/2026 12:00:00 PM').samples[0]?.startedAt, at(12))
  assert.equal(one('3/1/2026 11:59:00 PM').samples[0]?.startedAt, at(23, 59))
  for (const wrong of [
    '2026-03-01T06:45:00Z',
    '2/30/2026 1:00:00 AM',
    '3/1/2026 1:00:00',
    '',
    null,
  ]) {
    assert.equal(one(wrong).quarantined[0]?.reason, 'invalid_start_date', String(wrong))
  }
  const data = mapped(
    page([{ ...LIBREVIEW_RECORD, ValueInMgPerDl: null }, 7, LIBREVIEW_RECORD]),
    // The sensor measures up to 500 and from 40 on.
    [
      { ...LIBREVIEW_RECORD, ValueInMgPerDl: 500, isHigh: true },
      { ...LIBREVIEW_RECORD, ValueInMgPerDl: 40, isLow: true },
    ],
  )
  assert.deepEqual(
    data.quarantined.map(({ reason }) => reason),
    ['invalid_value', 'not_an_object', 'out_of_range', 'out_of_range'],
  )
  assert.equal(data.samples.length, 1)
})

test('an answer without a graph, or a logbook that is no list, is not a page', () => {
  for (const odd of [{ status: 2 }, { status: 0, data: {} }, [], null, { status: 0 }, page({})]) {
    assert.throws(() => mapped(odd), VendorError)
  }
  assert.throws(() => mapped(page([]), {}), VendorError)
  assert.deepEqual(mapped(page([])).samples, [])
})
