import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Answer } from '../../../../server/test/harness.ts'
import { allResults, missing, pdfText } from '../../../../server/test/results/lipid-reports.ts'
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
const result = (id: string) => fixture.call('GET', `/v3/order/${id}/result`)

function assertImpossible({ status, body }: Answer): void {
  assert.deepEqual([status, body.detail.error_type], [400, 'undo_not_possible'])
}

function assertOpenAgain({ status, body }: Answer): void {
  assert.equal(status, 200)
  assert.deepEqual(
    [body.status, body.resolution_action, body.resolved_order_id, body.reviewed_at],
    ['pending_customer_review', null, null, null],
  )
  assert.deepEqual(body.allowed_actions, ['accept', 'reject', 'unsure'])
}

describe('undoing a reject', () => {
  test('returns the result to the queue, and emits an event', async () => {
    const held = await reviews.hold(
      reviews.report(reviews.someone(), null, { specimen_number: 'R1' }),
    )
    await reviews.resolve(held.id, 'reject')
    assertOpenAgain(await reviews.undo(held.id))
    const event = await reviews.lastEvent()
    assert.deepEqual(
      [event?.type, event?.data.status],
      ['labtest.match_review.updated', 'pending_customer_review'],
    )
    assertImpossible(await reviews.undo(held.id))
  })
})

describe('undoing an accept', () => {
  test('deletes the result and its file; the order keeps its events and status', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null, { pdf: pdfText('mistake') }))
    const files = fixture.fileNames()
    await reviews.accept(held.id)
    assert.equal(fixture.fileNames().length, files.length + 1)
    assertOpenAgain(await reviews.undo(held.id))
    assert.deepEqual(fixture.fileNames(), files)
    const after = await reviews.order(order.id)
    assert.deepEqual(statusesOf(after), ['ordered', 'requisition_bypassed', 'completed'])
    assert.deepEqual([after.interpretation, after.has_missing_results], [null, null])
    const gone = await result(order.id)
    assert.deepEqual([gone.status, gone.body.detail], [404, 'results_not_available'])
  })

  test('lets the order receive the right result as a correction', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null))
    await reviews.accept(held.id)
    await reviews.undo(held.id)
    const right = reviews.report(person, order, { specimen_number: 'RIGHT' })
    assert.equal((await fixture.take({ message: right, labSlug: 'quest' })).state, 'processed')
    const { body } = await result(order.id)
    assert.equal(body.metadata.specimen_number, 'RIGHT')
    assert.equal(statusesOf(await reviews.order(order.id)).at(-1), 'corrected')
  })

  test('lets the same order be accepted again, or another one', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const other = await reviews.newOrder(person, { userId: order.user_id })
    const held = await reviews.hold(reviews.report(person, null))
    await reviews.accept(held.id, { order_id: order.id })
    await reviews.undo(held.id)
    const moved = await reviews.accept(held.id, { order_id: other.id })
    assert.equal(moved.body.id, other.id)
    assert.equal((await result(order.id)).status, 404)
    await reviews.undo(held.id)
    const back = await reviews.accept(held.id, { order_id: order.id })
    assert.deepEqual([back.body.id, statusesOf(back.body).at(-1)], [order.id, 'corrected'])
  })

  test('restores the former results of the order', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await fixture.take({
      message: reviews.report(person, order, { results: allResults({ ldl: '170' }) }),
      labSlug: 'quest',
    })
    const typo = { ...person, last_name: 'Moraeu' }
    const held = await reviews.hold(reviews.report(typo, order, { status: 'corrected' }))
    await reviews.accept(held.id)
    assert.equal((await reviews.order(order.id)).interpretation, 'normal')
    await reviews.undo(held.id)
    const after = await reviews.order(order.id)
    assert.deepEqual([after.interpretation, after.has_missing_results], ['abnormal', false])
    assert.equal((await result(order.id)).body.metadata.interpretation, 'abnormal')
  })

  test('leaves the created order empty, and reuses it for the next accept', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    await fixture.call('POST', `/v3/order/${order.id}/cancel`)
    const held = await reviews.hold(reviews.report(person, order))
    const { body: made } = await reviews.accept(held.id)
    assertOpenAgain(await reviews.undo(held.id))
    assert.equal((await result(made.id)).status, 404)
    const { body: again } = await reviews.accept(held.id, { order_id: order.id })
    assert.equal(again.id, made.id)
    assert.equal((await result(made.id)).status, 200)
  })

  test('is not possible after a later change', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, { sample_id: 'OTHER-1' }))
    await reviews.accept(held.id)
    const later = reviews.report(person, order, { status: 'corrected' })
    await fixture.take({ message: later, labSlug: 'quest' })
    assertImpossible(await reviews.undo(held.id))
    assert.equal((await result(order.id)).status, 200)
  })

  test('is not possible after a redraw was ordered', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await reviews.hold(
      reviews.report(person, null, {
        results: allResults({ glucose: null }),
        missing_results: [missing('glucose', 'QNS')],
      }),
    )
    await fixture.set({ redraws_enabled: true })
    const { body } = await reviews.accept(held.id)
    await fixture.set({ redraws_enabled: false })
    assert.deepEqual([body.id, statusesOf(body).at(-1)], [order.id, 'redraw_available'])
    assertImpossible(await reviews.undo(held.id))
  })

  test('is done once for concurrent requests', async () => {
    const person = reviews.someone()
    await reviews.newOrder(person)
    const held = await reviews.hold(reviews.report(person, null))
    await reviews.accept(held.id)
    const answers = await Promise.all([1, 2, 3].map(() => reviews.undo(held.id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  })
})

describe('other reviews cannot be undone', () => {
  test('neither pending ones, nor those passed on, nor automatic matches', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const waiting = await reviews.hold(reviews.report(person, null, { specimen_number: 'W' }))
    assertImpossible(await reviews.undo(waiting.id))
    await reviews.resolve(waiting.id, 'unsure')
    assertImpossible(await reviews.undo(waiting.id))
    const wrong = { ...person, last_name: 'Other' }
    const matched = await reviews.hold(reviews.report(wrong, order))
    await fixture.take({ message: reviews.report(person, order), labSlug: 'quest' })
    assert.equal((await reviews.show(matched.id)).status, 'matched')
    assertImpossible(await reviews.undo(matched.id))
  })
})

describe('an accept that is not undone', () => {
  test('assigns later results of the same sample to the order', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const sample = { sample_id: `ACCEPTED-${randomUUID()}`, specimen_number: 'A-1' }
    const held = await reviews.hold(reviews.report(person, null, sample))
    assert.equal((await reviews.accept(held.id, { order_id: order.id })).body.id, order.id)
    const corrected = reviews.report(person, null, { ...sample, status: 'corrected' })
    fixture.clock.advance(60)
    const taken = await fixture.take({ message: corrected, labSlug: 'quest' })
    assert.deepEqual(taken, { state: 'processed', orderId: order.id })
    assert.deepEqual(statusesOf(await reviews.order(order.id)).slice(-2), [
      'completed',
      'corrected',
    ])

    const others = [
      reviews.report(person, null, { ...sample, specimen_number: 'A-2', status: 'corrected' }),
      reviews.report(reviews.someone(), null, { ...sample, status: 'corrected' }),
    ]
    for (const report of others) await reviews.hold(report)
    assert.equal(
      statusesOf(await reviews.order(order.id)).filter((it) => it === 'corrected').length,
      1,
    )
  })
})
