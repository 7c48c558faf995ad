import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createLabSimulator } from '@salus/sandbox/lab'
import { importOrder } from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import {
  createReviewFixture,
  type ReviewFixture,
} from '../../../../server/test/results/review-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { resultJobs } from '../index.ts'
import { RUN_REVIEW_TEST } from './review-tests.service.ts'

const fixture = useFixture(createResultsFixture)
let reviews: ReviewFixture
let labTests: { quest: string; labcorp: string }
before(async () => {
  await fixture.set({ match_review_enabled: true })
  reviews = createReviewFixture(fixture)
  labTests = {
    quest: await makeLabTest('quest', '70373'),
    labcorp: await makeLabTest('labcorp', '871613'),
  }
})

async function makeLabTest(labSlug: string, providerId: string): Promise<string> {
  const { pool } = fixture.database
  const id = randomUUID()
  await pool.query(
    `insert into lab_tests (environment_id, id, lab_id, slug, name, description, method, sample_type,
      status, created_at, updated_at)
    select $1, $2, id, $3, 'Lipids', '', 'walk_in_test', 'serum', 'active', now(), now()
    from labs where slug = $3`,
    [fixture.environmentId, id, labSlug],
  )
  await pool.query(
    `insert into lab_test_markers (environment_id, lab_test_id, marker_id, position)
    select $1, $2, m.id, 0 from markers m join labs l on l.id = m.lab_id
    where l.slug = $3 and m.provider_id = $4`,
    [fixture.environmentId, id, labSlug, providerId],
  )
  return id
}

const URL = '/v3/unmatched_result_test'
const post = (body: object, key: string = randomUUID(), headers = {}) =>
  fixture.call('POST', URL, body, { 'x-idempotency-key': key, ...headers })
const managed = (name: string, more = {}) => ({
  case: name,
  order_source: 'managed',
  lab_test_id: labTests.quest,
  ...more,
})

/** Runs the waiting jobs as the worker does. */
async function workOff(): Promise<void> {
  const { pool } = fixture.database
  const context = await fixture.context()
  const handler = resultJobs(context, {
    files: context.files,
    simulator: createLabSimulator(),
    makeTestUser: async (_environment, name) => {
      const { body } = await fixture.call('POST', '/v2/user', { client_user_id: name })
      return body.user_id
    },
  }).handlers[RUN_REVIEW_TEST.name]
  const { rows } = await pool.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = $1 returning j.payload`,
    [RUN_REVIEW_TEST.name],
  )
  for (const { payload } of rows) {
    await handler?.(payload, new AbortController().signal, { isLast: false })
  }
}

async function run(body: object) {
  fixture.clock.advance(1)
  const answer = await post(body)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  assert.equal(answer.body.status, 'queued')
  await workOff()
  return (await fixture.call('GET', `${URL}/${answer.body.run_id}`)).body
}

describe('the cases', () => {
  test('list the orders that they need', async () => {
    const { status, body } = await fixture.call('GET', `${URL}/case`)
    assert.equal(status, 200)
    assert.equal(body.data.length, 8)
    const several = body.data.find((each: { case: string }) => each.case === 'multiple_demo_match')
    assert.deepEqual(several.order_roles, ['first_order', 'second_order'])
    assert.deepEqual(several.required_statuses, {
      first_order: 'requisition_created',
      second_order: 'requisition_created',
    })
  })

  const MANAGED = [
    'match_completed',
    'match_cancelled',
    'wrong_lab',
    'multiple_demo_match',
    'match_sample_id_mismatch_demo',
    'match_demo',
    'no_match',
  ]
  for (const name of MANAGED) {
    test(`${name} is held as expected, with orders created for it`, async () => {
      const shown = await run(managed(name, { wrong_lab_test_id: labTests.labcorp }))
      assert.deepEqual([shown.status, shown.stage, shown.error], ['succeeded', 'succeeded', null])
      assert.ok(shown.started_at !== null && shown.completed_at !== null)
      const held = await reviews.show(shown.raw_result_id)
      assert.deepEqual([held.status, held.decision_code], ['pending_customer_review', name])
      for (const { order_id: id, user_id: userId } of Object.values<Record<string, string>>(
        shown.orders,
      )) {
        assert.equal((await reviews.order(id ?? '')).user_id, userId)
      }
      assert.equal((await reviews.lastEvent())?.data.id, held.id)
    })
  }

  test('wrong_lab chooses another laboratory', async () => {
    const shown = await run(managed('wrong_lab'))
    assert.equal(shown.status, 'succeeded')
    const held = await reviews.show(shown.raw_result_id)
    assert.equal(held.lab.slug, 'labcorp')
    const accepted = await reviews.accept(held.id)
    assert.equal(accepted.status, 200)
  })

  test('have the requested status and interpretation', async () => {
    const testRequest = { result_status: 'partial', interpretation: 'critical' }
    const shown = await run(managed('match_demo', testRequest))
    const held = await reviews.show(shown.raw_result_id)
    assert.deepEqual([held.result_status, held.interpretation], ['partial', 'critical'])
    assert.equal(shown.result_status, 'partial')
  })

  test('wrong_collection takes an order with phlebotomy at home', async () => {
    const userId = await fixture.makeUser()
    const order = await importOrder(fixture, { userId, method: 'at_home_phlebotomy' })
    await fixture.database.pool.query(
      `update orders set last_status = 'requisition_created' where id = $1`,
      [order.id],
    )
    const body = { case: 'wrong_collection', order_source: 'provided', orders: { order: order.id } }
    const shown = await run(body)
    assert.deepEqual([shown.status, shown.orders.order.order_id], ['succeeded', order.id])
    const held = await reviews.show(shown.raw_result_id)
    assert.equal(held.decision_code, 'wrong_collection')
  })
})

describe('a run', () => {
  test('is one for each key', async () => {
    const key = randomUUID()
    const first = await post(managed('no_match'), key)
    const again = await post(managed('no_match', { result_status: 'final' }), key)
    assert.deepEqual([again.status, again.body], [202, first.body])
    const other = await post(managed('match_demo'), key)
    assert.deepEqual([other.status, other.body.detail.error_type], [409, 'idempotency_conflict'])
    await workOff()
  })

  test('fails with a code, and leaves no orders', async () => {
    const cases: [object, string][] = [
      [managed('wrong_lab', { wrong_lab_test_id: labTests.quest }), 'wrong_lab_test_unsuitable'],
      [
        { case: 'match_demo', order_source: 'provided', orders: { order: randomUUID() } },
        'order_not_found',
      ],
    ]
    const count = async () =>
      (await fixture.database.pool.query('select count(*)::int as n from orders')).rows[0].n
    const before = await count()
    for (const [body, code] of cases) {
      const shown = await run(body)
      assert.deepEqual([shown.status, shown.stage, shown.error.code], ['failed', 'failed', code])
      assert.deepEqual([shown.orders, shown.raw_result_id], [{}, null])
    }
    assert.equal(await count(), before)
  })

  test('is refused at once without a suitable lab test', async () => {
    const cases: [labTestId: string | null, code: string][] = [
      [null, 'lab_test_required'],
      [randomUUID(), 'lab_test_unsuitable'],
    ]
    for (const [lab_test_id, code] of cases) {
      for (const name of ['match_demo', 'no_match']) {
        const { status, body } = await post(managed(name, { lab_test_id }))
        assert.deepEqual([status, body.detail.error_type], [400, code])
      }
    }
  })

  test('fails when the result is not held as the case expects', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await reviews.newOrder(person)
    await fixture.database.pool.query(
      `update orders set last_status = 'requisition_created' where id = $1`,
      [order.id],
    )
    const before = (await fixture.call('GET', '/v3/unmatched_result')).body.total
    const body = { case: 'match_demo', order_source: 'provided', orders: { order: order.id } }
    const shown = await run(body)
    assert.equal(shown.error.code, 'unexpected_match')
    assert.equal((await fixture.call('GET', '/v3/unmatched_result')).body.total, before)
  })

  test('needs a key, the orders of its case, and no other fields', async () => {
    const id = randomUUID()
    const bodies = [
      managed('wrong_collection'),
      managed('match_demo', { orders: { order: id } }),
      { case: 'match_demo', order_source: 'provided' },
      { case: 'match_demo', order_source: 'provided', orders: { order: null } },
      { case: 'match_demo', order_source: 'provided', orders: { first_order: id } },
      { case: 'match_demo', order_source: 'provided', orders: { order: 'x' } },
      managed('match_sample_id'),
      managed('no_match', { colour: 'red' }),
    ]
    for (const body of bodies) {
      assert.equal((await post(body)).status, 422, JSON.stringify(body))
    }
    assert.equal((await fixture.call('POST', URL, managed('no_match'))).status, 422)
    assert.equal((await post(managed('no_match'), 'x'.repeat(256))).status, 422)
  })

  test('exists only in sandboxes with a queue, and only for its team', async () => {
    const { body } = await post(managed('no_match'))
    await workOff()
    const headers = { 'x-service-api-key': fixture.productionKey }
    const attempts = [
      await fixture.call('GET', `${URL}/case`, undefined, headers),
      await fixture.call('GET', `${URL}/${body.run_id}`, undefined, headers),
      await post(managed('no_match'), randomUUID(), headers),
      await fixture.call('GET', `${URL}/${randomUUID()}`),
    ]
    for (const { status } of attempts) assert.equal(status, 404)
    await fixture.set({ match_review_enabled: false })
    assert.equal(
      (await fixture.call('GET', `${URL}/case`)).body.detail.error_type,
      'match_review_disabled',
    )
    await fixture.set({ match_review_enabled: true })
  })
})
