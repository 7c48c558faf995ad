import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createInsuredFixture,
  IMAGE,
  INSURED,
  OWN,
} from '../../../../server/test/orders/insured-orders.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const SPOUSE = {
  first_name: 'Max',
  last_name: 'Moreau',
  phone_number: '+15550100198',
  address: { first_line: '2 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' },
}

const fixture = useFixture(createInsuredFixture)

describe('health_insurance of an order', () => {
  test('becomes a policy of the person when it names payor, number and relation', async () => {
    const userId = await fixture.makeInsured('OLD')
    const order = await fixture.placeFor(userId, { ...INSURED, health_insurance: OWN })
    const [, made] = await fixture.listPolicies(userId)
    assert.deepEqual([order.health_insurance_id, made.member_id], [made.id, 'C-1'])
    const { body } = await fixture.harness.call('GET', `/v2/user/${userId}/insurance/latest`)
    assert.equal(body.company.name, 'Cigna Health')
    assert.equal(body.relationship, 'Self')
    assert.deepEqual(
      [body.insured.first_name, body.insured.dob, body.insured.gender, body.insured.address.zip],
      ['Ada', '1990-04-12', 'female', '85004'],
    )
    assert.equal(body.guarantor, null)
  })

  test('makes the named person responsible for the bill', async () => {
    const userId = await fixture.makeInsured()
    const health_insurance = {
      ...OWN,
      responsible_relationship: 'Spouse',
      responsible_details: SPOUSE,
    }
    const order = await fixture.placeFor(userId, { health_insurance })
    assert.ok(order.health_insurance_id)
    const { insurance, billing } = await fixture.handOver(order)
    assert.equal(insurance?.relationship, 'Spouse')
    assert.deepEqual(
      [insurance?.guarantor?.first_name, insurance?.guarantor?.address.zip],
      ['Max', '85004'],
    )
    assert.equal(billing?.responsible_details?.phone_type, 'Mobile')
    for (const changes of [{ phone_number: 'at home' }, { phone_type: 'x'.repeat(51) }]) {
      const responsible_details = { ...SPOUSE, ...changes }
      const [status] = await fixture.refuse(userId, {
        health_insurance: { ...health_insurance, responsible_details },
      })
      assert.equal(status, 422)
    }
  })

  test('is stored for the requisition when it is incomplete for a policy', async () => {
    const userId = await fixture.makeInsured()
    const health_insurance = {
      subjective: 'Tired since May',
      assessment_plan: 'Rule out anemia',
      insurance_id: 'C-2',
      diagnosis_codes: ['I10'],
      front_image: IMAGE,
    }
    const order = await fixture.placeFor(userId, { health_insurance })
    assert.deepEqual([order.health_insurance_id, order.icd_codes], [null, ['I10']])
    assert.deepEqual(await fixture.listPolicies(userId), [])
    const { billing, insurance } = await fixture.handOver(order)
    assert.equal(insurance, null)
    assert.deepEqual(billing, {
      subjective: 'Tired since May',
      assessment_plan: 'Rule out anemia',
      payor_code: null,
      insurance_id: 'C-2',
      responsible_relationship: null,
      responsible_details: null,
      diagnosis_codes: ['I10'],
      front_image: IMAGE,
      back_image: null,
      patient_signature_image: null,
    })
    assert.deepEqual(await fixture.refuse(userId, { health_insurance }), [
      400,
      'insurance_required',
    ])
  })

  test('provides its diagnoses when the order has none', async () => {
    const health_insurance = { ...OWN, diagnosis_codes: ['I10'] }
    const userId = await fixture.makeInsured()
    const insured = { billing_type: 'commercial_insurance', health_insurance }
    assert.deepEqual((await fixture.placeFor(userId, insured)).icd_codes, ['I10'])
    const both = { ...insured, icd_codes: ['E11.9'] }
    assert.deepEqual((await fixture.placeFor(userId, both)).icd_codes, ['E11.9'])
  })

  test('has its images encrypted, and deleted with the person', async () => {
    const userId = await fixture.makeInsured()
    const { id } = await fixture.placeFor(userId, {
      health_insurance: { patient_signature_image: IMAGE },
    })
    const { pool } = fixture.harness.database
    const stored = async () =>
      (await pool.query('select sealed from order_insurance_images where order_id = $1', [id])).rows
    const [{ sealed }] = await stored()
    assert.ok(!sealed.toString('latin1').includes(IMAGE.content))
    const { rows } = await pool.query('select o::text as text from orders o where id = $1', [id])
    assert.ok(!rows[0].text.includes(IMAGE.content))
    await pool.query('delete from users where id = $1', [userId])
    assert.deepEqual(await stored(), [])
  })

  test('accepts images larger than other bodies may be', async () => {
    const content = Buffer.alloc(3 * 1024 ** 2, 7).toString('base64')
    const back_image = { content, content_type: 'image/jpeg' }
    const order = await fixture.placeFor(await fixture.makeInsured(), {
      health_insurance: { back_image },
    })
    assert.equal((await fixture.handOver(order)).billing?.back_image?.content, content)
  })

  test('is accepted with the registration of a kit', async () => {
    const userId = await fixture.makeInsured()
    const kit = await fixture.sendKit('delivered')
    const health_insurance = { ...OWN, front_image: IMAGE, diagnosis_codes: ['I10'] }
    const order = await fixture.register(kit, { user_id: userId, health_insurance })
    assert.equal(order.health_insurance_id, (await fixture.listPolicies(userId))[0].id)
    assert.deepEqual(order.icd_codes, ['I10'])
    const { insurance, billing } = await fixture.handOver(order)
    assert.equal(insurance?.member_id, 'C-1')
    assert.deepEqual(billing?.front_image, IMAGE)
  })
})
