import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { pdfText } from '../../../../server/test/results/lipid-reports.ts'
import {
  createResultsFixture,
  type ResultsFixture,
} from '../../../../server/test/results/results-fixture.ts'
import {
  createReviewFixture,
  type ReviewFixture,
} from '../../../../server/test/results/review-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { eraseResults } from '../index.ts'

const fixture = useFixture(createResultsFixture)
let reviews: ReviewFixture
before(async () => {
  await fixture.set({ match_review_enabled: true })
  reviews = createReviewFixture(fixture)
})

const list = async (query = '') => (await fixture.call('GET', `/v3/unmatched_result?${query}`)).body
const idsOf = async (query = '') => (await list(query)).data.map(({ id }: { id: string }) => id)
const hold = (specimen: string, person = reviews.someone(), labSlug?: string) =>
  reviews.hold(reviews.report(person, null, { specimen_number: specimen }), labSlug)
const held = async (query = '') =>
  (await fixture.manage('GET', `/team/${fixture.teamId}/sandbox/unmatched_result${query}`)).body
const handOver = (id: string) =>
  fixture.manage('POST', `/team/${fixture.teamId}/sandbox/unmatched_result/${id}/hand_over`)

describe('deciding against a result', () => {
  test('with a reject attaches nothing', async () => {
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const held = await hold('A', person)
    const { status, body } = await reviews.resolve(held.id, 'reject', 'Not ours')
    assert.equal(status, 200)
    assert.deepEqual(
      [body.status, body.resolution_action, body.note, body.allowed_actions],
      ['resolved', 'reject', 'Not ours', []],
    )
    assert.equal((await fixture.call('GET', `/v3/order/${order.id}/result`)).status, 404)
    assert.equal((await reviews.lastEvent())?.data.resolution_action, 'reject')
    for (const action of ['reject', 'unsure']) {
      assert.equal((await reviews.resolve(held.id, action)).status, 404)
    }
    assert.equal((await reviews.accept(held.id, { order_id: order.id })).status, 404)
  })

  test('with unsure passes it to the operators, who may pass it back', async () => {
    const held = await hold('B')
    const { body } = await reviews.resolve(held.id, 'unsure')
    assert.deepEqual(
      [body.status, body.resolution_action, body.allowed_actions],
      ['pending_ops_review', 'unsure', []],
    )
    assert.equal((await reviews.lastEvent())?.data.status, 'pending_ops_review')
    assert.ok((await idsOf()).includes(held.id))
    assert.equal((await reviews.accept(held.id)).status, 404)
    const handed = await handOver(held.id)
    assert.equal(handed.status, 200)
    assert.deepEqual(
      [handed.body.status, handed.body.resolution_action, handed.body.reviewed_at],
      ['pending_customer_review', null, null],
    )
    assert.equal((await reviews.lastEvent())?.type, 'labtest.match_review.updated')
    assert.equal((await handOver(held.id)).status, 404)
  })

  test('needs one of the two actions', async () => {
    const held = await hold('C')
    assert.equal((await reviews.resolve(held.id, 'accept')).status, 422)
    const url = `/v3/unmatched_result/${held.id}/resolve`
    assert.equal((await fixture.call('POST', url, {})).status, 422)
  })
})

describe('a team without a queue', () => {
  test('sees nothing; operators pass results to it when it has a queue', async () => {
    await fixture.set({ match_review_enabled: false })
    const person = reviews.someone()
    const order = await reviews.newOrder(person)
    const before = (await fixture.events(/match_review/)).length
    fixture.clock.advance(1)
    await fixture.take({ message: reviews.report(person, null), labSlug: 'quest' })
    assert.equal((await fixture.events(/match_review/)).length, before)
    const { rows } = await fixture.database.pool.query(
      `select id, status from unmatched_results order by created_at desc, id limit 1`,
    )
    const [{ id, status }] = rows
    assert.equal(status, 'pending_ops_review')
    const refusals = [
      await fixture.call('GET', '/v3/unmatched_result'),
      await fixture.call('GET', `/v3/unmatched_result/${id}`),
      await reviews.accept(id),
      await reviews.resolve(id, 'reject'),
      await reviews.undo(id),
      await handOver(id),
    ]
    for (const { status: code, body } of refusals) {
      assert.deepEqual([code, body.detail.error_type], [400, 'match_review_disabled'])
    }
    const waiting = await held('?limit=1')
    const [shown] = waiting.data
    assert.deepEqual([shown.id, shown.decision_code, waiting.total], [id, 'match_demo', 1])
    assert.deepEqual(
      shown.candidate_groups.map((group: { user_id: string }) => group.user_id),
      [order.user_id],
    )
    await fixture.set({ match_review_enabled: true })
    const hidden = await fixture.call('GET', `/v3/unmatched_result/${id}`)
    assert.deepEqual([hidden.status, hidden.body.detail], [404, 'unmatched_result_not_found'])
    assert.ok(!(await idsOf('status=pending_ops_review')).includes(id))
    assert.equal((await handOver(id)).status, 200)
    assert.deepEqual((await held()).data, [])
    const event = await reviews.lastEvent()
    assert.deepEqual(
      [event?.type, event?.userId, event?.data.id],
      ['labtest.match_review.created', order.user_id, id],
    )
    assert.equal((await reviews.accept(id)).body.id, order.id)
  })
})

describe('the list', () => {
  test('has waiting and passed-on results, newest first, in pages', async () => {
    const held = [await hold('D1'), await hold('D2'), await hold('D3')]
    const [first, second, third] = held.map(({ id }) => id)
    await reviews.resolve(second, 'unsure')
    await reviews.resolve(third, 'reject')
    const all = await list('limit=100')
    const ids = all.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids.slice(0, 2), [second, first])
    assert.equal(all.total, ids.length)
    assert.equal(all.next_cursor, null)
    const pages: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`limit=2${cursor && `&next_cursor=${cursor}`}`)
      assert.equal(page.total, ids.length)
      pages.push(...page.data.map(({ id }: { id: string }) => id))
      cursor = page.next_cursor
    }
    assert.deepEqual(pages, ids)
    assert.deepEqual(await idsOf('status=pending_ops_review'), [second])
    assert.ok((await idsOf('status=resolved')).includes(third))
    assert.ok((await idsOf('status=pending_customer_review')).includes(first))
  })

  test('is filtered by code, laboratory, day and patient', async () => {
    const person = { ...reviews.someone(), first_name: 'Zelda', last_name: "O'Hara-100%" }
    const held = await hold('E', person, 'labcorp')
    assert.deepEqual(await idsOf('lab_slug=labcorp'), [held.id])
    assert.deepEqual(await idsOf('lab_slug=bioreference'), [])
    assert.ok((await idsOf('decision_code=no_match')).includes(held.id))
    assert.ok(!(await idsOf('decision_code=match_demo')).includes(held.id))
    for (const text of ['zelda', "o'hara", '100%', person.dob]) {
      const query = `search_input=${encodeURIComponent(text)}`
      assert.deepEqual(await idsOf(query), [held.id], text)
    }
    assert.deepEqual(await idsOf('search_input=1%25%25'), [])
    const day = held.created_at.slice(0, 10)
    assert.ok((await idsOf(`created_at_start=${day}&created_at_end=${day}`)).includes(held.id))
    assert.deepEqual(await idsOf('created_at_end=2026-02-28'), [])
    assert.deepEqual(await idsOf('created_at_start=2026-03-02'), [])
  })

  test('refuses wrong values and cursors of other lists', async () => {
    for (const query of ['limit=0', 'limit=101', 'status=matched', 'decision_code=x']) {
      assert.equal((await fixture.call('GET', `/v3/unmatched_result?${query}`)).status, 422, query)
    }
    const { next_cursor: cursor } = await list('limit=1')
    const other = await list(`limit=1&lab_slug=quest&next_cursor=${cursor}`)
    assert.equal(other.detail.error_type, 'invalid_cursor')
    const turned = await list('created_at_start=2026-02-02&created_at_end=2026-02-01')
    assert.equal(turned.detail.error_type, 'invalid_date_range')
  })
})

describe('held results of others', () => {
  test('are found by no other team', async () => {
    const held = await hold('F')
    const headers = { 'x-service-api-key': fixture.productionKey }
    await fixture.manage('PATCH', `/team/${fixture.teamId}`, {
      production: { match_review_enabled: true },
    })
    const url = `/v3/unmatched_result/${held.id}`
    const attempts = [
      await fixture.call('GET', url, undefined, headers),
      await fixture.call('POST', `${url}/accept`, {}, headers),
      await fixture.call('POST', `${url}/resolve`, { action: 'reject' }, headers),
      await fixture.call('POST', `${url}/undo`, undefined, headers),
      await fixture.call('GET', `/v3/unmatched_result/${randomUUID()}`),
    ]
    for (const { status, body } of attempts) {
      assert.deepEqual([status, body.detail], [404, 'unmatched_result_not_found'])
    }
    const { body } = await fixture.call('GET', '/v3/unmatched_result', undefined, headers)
    assert.deepEqual([body.data, body.total], [[], 0])
    const path = `/team/${fixture.teamId}/production/unmatched_result/${held.id}/hand_over`
    assert.equal((await fixture.manage('POST', path)).status, 404)
  })
})

describe('the erasure of a person', () => {
  test('deletes their files and held results, and keeps those of others', async () => {
    const [person, other] = [reviews.someone(), reviews.someone()]
    const order = await reviews.newOrder(person)
    const theirs = await reviews.newOrder(other)
    const take = (message: Parameters<ResultsFixture['take']>[0]['message']) =>
      fixture.take({ message, labSlug: 'quest' })
    const files = fixture.fileNames()
    await take(reviews.report(other, theirs, { pdf: pdfText('theirs') }))
    const kept = fixture.fileNames()
    assert.equal(kept.length, files.length + 1)
    const wrong = { ...person, last_name: 'Other' }
    await reviews.hold(reviews.report(wrong, order, { pdf: pdfText('held'), specimen_number: 'X' }))
    await take(reviews.report(person, order, { pdf: pdfText('stored') }))
    assert.equal(fixture.fileNames().length, kept.length + 2)
    const context = await fixture.context()
    await eraseResults(context, context.files, order.user_id)
    await eraseResults(context, context.files, order.user_id)
    assert.deepEqual(fixture.fileNames(), kept)
    const { rows } = await fixture.database.pool.query(
      `select id from unmatched_results where report ->> 'sample_id' = $1`,
      [order.sample_id],
    )
    assert.deepEqual(rows, [])
  })
})
