import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { fitFile } from '../../../../sandbox/src/providers/fit-file.ts'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  HAMMERHEAD_ACTIVITY,
  HAMMERHEAD_DETAIL,
  HAMMERHEAD_FILE,
} from '../../../../server/test/connectors/pages/hammerhead.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { requestsOf } from './activities.mapper.ts'
import { HAMMERHEAD } from './hammerhead.connector.ts'

const APP = { clientId: 'app', clientSecret: 'secret', secrets: { webhook_secret: 'hook' } }
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const REQUEST = { range: RANGE, cursor: null, context: NO_CONTEXT }
const { push } = HAMMERHEAD
const [activities] = HAMMERHEAD.collections

function map(details: readonly unknown[], record: unknown = HAMMERHEAD_ACTIVITY): PageData {
  const data = new PageData({ userId: 'u', provider: 'hammerhead' })
  activities?.map({ data: [record] }, data, details, REQUEST)
  return data
}
const valuesOf = (data: PageData) => data.summaries[0]?.values as Record<string, unknown>
const reasons = (data: PageData) => data.quarantined.map(({ reason }) => reason)

test('an activity has the times and values of its file', () => {
  const data = map([HAMMERHEAD_DETAIL, HAMMERHEAD_FILE])
  assert.deepEqual(data.quarantined, [])
  const [summary] = data.summaries
  const start = Date.UTC(2026, 1, 5, 7)
  assert.deepEqual(
    [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset, summary?.recordId],
    [start, start + 3_600_000, 3600, HAMMERHEAD_ACTIVITY.id],
  )
  assert.equal(summary?.modifiedAt, Date.parse('2026-02-05T08:06:30.000Z'))
  const expected = {
    title: 'Morning Ride',
    sport_slug: 'gravel_cycling',
    duration_active_second: 3480,
    distance_meter: 24_909.71,
    calories: 612,
    elevation_gain_meter: 450,
    heart_rate_mean: 141,
    heart_rate_maximum: 171,
    power_mean: 187,
    power_maximum: 512,
    power_weighted_mean: 203,
    power_source: 'device',
  }
  const own = valuesOf(data)
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map((name) => [name, own[name]])),
    expected,
  )
  const [stream] = data.streams.values()
  assert.deepEqual(stream?.heartrate, [140, 141, 142])
  assert.deepEqual(stream?.cadence, [84, 84, 84])
  // The route is that of the stream and is not kept twice.
  assert.doesNotMatch(String(summary?.raw), /ulLnnqC/)
})

test('without the fields of an activity its file names the sport', () => {
  const sport = (sportNumber: number, subSport: number) => {
    const session = {
      from: Date.UTC(2026, 1, 5, 7),
      to: Date.UTC(2026, 1, 5, 8),
      sport: sportNumber,
      subSport,
      movingSeconds: 3000,
      distanceMeters: 1000,
      calories: 5,
      offset: 0,
    }
    const records = [{ at: session.from, heartRate: 120, cadence: 80 }]
    const data = map([undefined, fitFile(records, { session })])
    const [stream] = data.streams.values()
    return [valuesOf(data).sport_slug, stream?.cadence?.[0]]
  }
  assert.deepEqual(sport(2, 46), ['gravel_cycling', 80])
  assert.deepEqual(sport(2, 8), ['mountain_biking', 80])
  assert.deepEqual(sport(21, 28), ['electric_biking', 80])
  assert.deepEqual(sport(2, 0), ['cycling', 80])
  // On foot FIT counts one leg.
  assert.deepEqual(sport(1, 0), ['running', 160])
})

test('an activity without a file is left out, and one with a damaged file quarantined', () => {
  const early = map([HAMMERHEAD_DETAIL, undefined])
  assert.deepEqual([early.summaries.length, early.quarantined.length], [0, 0])
  const damaged = Buffer.from(HAMMERHEAD_FILE)
  damaged[40] = (damaged[40] ?? 0) ^ 0xff
  assert.deepEqual(reasons(map([HAMMERHEAD_DETAIL, damaged])), ['invalid_field'])
  assert.deepEqual(reasons(map([HAMMERHEAD_DETAIL, 'text'])), ['invalid_field'])
  const bare = fitFile([{ at: RANGE.from, heartRate: 120 }])
  assert.deepEqual(reasons(map([HAMMERHEAD_DETAIL, bare])), ['invalid_start_date'])
  assert.deepEqual(reasons(map([], { ...HAMMERHEAD_ACTIVITY, id: 7 })), ['invalid_field'])
  assert.deepEqual(reasons(map([], 7)), ['not_an_object'])
})

test('a file without a local time has no offset', () => {
  const session = {
    from: RANGE.from,
    to: RANGE.from + 60_000,
    sport: 2,
    subSport: 0,
    movingSeconds: 60,
    distanceMeters: 300,
    calories: 5,
    // No zone is so far from UTC.
    offset: 20 * 3_600_000,
  }
  const file = fitFile([{ at: RANGE.from, heartRate: 120 }], { session })
  assert.equal(map([undefined, file]).summaries[0]?.timezoneOffset, null)
})

test('fields are requested once, and files as bytes', () => {
  const list = requestsOf({ data: [HAMMERHEAD_ACTIVITY] }).requests
  const path = `/v1/api/activities/${HAMMERHEAD_ACTIVITY.id}`
  assert.deepEqual(
    list.map((one) => 'path' in one && one.path),
    [path, `${path}/file`],
  )
  const [, file] = list
  assert.ok(file !== undefined && 'decode' in file)
  assert.deepEqual(file.decode?.(HAMMERHEAD_FILE), HAMMERHEAD_FILE)
  assert.equal(requestsOf({ data: [HAMMERHEAD_DETAIL] }).requests.length, 1)
  assert.throws(() => requestsOf([]), VendorError)
})

test('a list begins a day before the range, and has pages', () => {
  const { query } = activities?.page(RANGE, null, NO_CONTEXT) ?? {}
  assert.deepEqual(query, { page: '1', perPage: '25', startDate: '2026-01-31' })
  const next = (currentPage: unknown, totalPages: unknown, data: unknown = [1]) =>
    activities?.next({ currentPage, totalPages, data }, REQUEST)
  assert.equal(next(1, 3), '2')
  assert.equal(next(3, 3), null)
  assert.equal(next(1, 3, []), null)
  assert.equal(next('1', 3), null)
})

test('a message is that of the vendor when its signature is, in both spellings', () => {
  const body = Buffer.from('{"activityId":"1.activity.a","userId":"192184"}')
  const sign = (secret: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', secret).update(body).digest(encoding)
  const isVendors = (signature: string, app: object = APP) =>
    push?.verify?.(
      { headers: { 'x-hmac-signature': signature }, body, receivedAt: new Date() },
      { clientId: 'app', clientSecret: 'secret', ...app },
    )
  assert.equal(isVendors(sign('hook', 'hex')), true)
  assert.equal(isVendors(sign('hook', 'base64')), true)
  for (const wrong of ['', sign('secret', 'hex'), sign('hook', 'hex').slice(1)]) {
    assert.equal(isVendors(wrong), false)
  }
  assert.equal(isVendors(sign('secret', 'hex'), { secrets: {} }), true)
  assert.deepEqual(push?.read(JSON.parse(body.toString())), [
    {
      accountId: '192184',
      collection: 'activities',
      range: null,
      record: { id: '1.activity.a', isDeleted: false },
    },
  ])
  for (const odd of [
    null,
    [],
    {},
    { activityId: 'x' },
    { userId: 1 },
    { activityId: '', userId: 1 },
  ]) {
    assert.throws(() => push?.read(odd), VendorError)
  }
})

test('a file that is still being processed is a file that is not there', () => {
  const failure = (status: number) =>
    HAMMERHEAD.failureOf?.(
      new OutboundAnswer('api.hammerhead.io', status, {}, Buffer.alloc(0)),
      'data',
    )
  assert.deepEqual(failure(425), { kind: 'unexpected', status: 404 })
  assert.deepEqual(failure(409), { kind: 'unexpected', status: 404 })
  for (const status of [200, 404, 429, 500]) assert.equal(failure(status), undefined)
})
