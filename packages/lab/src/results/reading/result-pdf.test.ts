import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { readPdf } from '../../../../server/test/documents/read-pdf.ts'
import { importOrder, reportOf } from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { storeMatchedMessage } from '../receive-result-message.service.ts'
import { inResultTransaction } from '../storing/result-files.ts'

const fixture = useFixture(createResultsFixture)
let userId: string
before(async () => {
  userId = await fixture.makeUser()
})

const get = (path: string, headers?: object) => fixture.call('GET', path, undefined, headers)
const take = (message: ResultMessage) => fixture.take({ message, labSlug: 'quest' })

/** Creates an order with a result message. */
async function reportedOrder(more: Partial<ResultMessage> = {}) {
  const order = await importOrder(fixture, { userId })
  fixture.clock.advance(60)
  await take(reportOf(order, more))
  return order
}

describe('the PDF of a result', () => {
  const OWN_PDF = Buffer.from('%PDF-1.7 of the laboratory')

  test("is the laboratory's own, byte for byte", async () => {
    const order = await reportedOrder({
      pdf: OWN_PDF.toString('base64'),
      specimen_number: 'A/12 "b"',
    })
    const answer = await get(`/v3/order/${order.id}/result/pdf`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/pdf')
    assert.equal(answer.headers['content-disposition'], 'inline; filename="A-12-b-.pdf"')
    assert.deepEqual(answer.bytes, OWN_PDF)
  })

  test('is rendered when the laboratory sends none, or an invalid one', async () => {
    for (const pdf of [null, Buffer.from('<html>').toString('base64')]) {
      const order = await reportedOrder({ pdf })
      const answer = await get(`/v3/order/${order.id}/result/pdf`)
      const { pages } = await readPdf(answer.bytes)
      const text = pages.map((page) => page.text).join(' ')
      for (const part of ['HDL CHOLESTEROL', 'Moreau', 'Lipid panel', `SPEC-${order.sample_id}`]) {
        assert.ok(text.includes(part), part)
      }
      assert.equal(
        answer.headers['content-disposition'],
        `inline; filename="SPEC-${order.sample_id}.pdf"`,
      )
    }
  })

  test('is deleted when the transaction fails, and stays when it commits', async () => {
    const order = await importOrder(fixture, { userId })
    const before = fixture.fileNames()
    const context = await fixture.context()
    const { rows } = await fixture.database.db.transaction().execute(async (transaction) => ({
      rows: await transaction.selectFrom('orders').selectAll().where('id', '=', order.id).execute(),
    }))
    const [row] = rows
    assert.ok(row !== undefined)
    const source = { messageId: randomUUID(), at: fixture.clock.now() }
    const failing = inResultTransaction(context, async (tx) => {
      await storeMatchedMessage(tx, row, reportOf(order), source)
      assert.equal(fixture.fileNames().length, before.length + 1)
      throw new Error('it fails after all')
    })
    await assert.rejects(failing, /after all/)
    assert.deepEqual(fixture.fileNames(), before)
    assert.equal((await get(`/v3/order/${order.id}`)).body.interpretation, null)
    await inResultTransaction(context, (tx) =>
      storeMatchedMessage(tx, row, reportOf(order), source),
    )
    assert.equal(fixture.fileNames().length, before.length + 1)
  })

  test('stays when only the response of the commit was lost', async () => {
    const order = await importOrder(fixture, { userId })
    const scope = await fixture.context()
    const lossy: typeof scope = {
      ...scope,
      async transaction(work) {
        await scope.transaction(work)
        throw new Error('Connection terminated')
      },
    }
    const row = await scope.db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    const source = { messageId: randomUUID(), at: fixture.clock.now() }
    const lost = inResultTransaction(lossy, (tx) =>
      storeMatchedMessage(tx, row, reportOf(order), source),
    )
    await assert.rejects(lost, /terminated/)
    assert.equal((await get(`/v3/order/${order.id}/result/pdf`)).status, 200)
  })
})
