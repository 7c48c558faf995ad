import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { allResults, pdfText, reported } from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import {
  createReviewFixture,
  type ReviewFixture,
} from '../../../../server/test/results/review-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createResultsFixture)
let reviews: ReviewFixture
before(async () => {
  await fixture.set({ match_review_enabled: true })
  reviews = createReviewFixture(fixture)
})

const statusesOf = (order: { events: { status: string }[] }) =>
  order.events.map(({ status }) => status.split('.').at(-1))
const resultOf = async (id: string) => (await fixture.call('GET', `/v3/order/${id}/result`)).body

describe('accepting', () => {
  test('stores the result in the only possible order', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null, { pdf: pdfText('held') }))
    const answer = await reviews.accept(held.id)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.id, order.id)
    assert.equal(answer.body.last_event.status, 'completed.walk_in_test.completed')
    assert.deepEqual(await reviews.order(order.id), answer.body)
    assert.equal((await resultOf(order.id)).results.length, 7)
    const pdf = await fixture.call('GET', `/v3/order/${order.id}/result/pdf`)
    assert.equal(pdf.bytes.toString(), '%PDF-1.7 held')

    const resolved = await reviews.show(held.id)
    assert.deepEqual(
      [resolved.status, resolved.resolution_action, resolved.resolved_order_id],
      ['resolved', 'accept', order.id],
    )
    assert.equal(resolved.resolved_user_id, order.user_id)
    assert.deepEqual([resolved.allowed_actions, resolved.candidate_groups], [[], []])
    assert.ok(resolved.reviewed_at !== null)
    const event = await reviews.lastEvent()
    assert.deepEqual(
      [event?.type, event?.userId, event?.data.status, event?.data.resolved_order_id],
      ['labtest.match_review.updated', order.user_id, 'resolved', order.id],
    )
    assert.equal((await reviews.accept(held.id)).status, 404)
  })

  test('stores it in the named order, and keeps the note', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await reviews.newOrder(person, { userId: order.user_id })
    const held = await reviews.hold(reviews.report(person, null))
    const unclear = await reviews.accept(held.id, { user_id: order.user_id })
    assert.equal(unclear.status, 422)
    assert.deepEqual(unclear.body.detail[0].loc, ['body', 'order_id'])
    const body = {
      order_id: order.id.toUpperCase(),
      user_id: order.user_id.toUpperCase(),
      note: 'By phone',
    }
    const answer = await reviews.accept(held.id, body)
    assert.deepEqual([answer.status, answer.body.id], [200, order.id])
    assert.equal((await reviews.show(held.id)).note, 'By phone')
  })

  test('takes a legal path of statuses for an assigned result', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person, { method: 'at_home_phlebotomy' })
    const held = await reviews.hold(reviews.report(person, order))
    assert.equal(held.decision_code, 'wrong_collection')
    const { body } = await reviews.accept(held.id)
    assert.equal(body.id, order.id)
    assert.equal(statusesOf(body).at(-1), 'completed')
  })

  test('does so for a kit without scans too', async () => {
    const person = reviews.someone()
    const kit = await reviews.newOrder(person, { lab: 'ussl', method: 'testkit' })
    const moved = `update orders set last_status = 'out_for_delivery' where id = $1`
    await fixture.database.pool.query(moved, [kit.id])
    const held = await reviews.hold(reviews.report(person, kit), 'ussl')
    const { body } = await reviews.accept(held.id)
    assert.deepEqual(statusesOf(body).slice(-3), ['with_customer', 'delivered_to_lab', 'completed'])
  })

  test('corrects a completed order only if the laboratory marks a correction', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await fixture.take({ message: reviews.report(person, order), labSlug: 'quest' })
    const typo = { ...person, last_name: 'Moraeu' }
    const report = reviews.report(typo, order, {
      status: 'corrected',
      results: allResults({ ldl: '170' }),
    })
    const held = await reviews.hold(report)
    const { body } = await reviews.accept(held.id)
    assert.deepEqual([body.id, statusesOf(body).at(-1)], [order.id, 'corrected'])
  })
})

describe('accepting creates another order', () => {
  /** Checks that the new order follows the old one and has the result. */
  async function assertRecreated(
    answerBody: Awaited<ReturnType<ReviewFixture['order']>>,
    old: { id: string },
  ) {
    assert.notEqual(answerBody.id, old.id)
    assert.equal(answerBody.origin, 'recreation')
    const { orders } = answerBody.order_transaction
    const made = orders.find(({ id }: { id: string }) => id === answerBody.id)
    assert.equal(made.parent_id, old.id)
    assert.equal((await resultOf(answerBody.id)).results.length, 7)
  }

  test('when the order is completed, and then another one after that', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await fixture.take({ message: reviews.report(person, order), labSlug: 'quest' })
    const held = await reviews.hold(reviews.report(person, order, { specimen_number: 'B' }))
    const { status, body } = await reviews.accept(held.id, { order_id: order.id })
    assert.equal(status, 200)
    assert.deepEqual(statusesOf(body), ['ordered', 'requisition_bypassed', 'completed'])
    await assertRecreated(body, order)
    const names = (await fixture.events()).filter(({ data }) => data.id === body.id)
    assert.deepEqual(
      names.map(({ type }) => type),
      ['labtest.order.created', 'labtest.order.updated', 'labtest.order.updated'],
    )
    const next = await reviews.hold(reviews.report(person, order, { specimen_number: 'C' }))
    const third = await reviews.accept(next.id, { order_id: order.id })
    await assertRecreated(third.body, body)
  })

  test('when the order was cancelled', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await fixture.call('POST', `/v3/order/${order.id}/cancel`)
    const held = await reviews.hold(reviews.report(person, order))
    const { body } = await reviews.accept(held.id)
    await assertRecreated(body, order)
    assert.equal((await reviews.order(order.id)).order_transaction.status, 'completed')
  })

  test('when the order is at another laboratory', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person, { lab: 'labcorp' })
    const held = await reviews.hold(reviews.report(person, null))
    assert.equal(held.decision_code, 'wrong_lab')
    const { status, body } = await reviews.accept(held.id)
    assert.equal(status, 200)
    await assertRecreated(body, order)
    const { metadata, results, missing_results } = await resultOf(body.id)
    assert.equal(metadata.laboratory, 'Quest')
    assert.deepEqual(missing_results, [])
    // The markers were derived from the reported results.
    assert.ok(results.every((each: { source_markers: unknown }) => each.source_markers !== null))
    const { rows } = await fixture.database.pool.query(
      `select l.slug, a.lab_id = o.lab_id as is_account_of_lab from orders o
      join labs l on l.id = o.lab_id join lab_accounts a on a.id = o.lab_account_id where o.id = $1`,
      [body.id],
    )
    assert.deepEqual(rows, [{ slug: 'quest', is_account_of_lab: true }])
  })
})

describe('accepting for a person without an order', () => {
  const info = {
    first_name: 'Ada',
    last_name: 'Moreau',
    email: 'ada.moreau@example.com',
    phone_number: '+15550100199',
    gender: 'female',
    dob: '1990-04-12',
    address: {
      first_line: '1 Main St',
      country: 'US',
      zip: '85004',
      city: 'Phoenix',
      state: 'AZ',
    },
  }

  test('creates one with the ordered markers of the message and the data of the person', async () => {
    const held = await reviews.hold(
      reviews.report(reviews.someone(), null, { specimen_number: 'P1' }),
    )
    const userId = await fixture.makeUser()
    const unknown = await reviews.accept(held.id, { user_id: userId })
    assert.equal(unknown.body.detail.error_type, 'demographics_required')
    await fixture.call('PATCH', `/v2/user/${userId}/info`, info)
    const { status, body } = await reviews.accept(held.id, { user_id: userId })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.user_id, body.origin, body.order_transaction.orders[0].parent_id],
      [userId, 'recreation', null],
    )
    assert.deepEqual(statusesOf(body), ['ordered', 'requisition_bypassed', 'completed'])
    assert.deepEqual((await resultOf(body.id)).missing_results, [])
  })

  test('needs a message that identifies the ordered tests', async () => {
    const userId = await fixture.makeUser()
    await fixture.call('PATCH', `/v2/user/${userId}/info`, info)
    const results = [reported('Something new', '5')]
    const report = reviews.report(reviews.someone(), null, { specimen_number: 'P2', results })
    const held = await reviews.hold(report)
    const answer = await reviews.accept(held.id, { user_id: userId })
    assert.deepEqual([answer.status, answer.body.detail[0].type], [422, 'unknown_markers'])
    const named = reviews.report(reviews.someone(), null, {
      specimen_number: 'P3',
      results,
      ordered_provider_ids: ['71372'],
    })
    const { id } = await reviews.hold(named)
    const { body } = await reviews.accept(id, { user_id: userId })
    const found = await resultOf(body.id)
    assert.deepEqual(
      found.missing_results.map(({ slug }: { slug: string }) => slug),
      ['glucose'],
    )
  })
})

describe('accepting is refused', () => {
  test('when nothing is named and the target is ambiguous or missing', async () => {
    const person = reviews.someone()
    await reviews.newOrder(person)
    await reviews.newOrder(person)
    const several = await reviews.hold(reviews.report(person, null))
    const none = await reviews.hold(
      reviews.report(reviews.someone(), null, { specimen_number: 'N1' }),
    )
    for (const { id } of [several, none]) {
      const answer = await reviews.accept(id)
      assert.equal(answer.status, 422)
      assert.equal(answer.body.detail[0].type, 'ambiguous')
      assert.equal((await reviews.show(id)).status, 'pending_customer_review')
    }
  })

  test('when the order belongs to another user', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null))
    const stranger = await fixture.makeUser()
    const answer = await reviews.accept(held.id, { order_id: order.id, user_id: stranger })
    assert.deepEqual([answer.status, answer.body.detail[0].type], [422, 'order_of_other_user'])
  })

  test('when the order cannot receive results, even with an assignment', async () => {
    const person = reviews.someone()
    const kit = await reviews.newOrder(person, { lab: 'ussl', method: 'testkit' })
    const waiting = `update orders set last_status = $1, is_unregistered_kit = true where id = $2`
    await fixture.database.pool.query(waiting, ['awaiting_registration', kit.id])
    const held = await reviews.hold(reviews.report(person, kit), 'ussl')
    assert.equal(held.decision_code, 'wrong_collection')
    const answer = await reviews.accept(held.id)
    assert.deepEqual([answer.status, answer.body.detail[0].type], [422, 'order_not_taking_results'])
  })

  test('for an unknown result, order or user', async () => {
    const held = await reviews.hold(
      reviews.report(reviews.someone(), null, { specimen_number: 'N2' }),
    )
    const cases: [string, object, string][] = [
      [randomUUID(), {}, 'unmatched_result_not_found'],
      [held.id, { order_id: randomUUID() }, 'order_not_found'],
      [held.id, { user_id: randomUUID() }, 'user_not_found'],
    ]
    for (const [id, body, detail] of cases) {
      const answer = await reviews.accept(id, body)
      assert.deepEqual([answer.status, answer.body.detail], [404, detail])
    }
  })

  test('when the order already has the result', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const report = reviews.report(person, null)
    const held = await reviews.hold(report)
    await fixture.database.pool.query('update orders set sample_id = null where id = $1', [
      order.id,
    ])
    await reviews.accept(held.id)
    await fixture.database.pool.query(
      `update unmatched_results set status = 'pending_customer_review' where id = $1`,
      [held.id],
    )
    const again = await reviews.accept(held.id, { order_id: order.id })
    assert.equal(again.body.detail.error_type, 'result_already_attached')
  })

  test('for all but one of concurrent requests', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null))
    const answers = await Promise.all([1, 2, 3].map(() => reviews.accept(held.id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
    assert.deepEqual(statusesOf(await reviews.order(order.id)), [
      'ordered',
      'requisition_bypassed',
      'completed',
    ])
  })
})
