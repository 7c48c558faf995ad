import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { intradayDetails, mapDays, mapIntraday, summaryDetails } from './days.mapper.ts'

/** Payloads are constructed in the form of the vendor's documentation, with invented values. */

const profile = (timezone: string) => ({ user: { encodedId: 'A', timezone } })
const BERLIN = profile('Europe/Berlin')
const requestOf = (from: string, to: string) => ({
  range: { from: Date.parse(from), to: Date.parse(to) },
  cursor: null,
  context: NO_CONTEXT,
})
const REQUEST = requestOf('2026-02-10T00:00:00Z', '2026-02-11T00:00:00Z')

const DAY = {
  activities: [],
  goals: { caloriesOut: 9999, steps: 9999, distance: 99, floors: 99 },
  summary: {
    activeScore: -1,
    activityCalories: 812,
    caloriesBMR: 1501,
    caloriesOut: 2213,
    distances: [
      { activity: 'tracker', distance: 5.1 },
      { activity: 'total', distance: 6.25 },
      { activity: 'loggedActivities', distance: 1.15 },
    ],
    elevation: 30.48,
    fairlyActiveMinutes: 20,
    floors: 10,
    lightlyActiveMinutes: 200,
    marginalCalories: 600,
    restingHeartRate: 58,
    sedentaryMinutes: 700,
    steps: 8231,
    veryActiveMinutes: 31,
  },
}

function mapDay(answer: unknown, details: readonly unknown[] = [BERLIN], request = REQUEST) {
  const data = new PageData({ userId: 'u', provider: 'fitbit' })
  mapDays(answer, data, details, request)
  return data
}

const known = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

test('a day is stored with its totals, and no goal is one', () => {
  const { summaries, samples, quarantined } = mapDay(DAY)
  assert.deepEqual(quarantined, [])
  const [day] = summaries
  assert.ok(day !== undefined)
  const { recordId, calendarDate, startedAt, timezoneOffset, timeZone, values } = day
  assert.deepEqual(
    [recordId, calendarDate, startedAt, timezoneOffset, timeZone],
    ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), 3600, 'Europe/Berlin'],
  )
  assert.deepEqual(known(values), {
    calories_total: 2213,
    calories_active: 812,
    steps: 8231,
    distance_meter: 6250,
    floors_climbed: 10,
    intensity_sedentary_second: 42_000,
    intensity_low_second: 12_000,
    intensity_medium_second: 1200,
    intensity_high_second: 1860,
    heart_rate_resting: 58,
  })
  // Active calories are one amount of the local day.
  assert.deepEqual(
    samples.map(({ series, startedAt: from, endedAt: to, value, timezoneOffset: offset }) => [
      series,
      new Date(from).toISOString(),
      new Date(to).toISOString(),
      value,
      offset,
    ]),
    [['calories_active', '2026-02-09T23:00:00.000Z', '2026-02-10T23:00:00.000Z', 812, 3600]],
  )
})

test('without a profile a day has no offset, and a day without data is none', () => {
  const [day] = mapDay(DAY, []).summaries
  assert.deepEqual([day?.timezoneOffset, day?.startedAt], [null, Date.UTC(2026, 1, 10)])
  const empty = Object.fromEntries(Object.keys(DAY.summary).map((name) => [name, 0]))
  const { summaries, samples, quarantined } = mapDay({ summary: { ...empty, distances: [] } })
  assert.deepEqual([summaries, samples, quarantined], [[], [], []])
  const sparse = mapDay({ summary: { steps: 5, more: {}, distances: null, floors: null } })
  assert.deepEqual(known(sparse.summaries[0]?.values ?? {}), { steps: 5 })
})

test('a wrong total puts the day into quarantine', () => {
  for (const change of [{ steps: 'many' }, { sedentaryMinutes: 2000 }, { caloriesOut: -1 }]) {
    const data = mapDay({ summary: { ...DAY.summary, ...change } })
    assert.equal(data.summaries.length + data.samples.length, 0)
    assert.equal(data.quarantined.length, 1)
  }
  assert.throws(() => mapDay({ activities: [] }), VendorError)
  assert.throws(() => mapDay(null), VendorError)
})

test('all local days that a range overlaps anywhere are requested', () => {
  const paths = (request: typeof REQUEST) =>
    summaryDetails(undefined, request).map((detail) => 'path' in detail && detail.path.slice(10))
  const dayOf = (day: string) => `activities/date/2026-02-${day}.json`
  assert.deepEqual(paths(REQUEST), ['profile.json', dayOf('09'), dayOf('11')])
  const short = requestOf('2026-02-10T00:00:00Z', '2026-02-10T10:00:00Z')
  assert.deepEqual(paths(short), ['profile.json', dayOf('09')])
  const afternoon = requestOf('2026-02-10T12:00:00Z', '2026-02-12T09:00:00Z')
  assert.deepEqual(paths(afternoon), ['profile.json', dayOf('11'), dayOf('12')])
  const { summaries } = mapDay(DAY, [BERLIN, DAY, DAY])
  assert.deepEqual(
    summaries.map(({ recordId }) => recordId),
    ['2026-02-10', '2026-02-09', '2026-02-11'],
  )
  const steps = intradayDetails('steps', 'distance')(undefined, short)
  assert.deepEqual(
    steps.slice(1).map((detail) => 'path' in detail && detail.path.slice(21)),
    [
      'steps/date/2026-02-09/1d/1min.json',
      'distance/date/2026-02-10/1d/1min.json',
      'distance/date/2026-02-09/1d/1min.json',
    ],
  )
})

const rowsOf = (name: string, date: string, sum: unknown, ...dataset: unknown[]) => ({
  [`activities-${name}`]: [{ dateTime: date, value: sum }],
  [`activities-${name}-intraday`]: { dataset, datasetInterval: 1, datasetType: 'minute' },
})

function mapRows(answer: unknown, ...details: unknown[]) {
  const data = new PageData({ userId: 'u', provider: 'fitbit' })
  mapIntraday(answer, data, details, REQUEST)
  const samples = data.samples.map((one) => [
    one.series,
    new Date(one.startedAt).toISOString(),
    (one.endedAt - one.startedAt) / 1000,
    one.timezoneOffset,
    one.value,
  ])
  return { samples, reasons: data.quarantined.map(({ reason }) => reason) }
}

test('rows of local time are placed in the zone of the profile', () => {
  const rows = [
    { time: '00:01:00', value: 12 },
    { time: '23:59:00', value: 0 },
  ]
  const steps = rowsOf('steps', '2026-02-10', '12', ...rows)
  assert.deepEqual(mapRows(steps, BERLIN).samples, [
    ['steps', '2026-02-09T23:01:00.000Z', 60, 3600, 12],
    ['steps', '2026-02-10T22:59:00.000Z', 60, 3600, 0],
  ])
  assert.deepEqual(mapRows(steps).samples[0], ['steps', '2026-02-10T00:01:00.000Z', 60, null, 12])
  const offset = { user: { timezone: 'Mars/Base', offsetFromUTCMillis: -18_000_000 } }
  assert.equal(mapRows(steps, offset).samples[0]?.[1], '2026-02-10T05:01:00.000Z')
  const heart = rowsOf(
    'heart',
    '2026-02-10',
    { restingHeartRate: 58 },
    { time: '08:00:05', value: 61 },
  )
  assert.deepEqual(mapRows(heart, BERLIN).samples, [
    ['heartrate', '2026-02-10T07:00:05.000Z', 0, 3600, 61],
  ])
  const distance = rowsOf('distance', '2026-02-10', '0.05', { time: '08:00:00', value: 0.05 })
  assert.deepEqual(mapRows(steps, undefined, distance, BERLIN).samples.at(-1), [
    'distance',
    '2026-02-10T07:00:00.000Z',
    60,
    3600,
    50,
  ])
})

test('the hour that comes twice is stored twice', () => {
  const hour = (name: string, value: number) =>
    ['00', '30'].map((at) => ({ time: `${name}:${at}:00`, value }))
  const back = [...hour('01', 1), ...hour('02', 2), ...hour('02', 3), ...hour('03', 4)]
  assert.deepEqual(
    mapRows(rowsOf('steps', '2025-10-26', '20', ...back), BERLIN).samples.map((one) => [
      String(one[1]).slice(11, 16),
      one[3],
      one[4],
    ]),
    [
      ['23:00', 7200, 1],
      ['23:30', 7200, 1],
      ['00:00', 7200, 2],
      ['00:30', 7200, 2],
      ['01:00', 3600, 3],
      ['01:30', 3600, 3],
      ['02:00', 3600, 4],
      ['02:30', 3600, 4],
    ],
  )
})

test('a day without steps has not begun, and a wrong row fails no other', () => {
  const row = { time: '08:00:00', value: 0 }
  assert.deepEqual(mapRows(rowsOf('steps', '2026-02-10', '0', row), BERLIN).samples, [])
  const rows = [
    7,
    { time: 'x', value: 1 },
    { time: '08:00:00', value: 'x' },
    { time: '08:01:00', value: 5 },
  ]
  const { samples, reasons } = mapRows(rowsOf('steps', '2026-02-10', '5', ...rows), BERLIN)
  assert.equal(samples.length, 1)
  assert.deepEqual(reasons, ['not_an_object', 'invalid_start_date', 'invalid_value'])
  assert.deepEqual(
    mapRows({ 'activities-steps': [{ dateTime: '2026-02-10', value: '5' }] }).samples,
    [],
  )
  assert.throws(() => mapRows({}), VendorError)
})
