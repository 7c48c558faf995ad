import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  orderBody,
  PATIENT_ADDRESS,
  PATIENT_DETAILS,
} from '../../../../server/test/orders/order-bodies.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const replace = (orderId: string, changes: object = {}, headers: object = {}) => {
  fixture.harness.clock.advance(1)
  return fixture.harness.call(
    'POST',
    '/v3/order/create',
    { recreate_from_order_id: orderId, update_reason: 'OTHER', ...changes },
    headers,
  )
}

async function replaced(orderId: string, changes: object = {}): Promise<Body> {
  const { status, body, text } = await replace(orderId, changes)
  assert.equal(status, 200, text)
  return body.order
}

describe('the replaced order', () => {
  const ENDS: Record<string, [LowLevelStatus[], string]> = {
    'is cancelled while it can be': [['requisition_created', 'appointment_pending'], 'cancelled'],
    'stays where it cannot be cancelled': [
      ['requisition_created', 'partial_results'],
      'partial_results',
    ],
    'may be completed': [['requisition_created', 'completed'], 'completed'],
    'may have failed': [['requisition_created', 'sample_error'], 'sample_error'],
    'may be cancelled already': [['cancelled'], 'cancelled'],
  }
  for (const [what, [walk, end]] of Object.entries(ENDS)) {
    test(what, async () => {
      const old = await fixture.place()
      await fixture.walk(old.id, ...walk)
      const earlier = await fixture.read(old.id)
      const order = await replaced(old.id)
      assert.equal(order.order_transaction.status, 'active')
      const later = await fixture.read(old.id)
      assert.equal(statusesOf(later).at(-1), end)
      if (end === walk.at(-1)) assert.deepEqual(later.events, earlier.events)
    })
  }

  test('stays when it is a shipped kit, and another one is sent', async () => {
    const old = await fixture.place('testkit')
    await fixture.walk(old.id, 'requisition_created', 'transit_customer', 'lost')
    const order = await replaced(old.id, { update_reason: 'SAMPLE_LOST' })
    assert.notEqual(order.details.data.shipment.id, old.details.data.shipment.id)
    assert.equal(statusesOf(await fixture.read(old.id)).at(-1), 'lost')
  })

  test('is cancelled at the laboratory if that has it', async () => {
    const old = await fixture.place()
    await fixture.update(old.id, { kind: 'requisition_accepted', sampleId: null })
    await replaced(old.id)
    const tasks = (await fixture.jobs(old.id)).map(({ task }) => task)
    assert.ok(tasks.includes('cancel_order_at_lab'))
  })
})

describe('a replacement is refused', () => {
  const unknownId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

  test('for an unknown order, and one of another team', async () => {
    assert.deepEqual(refusalOf(await replace(unknownId)), [404, 'order_not_found'])
    const old = await fixture.place()
    const { sandboxKey } = await fixture.harness.makeTeam()
    const theirs = await replace(old.id, {}, { 'x-service-api-key': sandboxKey })
    assert.deepEqual(refusalOf(theirs), [404, 'order_not_found'])
    assert.deepEqual(statusesOf(await fixture.read(old.id)), ['ordered'])
  })

  test('without a known reason', async () => {
    const old = await fixture.place()
    const unsaid = await replace(old.id, { update_reason: null })
    assert.deepEqual(refusalOf(unsaid), [400, 'update_reason_required'])
    assert.equal((await replace(old.id, { update_reason: 'BORED' })).status, 422)
  })

  test('for an order that was already replaced', async () => {
    const old = await fixture.place()
    await replaced(old.id)
    assert.deepEqual(refusalOf(await replace(old.id)), [400, 'order_already_recreated'])
  })

  test('and keeps the old order when the new one cannot be placed', async () => {
    const old = await fixture.place()
    const refused = await replace(old.id, { icd_codes: ['diabetes'] })
    assert.deepEqual(refusalOf(refused), [400, 'icd_codes_invalid'])
    assert.deepEqual(statusesOf(await fixture.read(old.id)), ['ordered'])
    await replaced(old.id)
  })

  test('for a kit without a patient, unless the patient is given', async () => {
    const kit = await fixture.orderKit()
    const { status, body } = await replace(kit.id)
    assert.equal(status, 422)
    assert.deepEqual(
      body.detail.map(({ loc }: Body) => loc.at(-1)),
      ['patient_details', 'patient_address'],
    )
    const people = { patient_details: PATIENT_DETAILS, patient_address: PATIENT_ADDRESS }
    const order = await replaced(kit.id, people)
    assert.equal(order.shipping_details, null)
  })

  test('for one of two concurrent requests', async () => {
    const old = await fixture.place()
    const answers = await Promise.all([replace(old.id), replace(old.id), replace(old.id)])
    const codes = answers.map((answer) => (answer.status === 200 ? 'taken' : refusalOf(answer)[1]))
    const lost = 'order_already_recreated'
    assert.deepEqual(codes.toSorted(), [lost, lost, 'taken'])
    const { orders } = (await fixture.read(old.id)).order_transaction
    assert.equal(orders.length, 2)
  })

  test('for an imported address that no laboratory accepts', async () => {
    const address = { ...PATIENT_ADDRESS, zip: 'unknown' }
    const old = await fixture.import('loose-1', 'walk_in_test', { patient_address: address })
    assert.equal((await replace(old.id)).status, 422)
    await replaced(old.id, { patient_address: PATIENT_ADDRESS })
  })
})

test('an order of /create that replaces nothing needs a user and a patient', async () => {
  const body = orderBody(fixture.userId, fixture.tests.walk_in_test)
  for (const name of ['user_id', 'patient_details', 'patient_address']) {
    const { [name as keyof typeof body]: _, ...rest } = body
    const { status } = await fixture.harness.call('POST', '/v3/order/create', rest)
    assert.equal(status, 422, name)
  }
})
