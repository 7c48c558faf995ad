import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from './harness.ts'
import { orderBody } from './orders/order-bodies.ts'
import { isManagementCase, ROUTE_CASES, type RouteCase, requestOf } from './route-cases.ts'
import { makeSubject, type Subject } from './subject.ts'
import { useFixture } from './use-fixture.ts'

/**
 * From the moment of a delete a person does not exist, on every route; lists leave out what was
 * theirs, with right totals. An undo brings all of it back.
 */

/** Ids that belong to the person of a subject alone. */
const OF_PERSON = [
  ...(['userId', 'clientUserId', 'deviceId', 'noteId', 'jobId', 'workoutId', 'sleepId'] as const),
  ...(['orderId', 'transactionId', 'scheduledOrderId', 'siteOrderId', 'kitNumber'] as const),
  ...(['visitOrderId', 'pscOrderId', 'freePscOrderId', 'appointmentId'] as const),
  'reportJobId' as const,
]

const harness = useFixture(createHarness)
let subject: Subject
/** A user who stays. */
let other: { userId: string; orderId: string }
/** Under which an order of the subject was placed. */
const KEY = { 'x-idempotency-key': 'placed before' }
let placedBody: object
/** Of the number of the subject's order, and of a report that was put into an order of theirs. */
let heldIds: string[]
let eventIds: string[]

const call = (method: string, url: string, body?: unknown, headers?: object) =>
  harness.call(method, url, body, headers)
const manage = (method: string, path: string, body?: unknown) =>
  call(method, `/v1/org/${harness.organizationId}/team/${harness.teamId}/sandbox${path}`, body, {
    'x-management-key': harness.managementKey,
  })

async function succeed(method: string, url: string, body?: unknown, headers?: object) {
  const answer = await call(method, url, body, headers)
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`)
  return answer.body
}

/** A case is about the person when it names something of theirs, in its path, query or body. */
function isAboutPerson(entry: RouteCase): boolean {
  if (isManagementCase(entry)) return false
  // Of a list of people those who are not there are passed over; tests of bulk operations look at
  // that.
  if (/^\/v2\/(?:link\/bulk_|timeseries\/bulk$|batch$)/.test(entry.path)) return false
  // Sessions on the page of a person end with the person.
  if (entry.credential === 'portal') return false
  const { url, payload } = requestOf(entry, subject)
  const sent = `${decodeURIComponent(url)}${payload ?? ''}`
  return OF_PERSON.some((name) => sent.includes(subject[name]))
}

const send = (entry: RouteCase) => {
  const { url, payload, headers } = requestOf(entry, subject)
  return call(entry.method, url, payload, headers)
}

const ORDERS_OF_ALL = '/v3/orders?size=100'
const listIds = async (url: string) =>
  (await succeed('GET', url)).orders.map(({ id }: { id: string }) => id)

/**
 * Ways to list orders, each with another plan (docs/decisions/0012-listing-orders.md), that all
 * find the subject's and others'.
 */
const LISTS = [
  '/v3/orders?size=100',
  '/v3/orders?size=100&order_key=patient_name',
  '/v3/orders?size=100&order_key=last_status',
  '/v3/orders?size=100&search_input=Moreau',
  '/v3/orders?size=100&patient_name=ad',
  '/v3/orders?size=100&search_input=1990-04-12',
  '/v3/orders?size=100&updated_start_date=2026-01-01',
  '/v3/orders?size=100&start_date=2026-01-01T00:00:01Z&end_date=2027-01-01T10:00:00Z',
  '/v3/orders?size=100&start_date=2026-01-01&updated_start_date=2026-01-01',
  '/v3/orders?size=100&order_activation_types=current',
  '/v3/orders?size=100&order_activation_types=scheduled',
  '/v3/orders?size=100&status=completed&status=ordered',
]

before(async () => {
  subject = await makeSubject(harness)
  const userId = await harness.makeUser()
  const { order } = await succeed('POST', '/v3/order', orderBody(userId, subject.labTestId))
  other = { userId, orderId: order.id }
  placedBody = orderBody(subject.userId, subject.labTestId)
  await succeed('POST', '/v3/order', placedBody, KEY)
  const { pool } = harness.database
  const held = await pool.query(
    `update unmatched_results set report = jsonb_set(report, '{sample_id}', to_jsonb(o.sample_id)),
      lab_id = o.lab_id
    from orders o where o.id = $1 and unmatched_results.id = $2 returning unmatched_results.id`,
    [subject.orderId, subject.rawResultId],
  )
  heldIds = held.rows.map(({ id }) => id)
  assert.equal(heldIds.length, 1)
  const { data: events } = (await manage('GET', `/event?user_id=${subject.userId}&limit=100`)).body
  eventIds = events.map(({ id }: { id: string }) => id)
  assert.ok(eventIds.length > 5)
})

/** Routes that search for users or what they have, and so return none. */
const FINDERS = [
  '/v2/user/undo_delete',
  '/v2/team/users/search',
  '/v2/user/search',
  '/v2/user/search/export',
  '/v3/order/validate',
  '/fhir/R4/DocumentReference/$docref',
]

describe('after a delete', () => {
  let totals: Map<string, number>
  let theirs: Map<string, string[]>

  before(async () => {
    totals = new Map()
    theirs = new Map()
    for (const url of LISTS) {
      const { total, orders } = await succeed('GET', url)
      const own = orders.filter((order: { user_id: string }) => order.user_id === subject.userId)
      assert.ok(own.length > 0, url)
      totals.set(url, total)
      theirs.set(
        url,
        own.map(({ id }: { id: string }) => id),
      )
    }
    await succeed('DELETE', `/v2/user/${subject.userId}`)
  })

  test('every route that names the person, or something of theirs, answers 404', async () => {
    const cases = ROUTE_CASES.filter(isAboutPerson).filter(({ path }) => !FINDERS.includes(path))
    assert.ok(cases.length > 200, `${cases.length} cases`)
    const wrong: string[] = []
    for (const entry of cases) {
      if (entry.path === '/v3/order/resend_events') continue
      const { status, text } = await send(entry)
      const body = status === 404 ? JSON.parse(text) : {}
      const isText = typeof body.detail === 'string' || body.resourceType === 'OperationOutcome'
      if (!isText) wrong.push(`${entry.method} ${entry.path}: ${status} ${text.slice(0, 200)}`)
    }
    assert.deepEqual(wrong, [])
  })

  test('a search by id finds no user, also for an order', async () => {
    const found = await succeed('POST', '/v2/user/search', { query: subject.userId })
    assert.deepEqual([found.users, found.total], [[], 0])
    const { problems } = await succeed('POST', '/v3/order/validate', { user_id: subject.userId })
    const codes = problems.map(({ error_type }: { error_type: string }) => error_type)
    assert.ok(codes.includes('user_not_found'), codes.join())
  })

  test('every other route of the team returns nothing of them', async () => {
    const reported: string[] = []
    for (const entry of ROUTE_CASES.filter((known) => !isManagementCase(known))) {
      if (entry.method !== 'GET' || isAboutPerson(entry)) continue
      const { text } = await send(entry)
      const names = OF_PERSON.filter((name) => text.includes(subject[name]))
      if (names.length > 0) reported.push(`${entry.path}: ${names}`)
    }
    assert.deepEqual(reported, [])
  })

  test('lists of orders leave theirs out, with right totals, with all filters', async () => {
    for (const url of LISTS) {
      const { total, orders } = await succeed('GET', url)
      const expected = (totals.get(url) ?? 0) - (theirs.get(url) ?? []).length
      assert.deepEqual([total, orders.length], [expected, expected], url)
      const people = orders.map((order: { user_id: string }) => order.user_id)
      assert.ok(!people.includes(subject.userId), url)
    }
    for (const search of [subject.userId, subject.orderId]) {
      const { total } = await succeed('GET', `/v3/orders?search_input=${search}`)
      assert.equal(total, 0)
    }
    for (const filter of [`user_id=${subject.userId}`, `order_ids=${subject.orderId}`]) {
      assert.equal((await succeed('GET', `/v3/orders?${filter}`)).total, 0)
    }
    const left = [subject.freeVisitOrderId, other.orderId]
    assert.deepEqual((await listIds(ORDERS_OF_ALL)).sort(), left.sort())
  })

  test('the number of ordered tests leaves theirs out', async () => {
    assert.equal((await succeed('GET', '/v2/user/metrics')).number_of_ordered_tests, 2)
  })

  test('the first answer to an order of theirs is not given again', async () => {
    const again = await call('POST', '/v3/order', placedBody, KEY)
    assert.deepEqual([again.status, again.body], [404, { detail: 'user_not_found' }])
  })

  test('orders cannot be replaced, sent again, or given a result', async () => {
    const replaced = { recreate_from_order_id: subject.orderId, update_reason: 'OTHER' }
    assert.equal((await call('POST', '/v3/order/create', replaced)).status, 404)
    const all = { order_ids: [subject.orderId, other.orderId] }
    const resent = await succeed('POST', '/v3/order/resend_events', all)
    assert.deepEqual(resent.order_ids, [other.orderId])
    const since = { start_at: '2026-01-01T00:00:00Z', end_at: '2026-03-01T23:00:00Z' }
    const { order_ids: later } = await succeed('POST', '/v3/order/resend_events', since)
    assert.ok(!later.includes(subject.orderId))
  })

  test('results that are held for them belong to no user', async () => {
    const [id] = heldIds
    for (const [method, url, body] of [
      ['GET', `/v3/unmatched_result/${id}`],
      ['POST', `/v3/unmatched_result/${id}/accept`, { order_id: other.orderId }],
      ['POST', `/v3/unmatched_result/${id}/resolve`, { action: 'reject' }],
    ] as const) {
      assert.equal((await call(method, url, body)).status, 404, url)
    }
    const list = await succeed('GET', '/v3/unmatched_result?limit=100')
    assert.ok(!list.data.some((held: { id: string }) => heldIds.includes(held.id)))
    assert.equal(list.total, list.data.length)
  })

  test('events about them are neither found, nor listed, nor followed, nor sent again', async () => {
    for (const id of eventIds.slice(0, 3)) {
      assert.equal((await manage('GET', `/event/${id}`)).status, 404)
      assert.equal((await manage('GET', `/event/${id}/attempt`)).status, 404)
    }
    const { body } = await manage('GET', '/event?limit=100')
    const people = body.data.map((event: { user_id: string }) => event.user_id)
    assert.ok(people.length > 0 && !people.includes(subject.userId))
    assert.deepEqual((await manage('GET', `/event?user_id=${subject.userId}`)).body.data, [])
    const stream = await manage('GET', '/event_stream?after=0-0&follow=false')
    assert.ok(!stream.text.includes(subject.userId))
    const { id: webhookId } = (
      await manage('POST', '/webhook', { url: 'https://hooks.example.com' })
    ).body
    const resent = await manage('POST', `/webhook/${webhookId}/event/${eventIds[0]}/resend`)
    assert.equal(resent.status, 404)
    await manage('POST', `/webhook/${webhookId}/recover`, { since: '2026-01-01' })
    const { rows } = await harness.database.pool.query(
      'select count(*)::int as made from webhook_deliveries where user_id = $1',
      [subject.userId],
    )
    assert.equal(rows[0].made, 0)
  })

  test('the operator sees the work that laboratories still have for them', async () => {
    const { body } = await manage('GET', '/stuck_order')
    const { siteOrderId, visitOrderId, pscOrderId, freePscOrderId } = subject
    assert.deepEqual(
      body.data.map(({ order_id: id }: { order_id: string }) => id).sort(),
      [siteOrderId, visitOrderId, pscOrderId, freePscOrderId].sort(),
    )
    for (const open of body.data) {
      assert.deepEqual([open.reason, open.problem], ['person_deleted', null])
      assert.ok(open.sample_id.length > 0)
    }
    assert.ok(!JSON.stringify(body).includes('Moreau'))
  })
})

describe('after an undo', () => {
  before(async () => {
    await succeed('POST', `/v2/user/undo_delete?user_id=${subject.userId}`)
  })

  test('orders, their results, events and held results are there again', async () => {
    for (const url of LISTS) {
      const { total } = await succeed('GET', url)
      assert.equal(total, (await listIds(url)).length, url)
    }
    assert.ok((await listIds(ORDERS_OF_ALL)).includes(subject.orderId))
    await succeed('GET', `/v3/order/${subject.orderId}/result`)
    await succeed('GET', `/v3/unmatched_result/${heldIds[0]}`)
    assert.equal((await manage('GET', `/event/${eventIds[0]}`)).status, 200)
    const again = await call('POST', '/v3/order', placedBody, KEY)
    assert.deepEqual([again.status, again.headers['x-idempotency-replayed']], [200, 'true'])
    assert.deepEqual((await manage('GET', '/stuck_order')).body.data, [])
  })
})
