import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeriesName } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { PageData } from './page-data.ts'
import type { VendorSample } from './vendor-records.ts'

const START = { at: Date.UTC(2026, 1, 10, 8), offset: 3600 }

const makeData = () => new PageData({ userId: 'u', provider: 'example' })

/** Returns the outcome of one sample: its content, or the reason of its quarantine. */
function add(name: SeriesName, sample: Partial<VendorSample>) {
  const data = makeData()
  data.addSample(name, { start: START, value: 5, unit: 'mmol/L', ...sample }, 'the record')
  const [quarantined] = data.quarantined
  if (quarantined !== undefined) {
    assert.deepEqual([quarantined.resource, quarantined.item], [name, 'the record'])
    return quarantined.reason
  }
  const [{ value, sampleType, extra, startedAt, endedAt } = assert.fail()] = data.samples
  return { value, sampleType, extra, lasts: endedAt - startedAt }
}

test('a sample is in the unit and the shape of its series', () => {
  const plain = { sampleType: '', extra: '', lasts: 0 }
  assert.deepEqual(add('glucose', { value: 180.182, unit: 'mg/dL' }), { ...plain, value: 10 })
  const lasting = { end: { ...START, at: START.at + 60_000 }, value: 1, unit: 'km' }
  assert.deepEqual(add('distance', lasting), { ...plain, value: 1000, lasts: 60_000 })
  // A point has no duration.
  assert.deepEqual(add('heartrate', { ...lasting, value: 60, unit: 'bpm' }), {
    ...plain,
    value: 60,
  })
  const triglycerides = { value: 88.57, unit: 'mg/dL', type: 'cholesterol/triglycerides' }
  assert.deepEqual(add('cholesterol', triglycerides), {
    ...plain,
    value: 1,
    sampleType: triglycerides.type,
  })
  const alert = { value: 140, unit: 'count', type: 'high_heart_rate' }
  assert.deepEqual(add('heart_rate_alert', alert), {
    ...plain,
    value: 1,
    sampleType: 'high_heart_rate',
  })
  const insulin = {
    value: 4,
    unit: 'U',
    type: 'rapid_acting',
    extra: { bolus_purpose: 'meal', delivery_mode: 'bolus' },
  }
  assert.deepEqual(add('insulin_injection', insulin), {
    ...plain,
    value: 4,
    sampleType: 'rapid_acting',
    // In the order of the series, as uploads store them.
    extra: '{"delivery_mode":"bolus","bolus_purpose":"meal"}',
  })
})

test('what cannot be stored is quarantined with the reasons of uploads', () => {
  const far = { at: Date.UTC(2400, 0, 1), offset: null }
  for (const [name, sample, reason] of [
    ['glucose', { value: Number.NaN }, 'invalid_value'],
    ['glucose', { value: '5' as never }, 'invalid_value'],
    ['glucose', { unit: 'constructor' }, 'unknown_unit'],
    ['glucose', { value: 61 }, 'out_of_range'],
    ['glucose', { type: 'guess' }, 'unknown_type'],
    ['steps', { unit: 'count', type: 'brisk' }, 'unknown_type'],
    ['insulin_injection', { unit: 'unit' }, 'missing_type'],
    ['glucose', { start: far }, 'invalid_start_date'],
    ['steps', { unit: 'count', end: far }, 'invalid_end_date'],
    ['steps', { unit: 'count', end: { ...START, at: 0 } }, 'end_before_start'],
    ['hrv', { unit: 'ms', extra: { method: 'guess' } }, 'invalid_field'],
    ['hrv', { unit: 'ms', extra: { colour: 'red' } }, 'invalid_field'],
    ['glucose', { extra: { constructor: 'x' } }, 'invalid_field'],
  ] as const) {
    assert.equal(add(name, sample), reason, `${name} ${JSON.stringify(sample)}`)
  }
})

test('a blood pressure has both halves, and a note its text', () => {
  const data = makeData()
  data.addBloodPressure({
    start: START,
    systolic: 16,
    diastolic: 10.6,
    unit: 'kPa',
    sourceType: 'cuff',
  })
  data.addBloodPressure({ start: START, systolic: 120, diastolic: 500, unit: 'mmHg' }, 'record')
  data.addNote({ start: START, text: 'ran \ud800', tags: ['food', 'exercise'] })
  data.addNote({ start: START, text: 'ran', tags: ['sport'] }, 'tagged')
  data.addNote({ start: START, text: 'x'.repeat(65_537) }, 'long')
  const [pressure, note] = data.samples
  assert.deepEqual(
    [pressure?.series, Math.round(pressure?.value ?? 0), Math.round(pressure?.diastolic ?? 0)],
    ['blood_pressure', 120, 80],
  )
  assert.deepEqual(
    [note?.series, note?.text, note?.extra],
    ['note', 'ran \ufffd', '{"tags":["food","exercise"]}'],
  )
  assert.deepEqual(data.quarantined, [
    { resource: 'blood_pressure', reason: 'out_of_range', item: 'record' },
    { resource: 'note', reason: 'invalid_field', item: 'tagged' },
    { resource: 'note', reason: 'too_large', item: 'long' },
  ])
})

test('a workout is computed from its heart rates where the vendor reports nothing', () => {
  const data = makeData()
  const end = { ...START, at: START.at + 180_000 }
  const heartRates = [100, 120, 140].map((value, index) => {
    const startedAt = START.at + index * MINUTE_MS
    return { startedAt, endedAt: startedAt, value }
  })
  const frame = { recordId: 'w', start: START, end, sport: 'Road Biking', raw: {} }
  const added = data.addWorkout({ ...frame, values: { heart_rate_maximum: 150 }, heartRates })
  assert.match(added?.id ?? '', /^[0-9a-f-]{36}$/)
  const values = data.summaries[0]?.values as Record<string, unknown>
  assert.deepEqual(
    [
      values.sport_slug,
      values.heart_rate_mean,
      values.heart_rate_minimum,
      values.heart_rate_maximum,
    ],
    ['road_biking', 120, 100, 150],
  )
  // Of 190 beats, which stand for an unknown age.
  assert.deepEqual([values.heart_rate_zone_2, values.heart_rate_zone_3], [60, 60])
  assert.equal(data.addWorkout({ ...frame, end: { ...START, at: 0 }, values: {} }), undefined)
  assert.equal(data.quarantined[0]?.reason, 'end_before_start')
})

test('an instant needs a zone, and local time is read only as such', () => {
  const data = makeData()
  const at = Date.UTC(2026, 2, 1, 18, 5, 30)
  assert.deepEqual(data.instant('sleep', '2026-03-01T18:05:30Z', 0), { at, offset: null })
  assert.deepEqual(data.instant('sleep', '2026-03-01T18:05:30+01:00', 0), {
    at: at - 3_600_000,
    offset: 3600,
  })
  assert.equal(data.instant('sleep', '2026-03-01T18:05:30', 'local'), undefined)
  assert.equal(data.localInstant('sleep', '2026-03-01T18:05:30Z', 0, 'with zone'), undefined)
  assert.equal(data.localInstant('sleep', '2026-03-01T18:05:30', 'Mars/Base', 'zone'), undefined)
  assert.deepEqual(
    data.quarantined.map(({ item, reason }) => [item, reason]),
    ['local', 'with zone', 'zone'].map((item) => [item, 'invalid_start_date']),
  )
})

test('local time is placed by an offset, by a zone with its changes, or as if it were UTC', () => {
  const data = makeData()
  const read = (text: string, place: number | string | null) => {
    const { at, offset } = data.localInstant('sleep', text, place, text) ?? assert.fail()
    return [new Date(at).toISOString(), offset]
  }
  assert.deepEqual(read('2026-03-01 18:05', 5400), ['2026-03-01T16:35:00.000Z', 5400])
  assert.deepEqual(read('2026-03-01T18:05:30', null), ['2026-03-01T18:05:30.000Z', null])
  const berlin = (text: string) => read(text, 'Europe/Berlin')
  assert.deepEqual(berlin('2026-03-01T12:00:00'), ['2026-03-01T11:00:00.000Z', 3600])
  assert.deepEqual(berlin('2026-07-01T12:00:00'), ['2026-07-01T10:00:00.000Z', 7200])
  // Clocks go from 2 to 3 on 29 March, and from 3 to 2 on 25 October.
  assert.deepEqual(berlin('2026-03-29T02:30:00'), ['2026-03-29T01:30:00.000Z', 7200])
  assert.deepEqual(berlin('2026-10-25T02:30:00'), ['2026-10-25T00:30:00.000Z', 7200])
  assert.deepEqual(berlin('2026-10-25T03:00:00'), ['2026-10-25T02:00:00.000Z', 3600])
})

test('an instant may be a number, and a removed record is named by its id', () => {
  const data = makeData()
  const seconds = data.epochInstant('sleep', 1_772_388_330, { unit: 's', offset: 3600 }, 0)
  const millis = data.epochInstant('sleep', 1_772_388_330_500, { unit: 'ms', offset: null }, 0)
  assert.deepEqual(seconds, { at: 1_772_388_330_000, offset: 3600 })
  assert.deepEqual(millis, { at: 1_772_388_330_500, offset: null })
  for (const odd of [undefined, null, '1772388330', Number.NaN, 1e18]) {
    assert.equal(data.epochInstant('sleep', odd, { unit: 's', offset: null }, odd), undefined)
  }
  assert.equal(data.quarantined.length, 5)
  const added = data.addSummary('body', { recordId: 'r', start: START, values: {}, raw: {} })
  data.removeSummary('body', 'r')
  data.removeSummary('body', 'r')
  assert.deepEqual(data.toArrivedData().removals, [{ resource: 'body', ids: [added?.id] }])
})
