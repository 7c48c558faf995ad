import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { WAHOO_USER, WAHOO_WORKOUT } from '../../../../server/test/connectors/pages/wahoo.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { WAHOO } from './wahoo.connector.ts'

const APP = { clientId: 'app', clientSecret: 'secret', secrets: { webhook_token: 'token' } }
const { push } = WAHOO
const [workouts, user] = WAHOO.collections

const { workout_summary: summary, ...workout } = WAHOO_WORKOUT
const MESSAGE = {
  event_type: 'workout_summary',
  webhook_token: 'token',
  user: { id: 60_462 },
  workout_summary: { ...summary, workout },
}

test('a message is that of the vendor when its body has the token', () => {
  const isVendors = (body: string, app: typeof APP | Omit<typeof APP, 'secrets'> = APP) =>
    push?.verify?.({ headers: {}, body: Buffer.from(body), receivedAt: new Date() }, app)
  assert.equal(isVendors(JSON.stringify(MESSAGE)), true)
  for (const token of ['', 'other', null, 7, undefined]) {
    assert.equal(isVendors(JSON.stringify({ ...MESSAGE, webhook_token: token })), false)
  }
  for (const body of ['', '[', 'null', '"token"']) assert.equal(isVendors(body), false)
  const { secrets: _none, ...without } = APP
  for (const [webhook_token, expected] of [
    ['', false],
    ['token', false],
    ['secret', true],
  ] as const) {
    assert.equal(isVendors(JSON.stringify({ ...MESSAGE, webhook_token }), without), expected)
  }
})

test('a message names the workout that changed', () => {
  const notice = { accountId: '60462', collection: 'workouts', range: null }
  const record = { id: '56103', isDeleted: false }
  assert.deepEqual(push?.read(MESSAGE), [{ ...notice, record }])
  // The first message may have a summary only.
  const { workout: _workout, ...bare } = MESSAGE.workout_summary
  assert.deepEqual(push?.read({ ...MESSAGE, workout_summary: bare }), [notice])
  assert.deepEqual(push?.read({ ...MESSAGE, event_type: 'other' }), [])
  for (const body of [null, [], {}, { ...MESSAGE, user: null }]) {
    assert.throws(() => push?.read(body), VendorError)
  }
})

test('a workout is requested and removed by its id', () => {
  assert.deepEqual(workouts?.record?.request('5/6'), { path: '/v1/workouts/5%2F6' })
  assert.deepEqual(workouts?.record?.toPage(WAHOO_WORKOUT), { workouts: [WAHOO_WORKOUT] })
  const data = new PageData({ userId: 'u', provider: 'wahoo' })
  workouts?.record?.remove('56103', data)
  workouts?.map({ workouts: [WAHOO_WORKOUT] }, data, [], {
    range: RANGE,
    cursor: null,
    context: NO_CONTEXT,
  })
  const [removal] = data.toArrivedData().removals ?? []
  assert.equal(removal?.resource, 'workouts')
})

const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 11) }

test('pages are read until one begins before the range', () => {
  const next = (page: number, total: number, starts = '2026-02-05T07:00:00.000Z') =>
    workouts?.next(
      { workouts: [WAHOO_WORKOUT, { ...WAHOO_WORKOUT, starts }], total, page, per_page: 30 },
      { range: RANGE, cursor: null, context: NO_CONTEXT },
    )
  assert.equal(next(1, 100), '2')
  assert.equal(next(3, 100), '4')
  assert.equal(next(4, 100), null)
  assert.equal(next(1, 100, '2026-01-31T23:59:59.000Z'), null)
  assert.deepEqual(workouts?.page(RANGE, '2', NO_CONTEXT).query, { page: '2', per_page: '30' })
})

test('a profile has height, birth date and gender', () => {
  const map = (change: object) => {
    const data = new PageData({ userId: 'u', provider: 'wahoo' })
    user?.map({ ...WAHOO_USER, ...change }, data, [], {
      range: RANGE,
      cursor: null,
      context: NO_CONTEXT,
    })
    return data
  }
  const expected = {
    height_centimeter: 176,
    birth_date: '1984-06-01',
    wheelchair_use: null,
    gender: 'female',
    sex: null,
  }
  assert.deepEqual(map({}).summaries[0]?.values, expected)
  const none = { height: '0.00', birth: null, gender: 3 }
  assert.deepEqual(map(none).summaries[0]?.values, {
    ...expected,
    height_centimeter: null,
    birth_date: null,
    gender: null,
  })
  for (const [change, reason] of [
    [{ height: 'tall' }, 'invalid_value'],
    [{ height: '176' }, 'out_of_range'],
    [{ birth: '1984-13-01' }, 'invalid_date'],
    [{ gender: 'female' }, 'invalid_value'],
  ] as const) {
    assert.deepEqual(
      map(change).quarantined.map((item) => item.reason),
      [reason],
    )
  }
})

test('a refused request waits as long as its exhausted limits say', () => {
  const failure = (headers: Record<string, string>, status = 429) =>
    WAHOO.failureOf?.(new OutboundAnswer('api.wahooligan.com', status, headers, Buffer.alloc(0)))
  const reset = { 'x-ratelimit-reset': '80000, 2400, 120' }
  const wait = (retryAfterMs: number) => ({ kind: 'rate_limited', retryAfterMs })
  assert.deepEqual(failure({ ...reset, 'x-ratelimit-remaining': '4000, 500, 0' }), wait(120_000))
  assert.deepEqual(failure({ ...reset, 'x-ratelimit-remaining': '10, 0, 0' }), wait(2_400_000))
  assert.deepEqual(failure({ 'x-ratelimit-reset': '30' }), wait(30_000))
  assert.equal(failure({}), undefined)
  assert.equal(failure({ 'x-ratelimit-reset': '30' }, 500), undefined)
})
