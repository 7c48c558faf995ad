import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGoodLayout, assertSays } from '../../../../server/test/documents/check-layout.ts'
import { readPdf } from '../../../../server/test/documents/read-pdf.ts'
import { createInsuredFixture, INSURED } from '../../../../server/test/orders/insured-orders.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createInsuredFixture)

const GUARANTOR = {
  first_name: 'Miriam',
  last_name: 'Vance',
  phone_number: '+16025550188',
  address: { first_line: '77 Saguaro Lane', city: 'Tempe', state: 'AZ', zip_code: '85281' },
}

async function readDocument(orderId: string, path: string) {
  const { apiKey, app } = fixture.harness
  const url = `/v3/order/${orderId}/${path}`
  const headers = { 'x-service-api-key': apiKey }
  const { statusCode, rawPayload, body } = await app.inject({ method: 'GET', url, headers })
  assert.equal(statusCode, 200, body)
  return readPdf(rawPayload, { scale: 1 })
}

/** Places an order that the laboratory accepts. */
async function placeAccepted(userId: string, sampleId: string, changes: object): Promise<string> {
  const { id } = await fixture.placeFor(userId, changes)
  await fixture.update(id, { kind: 'requisition_accepted', sampleId })
  return id
}

describe('the requisition of an order that is billed to insurance', () => {
  test('has the policy of the order, its payor, and the descriptions of the diagnoses', async () => {
    const userId = await fixture.makeInsured()
    await fixture.insure(userId, {
      member_id: 'W-OLD-1',
      group_id: 'G-77',
      relationship: 'Spouse',
      guarantor: GUARANTOR,
    })
    const codes = { ...INSURED, icd_codes: ['e119', 'I10'] }
    const id = await placeAccepted(userId, 'REQ-5001', codes)
    // The order keeps the policy it was placed with.
    await fixture.insure(userId, { member_id: 'W-NEW-2' })
    const pdf = await readDocument(id, 'requisition/pdf')
    assertGoodLayout(pdf)
    assertSays(pdf, [
      'Bill to Commercial insurance',
      'Payor code SAMPLE-10007',
      'Member number W-OLD-1',
      'Group number G-77',
      'Relationship to the insured Spouse',
      'Ada Moreau Born 04/12/1990, female 1 Main St',
      'Guarantor Miriam Vance Address 77 Saguaro Lane Tempe, AZ 85281 Phone (602) 555-0188',
      'E11.9 Type 2 diabetes mellitus without complications',
      'I10 Essential (primary) hypertension',
    ])
    assert.ok(!pdf.pages.some(({ text }) => text.includes('W-NEW-2')))
  })

  test('has no policy when another party pays', async () => {
    const userId = await fixture.makeInsured('W-3')
    const id = await placeAccepted(userId, 'REQ-5002', { icd_codes: ['Z99.99'] })
    const pdf = await readDocument(id, 'requisition/pdf')
    // Only orders that bill an insurer require known codes.
    assertSays(pdf, ['Bill to Client (account)', 'Z99.99'])
    assert.ok(!pdf.pages.some(({ text }) => /Member number|Insurance/.test(text)))
  })
})

test('the advance beneficiary notice names the insurer that may refuse payment', async () => {
  const userId = await fixture.makeInsured('W-4')
  const { id } = await fixture.placeFor(userId, INSURED)
  const { pool } = fixture.harness.database
  await pool.query('update orders set has_abn = true where id = $1', [id])
  const { rows } = await pool.query("select name from payors where payor_code = 'SAMPLE-10007'")
  const pdf = await readDocument(id, 'abn_pdf')
  assertGoodLayout(pdf)
  assertSays(pdf, [rows[0].name])
})

describe('the advance beneficiary notice of an order that Medicare pays for', () => {
  async function placeForMedicare(isPrimary = true): Promise<string> {
    const userId = await fixture.makeInsured()
    await fixture.insure(userId, { payor_code: 'MEDFED', member_id: '1EG4-TE5-MK73' })
    const { id } = await fixture.placeFor(userId, INSURED)
    const { pool } = fixture.harness.database
    await pool.query('update orders set has_abn = true where id = $1', [id])
    if (!isPrimary) {
      const secondary = `update insurance_policies set is_primary = false where id =
        (select health_insurance_id from orders where id = $1)`
      await pool.query(secondary, [id])
    }
    return id
  }

  test('is form CMS-R-131, for the named tests and reason', async () => {
    const id = await placeForMedicare()
    const { body: order } = await fixture.harness.call('GET', `/v3/order/${id}`)
    const { rows } = await fixture.harness.database.pool.query(
      'select marker_ids from orders where id = $1',
      [id],
    )
    const [first] = rows[0].marker_ids
    assert.equal(order.has_abn, true)
    const all = await readDocument(id, 'abn_pdf')
    assertSays(all, ['Form CMS-R-131', 'Medicare does not pay for this test for your condition.'])
    const named = await readDocument(id, `abn_pdf?marker_ids=${first}&reason=frequency`)
    assertSays(named, ['Medicare does not pay for this test as often as this.'])
    const unknown = await fixture.harness.call(
      'GET',
      `/v3/order/${id}/abn_pdf?marker_ids=987654321`,
    )
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'marker_not_found'])
    for (const query of ['reason=price', 'marker_ids=x']) {
      const { status } = await fixture.harness.call('GET', `/v3/order/${id}/abn_pdf?${query}`)
      assert.equal(status, 422, query)
    }
  })

  test('is the general notice when Medicare pays second', async () => {
    const pdf = await readDocument(await placeForMedicare(false), 'abn_pdf')
    assert.ok(!pdf.pages.some(({ text }) => text.includes('CMS-R-131')))
  })
})

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the requisition has the card of the order, and the record of the order on demand', async () => {
  const userId = await fixture.makeInsured('W-9')
  const health = { front_image: { content: PNG, content_type: 'image/png' } }
  const id = await placeAccepted(userId, 'REQ-5003', { ...INSURED, health_insurance: health })
  const query = 'order_record=true&collection_date=2026-03-02T09:30:00-07:00'
  const pdf = await readDocument(id, `requisition/pdf?${query}`)
  assertGoodLayout(pdf)
  assertSays(pdf, ['Collected 03/02/2026 09:30 UTC−07:00', 'Insurance card', 'Order record'])
  const plain = await readDocument(id, 'requisition/pdf')
  assert.ok(!plain.pages.some(({ text }) => text.includes('Order record')))
})

test('an order whose number is an id of ours has no requisition and no labels', async () => {
  const userId = await fixture.makeInsured('W-10')
  const id = await placeAccepted(userId, '3fa85f64-5717-4562-b3fc-2c963f66afa6', INSURED)
  const labels = 'labels/pdf?collection_date=2026-03-02T09:30:00-07:00'
  for (const path of ['requisition/pdf', labels]) {
    const { status, body } = await fixture.harness.call('GET', `/v3/order/${id}/${path}`)
    assert.deepEqual([status, body.detail], [404, 'document_not_available'], path)
  }
})
