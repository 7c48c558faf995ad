import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
} from '../../../server/test/orders/orders-fixture.ts'
import { pdf, png, sendParts, upload } from '../../../server/test/reports/report-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const list = (userId: string, query = '') =>
  fixture.harness.call('GET', `/v3/user/${userId}/document${query}`)
const typesOf = ({ documents }: Body): string[] => documents.map(({ type }: Body) => type)

test('documents of orders and uploads are listed together, and each can be read under its path', async () => {
  const { harness } = fixture
  const userId = await harness.makeUser()
  const order = await fixture.place('walk_in_test', { user_id: userId })
  assert.deepEqual(typesOf((await list(userId)).body), ['collection_instructions'])
  harness.clock.advance(60)
  await fixture.update(order.id, { kind: 'requisition_accepted', sampleId: `D${Date.now()}` })
  harness.clock.advance(60)
  const report = await upload(harness, userId, pdf('a report'))
  harness.clock.advance(60)
  await sendParts(harness, [
    ['user_id', userId],
    ['file', png('one'), 'image/png'],
    ['file', png('two'), 'image/png'],
  ])
  const { body } = await list(userId)
  assert.deepEqual(typesOf(body), [
    'lab_report',
    'lab_report',
    'lab_report',
    'requisition',
    'collection_instructions',
  ])
  assert.deepEqual(body.documents[2], {
    type: 'lab_report',
    order_id: null,
    parsing_job_id: report.body.id,
    lab_test_name: null,
    result_version: null,
    result_status: null,
    file_number: 1,
    content_type: 'application/pdf',
    path: `/lab_report/v1/parser/job/${report.body.id}/file/1`,
    created_at: body.documents[2].created_at,
  })
  assert.equal(body.documents[3].lab_test_name, order.lab_test.name)
  for (const { path, content_type } of body.documents) {
    const answer = await harness.call('GET', path)
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, content_type], path)
  }
})

test('the list has pages, kinds, and documents of one order', async () => {
  const { harness } = fixture
  const userId = await harness.makeUser()
  const first = await fixture.place('walk_in_test', { user_id: userId })
  const second = await fixture.place('walk_in_test', { user_id: userId })
  await fixture.update(first.id, { kind: 'requisition_accepted', sampleId: `E${Date.now()}` })
  const all = (await list(userId)).body.documents
  assert.equal(all.length, 3)
  const paged: Body[] = []
  for (let query = '?limit=1'; query !== ''; ) {
    const { body } = await list(userId, query)
    paged.push(...body.documents)
    query = body.next_cursor === null ? '' : `?limit=1&next_cursor=${body.next_cursor}`
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(typesOf((await list(userId, '?type=requisition')).body), ['requisition'])
  const ofSecond = (await list(userId, `?order_id=${second.id}`)).body
  assert.deepEqual(typesOf(ofSecond), ['collection_instructions'])
  assert.deepEqual(refusalOf(await list(userId, '?next_cursor=nonsense')), [400, 'invalid_cursor'])
  const missing = await harness.call('GET', `/v3/user/${first.id}/document`)
  assert.equal(missing.status, 404)
})
