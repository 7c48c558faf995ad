import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { readPdf } from '../../../../server/test/documents/read-pdf.ts'
import {
  allResults,
  importOrder,
  missing,
  reported,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createResultsFixture)
let userId: string
before(async () => {
  userId = await fixture.makeUser()
})

const get = (path: string, headers?: object) => fixture.call('GET', path, undefined, headers)
const result = async (id: string) => (await get(`/v3/order/${id}/result`)).body
const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })

/** Creates an order with a result message. */
async function reportedOrder(more: Partial<ResultMessage> = {}) {
  const order = await importOrder(fixture, { userId })
  fixture.clock.advance(60)
  await take(reportOf(order, more))
  return order
}

describe('the results of a transaction', () => {
  test('are those of all its orders; the newest order takes precedence', async () => {
    await fixture.set({ redraws_enabled: true })
    const order = await importOrder(fixture, { userId })
    fixture.clock.advance(60)
    await take(
      reportOf(order, {
        results: allResults({ glucose: null, ldl: '140' }),
        missing_results: [missing('glucose', 'QNS'), missing('extra', 'Duplicate order')],
      }),
    )
    await fixture.set({ redraws_enabled: false })
    const shown = (await get(`/v3/order/${order.id}`)).body
    const { id, orders } = shown.order_transaction
    const redraw = orders.find(({ origin }: { origin: string }) => origin === 'redraw')
    const early = (await get(`/v3/order_transaction/${id}/result`)).body
    assert.deepEqual(early.results, (await result(order.id)).results)

    const { pool } = fixture.database
    await pool.query('update orders set sample_id = $1, last_status = $2 where id = $3', [
      `R-${order.sample_id}`,
      'requisition_created',
      redraw.id,
    ])
    fixture.clock.advance(60)
    const second = [reported('glucose', '101'), reported('ldl', '90')]
    await take(reportOf({ sample_id: `R-${order.sample_id}` }, { results: second }))
    const { body } = await get(`/v3/order_transaction/${id}/result`)
    const values = body.results.map((each: { name: string; result: string }) => [
      each.name,
      each.result,
    ])
    assert.deepEqual(values, [
      ['CHOLESTEROL, TOTAL', '180'],
      ['HDL CHOLESTEROL', '60'],
      ['TRIGLYCERIDES', '90'],
      ['LDL-CHOLESTEROL', '90'],
      ['NON HDL CHOLESTEROL', '120'],
      ['CHOL/HDLC RATIO', '3.0'],
      ['GLUCOSE', '101'],
    ])
    assert.deepEqual(
      body.missing_results.map(({ name }: { name: string }) => name),
      ['extra'],
    )
    assert.deepEqual(Object.keys(body.sample_information), [
      order.sample_id,
      `R-${order.sample_id}`,
    ])
    assert.deepEqual([body.metadata.status, body.metadata.interpretation], ['final', 'abnormal'])
    assert.equal(body.metadata.specimen_number, `SPEC-R-${order.sample_id}`)
    assert.equal(body.order_transaction.status, 'completed')

    const pdf = await readPdf((await get(`/v3/order_transaction/${id}/result/pdf`)).bytes)
    const texts = pdf.pages.map(({ text }) => text)
    assert.ok(texts[0]?.includes(`SPEC-${order.sample_id}`))
    assert.ok(texts.at(-1)?.includes(`SPEC-R-${order.sample_id}`))
  })

  test('leave out a PDF that cannot be joined', async () => {
    const order = await reportedOrder({ pdf: Buffer.from('%PDF-').toString('base64') })
    const { pool } = fixture.database
    await pool.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object(
        'id', gen_random_uuid(), 'sample_id', 'B-' || o.sample_id, 'origin', 'recreation',
        'parent_id', o.id, 'last_status', 'requisition_created', 'details_id', gen_random_uuid(),
        'created_at', o.created_at + interval '1 minute'))).* from orders o where o.id = $1`,
      [order.id],
    )
    await take(reportOf({ sample_id: `B-${order.sample_id}` }))
    const answer = await get(`/v3/order_transaction/${order.order_transaction.id}/result/pdf`)
    const { pages } = await readPdf(answer.bytes)
    assert.ok(pages[0]?.text.includes(`SPEC-B-${order.sample_id}`))
  })
})
