import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGoodLayout, assertSays } from '../../../server/test/documents/check-layout.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import {
  insurance,
  proxy,
  requisition,
  signatureImage,
} from '../../../server/test/documents/sample-documents.ts'
import { type RequisitionInput, renderRequisition } from './index.ts'

const render = async (changes: Partial<RequisitionInput>) =>
  readPdf(await renderRequisition({ ...requisition, ...changes }), { scale: 1 })

describe('a requisition that is billed to insurance', () => {
  test('names the insurance, the insured and the guarantor', async () => {
    assertSays(await render({ billingType: 'commercial_insurance', insurance }), [
      'Commercial insurance',
      'Desert Mutual Health PO Box 9100 Scottsdale, AZ 85251',
      'Payor code BCAZ1',
      'Member number XJH-99887766',
      'Group number GRP-4410',
      'Relationship to the insured Spouse',
      'Jonas Vance Born 11/30/1980, male 5 Ocotillo Court Mesa, AZ 85201 (602) 555-0177',
      'Guarantor Miriam Vance Address 77 Saguaro Lane Apartment 3B Tempe, AZ 85281 Phone (602) 555-0188',
    ])
  })

  test('has the sides of the card, and leaves out an image that cannot be read', async () => {
    const card = [signatureImage('image/png'), signatureImage('image/jpeg')]
    const changes = { billingType: 'commercial_insurance', insurance }
    const withCard = await render({ ...changes, insuranceImages: card })
    assertGoodLayout(withCard)
    assertSays(withCard, ['Insurance card'])
    const broken = [{ content: 'AAAA', content_type: 'image/png' }]
    const without = await render({ ...changes, insuranceImages: broken })
    assert.ok(!without.pages.some(({ text }) => text.includes('Insurance card')))
    const last = withCard.pages.at(-1)
    const blue = last?.image.data.filter(
      (value, at, all) => at % 4 === 2 && value > 60 && (all[at - 2] ?? 255) < 60,
    )
    assert.ok((blue?.length ?? 0) > 200, 'the images are drawn')
  })

  test("of the patient's own policy leaves no gap for a group or a guarantor", async () => {
    const own = { ...insurance, relationship: 'Self', group_id: null, guarantor: null }
    const pdf = await render({ billingType: 'commercial_insurance', insurance: own })
    assertGoodLayout(pdf)
    const text = pdf.pages.map((page) => page.text).join(' ')
    assert.doesNotMatch(text, /Group number|Guarantor|null|undefined/)
    assertSays(pdf, ['Relationship to the insured Self'])
  })

  test('holds the longest names of a policy, and twelve diagnoses', async () => {
    const long = (word: string, letters: number) =>
      `${word} `.repeat(letters).slice(0, letters).trim()
    const address = {
      first_line: long('Boulevard', 100),
      second_line: 'Building 1200, Suite 4000, Mail Stop 77B',
      city: 'Rancho Santa Margarita of the Hills',
      state: 'CA',
      zip: '92688-1234',
      country: 'US',
    }
    const first_name = 'Maximiliana-Bernadette Theodora'
    const last_name = 'Wolfeschlegelsteinhausenbergerdorff'
    const guarantor = { ...proxy, first_name, last_name, address }
    const policy = {
      ...insurance,
      member_id: 'M'.repeat(60),
      group_id: 'GROUP-'.repeat(12),
      payor_code: 'P'.repeat(100),
      relationship: 'Other',
      insured: { ...insurance.insured, first_name, last_name, address },
      company: { name: long('Blue Shield of Everywhere', 200), address },
      guarantor,
    }
    const diagnoses = Array.from({ length: 12 }, (_, index) => ({
      code: `S72.${100 + index}A`,
      description: `${long('Displaced fracture of unspecified part of left femur,', 180)} ${index}`,
    }))
    const pdf = await render({ billingType: 'commercial_insurance', insurance: policy, diagnoses })
    assertGoodLayout(pdf)
    assertSays(pdf, [
      last_name,
      policy.company.name,
      policy.member_id,
      policy.group_id,
      policy.payor_code,
      'Rancho Santa Margarita of the Hills, CA 92688-1234',
      ...diagnoses.flatMap(({ code, description }) => [code, description]),
    ])
  })
})
