import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createInsuredFixture,
  IMAGE,
  INSURED,
  OWN,
} from '../../../../server/test/orders/insured-orders.ts'
import { orderBody } from '../../../../server/test/orders/order-bodies.ts'
import { type Body, refusalOf, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createInsuredFixture)

describe('an order that bills an insurer', () => {
  test('has the newest primary policy at the time, and is dispatched with it', async () => {
    const userId = await fixture.makeInsured('FIRST', 'SECOND')
    await fixture.insure(userId, { member_id: 'OTHER', is_primary: false })
    const order = await fixture.placeFor(userId, INSURED)
    const [, second] = await fixture.listPolicies(userId)
    assert.equal(order.health_insurance_id, second.id)
    assert.deepEqual([order.billing_type, order.icd_codes], ['commercial_insurance', ['E11.9']])
    await fixture.insure(userId, { member_id: 'THIRD' })
    const { insurance, billing, icdCodes } = await fixture.handOver(order)
    assert.deepEqual([insurance?.member_id, billing, icdCodes], ['SECOND', null, ['E11.9']])
    assert.equal(insurance?.company.name, 'Aetna')
    assert.equal(insurance?.insured.address.zip, '85004')
    assert.deepEqual(insurance?.payor_ids.availity, ['60054'])
    const later = await fixture.placeFor(userId, INSURED)
    assert.equal((await fixture.handOver(later)).insurance?.member_id, 'THIRD')
  })

  test('is completed in a sandbox', async () => {
    const userId = await fixture.makeInsured('W1')
    const { id } = await fixture.placeFor(userId, INSURED)
    await fixture.succeed('POST', `/v3/order/${id}/test`)
    await fixture.succeed('POST', '/v3/sandbox/advance', { seconds: 1 })
    const order = await fixture.read(id)
    assert.equal(statusesOf(order).at(-1), 'completed')
    assert.equal(order.health_insurance_id, (await fixture.listPolicies(userId))[0].id)
    assert.equal(order.has_abn, true)
    assert.equal((await fixture.harness.call('GET', `/v3/order/${id}/requisition/pdf`)).status, 200)
  })

  test('needs demographics, insurance, and diagnoses of the code set', async () => {
    const newUser = await fixture.harness.makeUser()
    assert.deepEqual(await fixture.refuse(newUser), [400, 'insurance_required'])
    const uninsured = await fixture.makeInsured()
    assert.deepEqual(await fixture.refuse(uninsured), [400, 'insurance_required'])
    await fixture.insure(uninsured, { is_primary: false })
    assert.deepEqual(await fixture.refuse(uninsured), [400, 'insurance_required'])
    const userId = await fixture.makeInsured('W1')
    for (const icd_codes of [null, []]) {
      assert.deepEqual(await fixture.refuse(userId, { icd_codes }), [400, 'icd_codes_required'])
    }
    for (const code of ['diabetes', 'E11.999', 'E11']) {
      const icd_codes = ['E11.9', code]
      assert.deepEqual(
        await fixture.refuse(userId, { icd_codes }),
        [400, 'icd_codes_invalid'],
        code,
      )
    }
    // Codes of an order that bills no insurer need only the right form.
    const order = await fixture.placeFor(userId, { icd_codes: ['Q99.99'] })
    assert.deepEqual([order.icd_codes, order.health_insurance_id], [['Q99.99'], null])
  })

  test('is refused when the account or a marker cannot be billed to insurance', async () => {
    const userId = await fixture.makeInsured('W1')
    const { pool } = fixture.harness.database
    const { rows } = await pool.query(
      'select marker_id from lab_test_markers where lab_test_id = $1 order by marker_id limit 1',
      [fixture.tests.walk_in_test],
    )
    const setStates = (states: string[] | null) =>
      pool.query('update markers set insurance_states = $1 where id = $2', [
        states,
        rows[0].marker_id,
      ])
    await setStates(['CA', 'NM'])
    const body = orderBody(userId, fixture.tests.walk_in_test, INSURED)
    const refused = await fixture.harness.call('POST', '/v3/order', body)
    assert.deepEqual(refusalOf(refused), [400, 'billing_not_allowed'])
    assert.deepEqual(refused.body.detail.marker_ids, [rows[0].marker_id])
    await setStates(['AZ'])
    await fixture.placeFor(userId, INSURED)
    await setStates(null)
    await fixture.placeFor(userId, INSURED)
  })

  test('is imported with the policy of its person, and refused without one', async () => {
    const billing = { billing_type: 'commercial_insurance' }
    const userId = await fixture.makeInsured('W1')
    const order = await fixture.import('INSURED-1', 'walk_in_test', { user_id: userId, ...billing })
    assert.equal(order.health_insurance_id, (await fixture.listPolicies(userId))[0].id)
  })
})

describe('an order that replaces another one', () => {
  const replace = async ({ id }: Body, changes: object = {}): Promise<Body> => {
    const body = { recreate_from_order_id: id, update_reason: 'OTHER', ...changes }
    return (await fixture.succeed('POST', '/v3/order/create', body)).order
  }

  test('is billed to the current policy', async () => {
    const userId = await fixture.makeInsured('W1')
    const old = await fixture.placeFor(userId, INSURED)
    await fixture.insure(userId, { member_id: 'W2' })
    const order = await replace(old)
    assert.equal(order.billing_type, 'commercial_insurance')
    assert.equal((await fixture.handOver(order)).insurance?.member_id, 'W2')
  })

  test('keeps the insurance of the replaced order, with its images, for the same person', async () => {
    const userId = await fixture.makeInsured()
    const old = await fixture.placeFor(userId, {
      health_insurance: { ...OWN, subjective: 'Tired', front_image: IMAGE },
    })
    const order = await replace(old)
    assert.equal(order.health_insurance_id, old.health_insurance_id)
    const { billing, insurance } = await fixture.handOver(order)
    assert.deepEqual([billing?.subjective, billing?.front_image], ['Tired', IMAGE])
    assert.equal(insurance?.member_id, 'C-1')
    const none = await replace(order, { health_insurance: null })
    assert.equal(none.health_insurance_id, null)
    assert.equal((await fixture.handOver(none)).billing, null)
    const other = await replace(none, { user_id: await fixture.makeInsured() })
    assert.equal(other.health_insurance_id, null)
  })

  test('of another person has no such insurance', async () => {
    const old = await fixture.placeFor(await fixture.makeInsured(), {
      health_insurance: { ...OWN, front_image: IMAGE },
    })
    const order = await replace(old, { user_id: await fixture.makeInsured() })
    assert.equal(order.health_insurance_id, null)
    const { billing, insurance } = await fixture.handOver(order)
    assert.deepEqual([billing, insurance], [null, null])
  })
})

test('a redraw is billed as its order, with the same insurance', async () => {
  await changeSettings(fixture.harness, { redraws_enabled: true })
  const userId = await fixture.makeInsured()
  const health_insurance = { ...OWN, subjective: 'Tired', front_image: IMAGE }
  const first = await fixture.placeFor(userId, { ...INSURED, health_insurance })
  await fixture.insure(userId, { member_id: 'NEWER' })
  const status = 'collecting_sample.walk_in_test.redraw_available'
  await fixture.succeed('POST', `/v3/order/${first.id}/test?final_status=${status}`)
  await fixture.succeed('POST', '/v3/sandbox/advance', { seconds: 1 })
  const { orders } = (await fixture.read(first.id)).order_transaction
  const redraw = await fixture.read(orders[1].id)
  assert.deepEqual([redraw.origin, redraw.billing_type], ['redraw', 'commercial_insurance'])
  assert.equal(redraw.health_insurance_id, first.health_insurance_id)
  const { insurance, billing } = await fixture.handOver(redraw)
  assert.equal(insurance?.member_id, 'C-1')
  assert.deepEqual([billing?.subjective, billing?.front_image], ['Tired', IMAGE])
})
