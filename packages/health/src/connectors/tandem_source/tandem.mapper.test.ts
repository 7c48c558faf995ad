import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapPumps } from './tandem.mapper.ts'
import { eventRequestsOf } from './tandem-pages.ts'

const RANGE = { from: Date.UTC(2026, 1, 3), to: Date.UTC(2026, 1, 8) }
const PUMPS = {
  pumps: [
    {
      assignmentId: 'pump-1',
      availableDataRange: { start: '2025-05-06T12:31:19', end: '2026-02-07T22:45:58' },
      maxDateOfEvents: '2026-02-07T22:45:58',
    },
  ],
}
/** Seconds of 2026-02-05T09:00 since 2008. */
const EGV = Date.UTC(2026, 1, 5, 9) / 1000 - 1_199_145_600

let sequence = 0
const event = (eventCode: number, time: string, eventProperties: object) => ({
  deviceAssignmentId: 'pump-1',
  eventCode,
  sequenceGroup: 0,
  sequenceNumber: ++sequence,
  pumpDateTime: `2026-02-05T${time}`,
  eventProperties,
  estimatedDateTime: `2026-02-05T${time}Z`,
})
const cgm = (change: object = {}, code = 399) =>
  event(code, '09:00:03', {
    glucoseValueStatus: 0,
    cgmDataType: [0],
    rate: -6,
    currentGlucoseDisplayValue: 167,
    egvTimeStamp: EGV,
    ...change,
  })
const completed = (bolusId: number, insulinDelivered: number, code = 20, time = '12:05:00') =>
  event(code, time, { completionStatus: 3, bolusId, insulinDelivered, insulinRequested: 9 })
const delivery = (bolusId: number, change: object = {}) =>
  event(280, '12:05:01', {
    bolusId,
    bolusDeliveryStatus: 0,
    bolusType: [0, 3, 4],
    bolusSource: 8,
    correction: 130,
    deliveredTotal: 10_960,
    ...change,
  })
const basal = (time: string, commandedRate: unknown) =>
  event(279, time, { commandedRateSource: 3, commandedRate, algorithmRate: commandedRate })

function map(...events: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'tandem_source' })
  mapPumps(PUMPS, data, [{ events, clockChanges: [] }], { range: RANGE })
  return data
}
const reasons = ({ quarantined }: PageData) => quarantined.map(({ reason }) => reason)
const timeOf = (at: number | undefined) => new Date(at ?? Number.NaN).toISOString().slice(11, 19)

test('values of all sensors have the time of the value, by the clock of the pump', () => {
  for (const code of [256, 372, 399, 480]) {
    const [sample] = map(cgm({}, code)).samples
    assert.equal(sample?.startedAt, Date.UTC(2026, 1, 5, 9))
    assert.equal(sample?.timezoneOffset, null)
    assert.ok(Math.abs(Number(sample?.value) - 167 / 18.0182) < 0.001)
    assert.deepEqual([sample?.sourceType, sample?.sampleType], ['automatic', 'automatic'])
  }
  // A value that was sent later, in both spellings of a mask.
  assert.equal(map(cgm({ cgmDataType: [1] })).samples.length, 1)
  assert.equal(map(cgm({ cgmDataType: 2 })).samples.length, 1)
  assert.equal(map(cgm({ cgmDataType: [3] })).samples.length, 0)
})

test('a value that the sensor did not measure is quarantined, one not to be shown left out', () => {
  assert.deepEqual(reasons(map(cgm({ glucoseValueStatus: 1 }))), ['out_of_range'])
  assert.deepEqual(reasons(map(cgm({ glucoseValueStatus: 2 }))), ['out_of_range'])
  const hidden = map(cgm({ glucoseValueStatus: 6 }))
  assert.deepEqual([hidden.samples.length, hidden.quarantined.length], [0, 0])
  assert.deepEqual(reasons(map(cgm({ egvTimeStamp: 'now' }))), ['invalid_start_date'])
  assert.deepEqual(reasons(map(cgm({ currentGlucoseDisplayValue: 0 }))), ['out_of_range'])
  assert.deepEqual(reasons(map(cgm({ currentGlucoseDisplayValue: 'x' }))), ['invalid_value'])
})

test('a glucose that the person entered is of a strip, one taken from the sensor is not', () => {
  const entered = (bgEntryType: number) => event(16, '08:00:00', { bg: 112, bgEntryType })
  const [sample] = map(entered(0)).samples
  assert.deepEqual([sample?.sourceType, sample?.sampleType], ['fingerprick', 'fingerprick'])
  assert.equal(map(entered(1)).samples.length, 0)
})

test('a bolus has its insulin, its purpose and its carbohydrates', () => {
  const request = (carbAmount: number, bolusType = 3) =>
    event(64, '12:00:00', { bolusId: 7, bolusType, carbAmount, bg: 164 })
  const parts = (foodBolusSize: number, correctionBolusSize: number) =>
    event(66, '12:00:00', { bolusId: 7, foodBolusSize, correctionBolusSize })
  const purpose = (...events: unknown[]) =>
    map(...events, completed(7, 8.3299999))
      .samples.filter(({ series }) => series === 'insulin_injection')
      .map(({ extra }) => JSON.parse(extra).bolus_purpose)
  const { samples } = map(request(50), parts(8.33, 0), completed(7, 8.3299999))
  const [carbohydrates, insulin] = samples
  assert.deepEqual([carbohydrates?.value, timeOf(carbohydrates?.startedAt)], [50, '12:00:00'])
  assert.deepEqual([insulin?.value, timeOf(insulin?.startedAt)], [8.33, '12:05:00'])
  assert.deepEqual(JSON.parse(insulin?.extra ?? ''), {
    delivery_mode: 'bolus',
    delivery_form: 'standard',
    bolus_purpose: 'meal',
  })
  assert.deepEqual([insulin?.sampleType, insulin?.sourceType], ['rapid_acting', 'insulin_pump'])
  assert.deepEqual(purpose(request(0), parts(0, 1.5)), ['correction'])
  assert.deepEqual(purpose(request(10), parts(1, 1.5)), ['mixed'])
  assert.deepEqual(purpose(request(0), parts(0, 0)), ['unknown'])
  assert.deepEqual(purpose(request(0, 2), parts(1, 0)), ['correction'])
  assert.deepEqual(purpose(), ['unknown'])
})

test('a bolus that two events report counts once', () => {
  const insulin = (...events: unknown[]) => map(...events).samples.map(({ value }) => value)
  assert.deepEqual(insulin(completed(7, 10.96), delivery(7)), [10.96])
  assert.deepEqual(insulin(delivery(7), completed(7, 10.96)), [10.96])
  assert.deepEqual(insulin(delivery(7)), [10.96])
  assert.deepEqual(insulin(delivery(7, { bolusDeliveryStatus: 1 })), [])
  const purposeOf = (change: object) =>
    JSON.parse(map(delivery(7, change)).samples[0]?.extra ?? '').bolus_purpose
  assert.equal(purposeOf({}), 'mixed')
  assert.equal(purposeOf({ bolusType: [0, 4] }), 'meal')
  assert.equal(purposeOf({ bolusType: 8 }), 'correction')
  assert.equal(purposeOf({ bolusType: [0], bolusSource: 7 }), 'correction')
  assert.equal(purposeOf({ bolusType: [0] }), 'unknown')
})

test('the extended part of a bolus lasts from the request to its end', () => {
  const { samples } = map(
    event(64, '12:00:00', { bolusId: 7, bolusType: 0, carbAmount: 0 }),
    completed(7, 3),
    completed(7, 2, 21, '14:00:00'),
  )
  const forms = samples.map(({ extra }) => JSON.parse(extra).delivery_form)
  assert.deepEqual(forms, ['standard', 'extended'])
  const extended = samples[1]
  assert.deepEqual(
    [timeOf(extended?.startedAt), timeOf(extended?.endedAt), extended?.value],
    ['12:00:00', '14:00:00', 2],
  )
})

test('a basal rate lasts until the next report, and not over a gap', () => {
  const { samples } = map(
    basal('10:00:00', 1200),
    basal('10:05:00', 0),
    basal('10:10:00', 600),
    basal('11:40:00', 600),
    basal('11:30:00', 600),
    basal('11:35:00', 600),
  )
  assert.deepEqual(
    samples.map((one) => [timeOf(one.startedAt), timeOf(one.endedAt), one.value]),
    [
      ['10:00:00', '10:05:00', 0.1],
      ['11:30:00', '11:35:00', 0.05],
    ],
  )
  assert.deepEqual(JSON.parse(samples[0]?.extra ?? ''), { delivery_mode: 'basal' })
  assert.deepEqual(reasons(map(basal('10:00:00', 'x'))), ['invalid_value'])
})

test('events of other ranges only complete those of this one', () => {
  const outside = { ...completed(7, 4), pumpDateTime: '2026-02-02T23:59:59' }
  assert.equal(map(outside).samples.length, 0)
  // The clock of a pump may be fourteen hours before UTC.
  const ahead = { ...completed(8, 4), pumpDateTime: '2026-02-08T13:59:59' }
  assert.equal(map(ahead).samples.length, 1)
  const later = { ...ahead, pumpDateTime: '2026-02-08T14:00:00' }
  assert.equal(map(later).samples.length, 0)
})

test('what is no event is quarantined, and what is no answer is unexpected', () => {
  const odd = map(7, { ...cgm(), pumpDateTime: 'today' }, { ...cgm(), sequenceNumber: null }, cgm())
  assert.deepEqual(reasons(odd), ['invalid_field', 'invalid_field', 'invalid_field'])
  assert.equal(odd.samples.length, 1)
  const data = new PageData({ userId: 'u', provider: 'tandem_source' })
  assert.throws(() => mapPumps(PUMPS, data, ['blob'], { range: RANGE }), VendorError)
  assert.throws(() => mapPumps([], data, [], { range: RANGE }), VendorError)
})

test('events are requested of pumps that have some, with a day more at both ends', () => {
  const [pump, ...others] = eventRequestsOf(
    {
      pumps: [
        ...PUMPS.pumps,
        {
          ...PUMPS.pumps[0],
          assignmentId: 'old',
          maxDateOfEvents: '2026-01-31T10:00:00',
          availableDataRange: { start: null, end: '2026-01-31T10:00:00' },
        },
        {
          assignmentId: 'never',
          availableDataRange: { start: null, end: null },
          maxDateOfEvents: null,
        },
        7,
      ],
    },
    { range: RANGE },
  )
  assert.deepEqual(others, [])
  assert.ok(pump?.id === 'pump-1')
  const { query, path } = pump.request as { query: Record<string, string>; path: string }
  assert.equal(path, '/api/reports/bff/pump-logs/pump-1')
  assert.deepEqual(
    [query.startDate, query.endDate],
    ['2026-02-02T00:00:00Z', '2026-02-09T23:59:59Z'],
  )
  assert.match(query.eventCodes ?? '', /^16,20,21,64,66,256,279,280,372,399,480$/)
})
