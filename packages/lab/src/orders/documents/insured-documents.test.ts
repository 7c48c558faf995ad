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
