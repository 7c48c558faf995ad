import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  createOrdersFixture,
  refusalOf,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/** Changes of orders through the API other than cancellation. */

const fixture = useFixture(createOrdersFixture)

const UNKNOWN = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const TODAY = '2026-03-01'
const TOMORROW = '2026-03-02'
const LATER = '2026-04-01'

const patch = (orderId: string, body: object) =>
  fixture.harness.call('PATCH', `/v3/order/${orderId}`, body)

describe('the day of a scheduled order', () => {
  const scheduled = (activate_by = LATER) => fixture.place('walk_in_test', { activate_by })

  test('can be changed without an event', async () => {
    const old = await scheduled()
    assert.equal(old.activate_by, LATER)
    assert.deepEqual(await fixture.jobs(old.id), [])
    fixture.harness.clock.advance(1)
    const { status, body } = await patch(old.id, { activate_by: TOMORROW })
    assert.equal(status, 200)
    assert.equal(body.status, 'success')
    assert.equal(body.order.activate_by, TOMORROW)
    assert.deepEqual(body.order.events, old.events)
    assert.ok(body.order.updated_at > old.updated_at)
    assert.deepEqual(await fixture.read(old.id), body.order)
    assert.equal((await fixture.messages(old.id)).length, 1)
    assert.deepEqual(await fixture.jobs(old.id), [])
  })

  for (const day of [TODAY, null]) {
    test(`is ${day ?? 'removed'}, and the order is dispatched`, async () => {
      const { id } = await scheduled()
      const { body } = await patch(id, { activate_by: day })
      assert.equal(body.order.activate_by, day)
      assert.deepEqual(
        (await fixture.jobs(id)).map(({ task }) => task),
        ['dispatch_order'],
      )
    })
  }

  test('can be set again after it was removed', async () => {
    const { id } = await scheduled()
    await patch(id, { activate_by: null })
    assert.equal((await patch(id, { activate_by: LATER })).body.order.activate_by, LATER)
  })

  test('may not be in the past', async () => {
    const { id } = await scheduled()
    const answer = await patch(id, { activate_by: '2026-02-28' })
    assert.deepEqual(refusalOf(answer), [400, 'activate_by_in_past'])
    assert.equal((await fixture.read(id)).activate_by, LATER)
  })

  test('must be a date', async () => {
    assert.equal((await patch(UNKNOWN, { activate_by: '2026-02-30' })).status, 422)
  })

  test('belongs to orders that were placed with one, even if they were dispatched', async () => {
    const { id } = await fixture.place()
    assert.deepEqual(refusalOf(await patch(id, { activate_by: LATER })), [
      400,
      'order_not_scheduled',
    ])
    const { pool } = fixture.harness.database
    await pool.query('update orders set dispatched_at = created_at where id = $1', [id])
    assert.deepEqual(refusalOf(await patch(id, { activate_by: LATER })), [
      400,
      'order_not_scheduled',
    ])
    const kit = await fixture.orderKit()
    const answer = await patch(kit.id, { activate_by: LATER })
    assert.deepEqual(refusalOf(answer), [400, 'order_not_scheduled'])
  })

  for (const status of ['requisition_created', 'cancelled'] as LowLevelStatus[]) {
    test(`stays once the order is ${status}`, async () => {
      const { id } = await scheduled()
      await fixture.transition(id, status)
      const answer = await patch(id, { activate_by: null })
      assert.deepEqual(refusalOf(answer), [400, 'order_not_modifiable'])
      const unscheduled = await fixture.place()
      await fixture.transition(unscheduled.id, status)
      const other = await patch(unscheduled.id, { activate_by: null })
      assert.deepEqual(refusalOf(other), [400, 'order_not_modifiable'])
    })
  }

  test('stays once the laboratory has the order', async () => {
    const { id } = await scheduled()
    const { pool } = fixture.harness.database
    await pool.query('update orders set dispatched_at = created_at where id = $1', [id])
    const answer = await patch(id, { activate_by: LATER })
    assert.deepEqual(refusalOf(answer), [400, 'order_not_modifiable'])
  })

  test('can be changed only by the team of the order', async () => {
    assert.deepEqual(refusalOf(await patch(UNKNOWN, { activate_by: null })), [
      404,
      'order_not_found',
    ])
  })

  test('does not set back the time of the order when updates arrive late', async () => {
    const { id } = await scheduled()
    const then = fixture.harness.clock.now()
    fixture.harness.clock.advance(3600)
    const { updated_at } = (await patch(id, { activate_by: TOMORROW })).body.order
    const accepted = { kind: 'requisition_accepted', sampleId: null } as const
    await fixture.update(id, accepted, then)
    assert.equal((await fixture.read(id)).updated_at, updated_at)
  })
})

describe('a draw on site', () => {
  const draw = (orderId: string) =>
    fixture.harness.call('PATCH', `/v3/order/${orderId}/draw_completed`)

  for (const before of ['requisition_created', 'requisition_bypassed'] as LowLevelStatus[]) {
    test(`is reported after ${before}`, async () => {
      const { id } = await fixture.place('on_site_collection')
      await fixture.transition(id, before)
      const { status, body } = await draw(id)
      assert.equal(status, 200)
      assert.equal(
        body.order.last_event.status,
        'sample_with_lab.on_site_collection.draw_completed',
      )
      assert.equal((await fixture.row(id)).collected_on, TODAY)
      const { lab_test: labTest } = body.order
      assert.equal(body.order.expected_result_by_date === null, labTest.common_tat_days === null)
      assert.deepEqual((await fixture.messages(id)).at(-1)?.data, body.order)
      const again = await draw(id)
      assert.deepEqual(refusalOf(again), [400, 'transition_not_allowed'])
      assert.deepEqual(again.body.detail.from, 'draw_completed')
      const message = 'An order that is draw_completed cannot become draw_completed.'
      assert.equal(again.body.detail.error_message, message)
    })
  }

  test('needs a requisition, and an order that has not ended', async () => {
    const { id } = await fixture.place('on_site_collection')
    const answer = await draw(id)
    assert.deepEqual(refusalOf(answer), [400, 'transition_not_allowed'])
    const { from, to, allowed } = answer.body.detail
    assert.deepEqual([from, to], ['ordered', 'draw_completed'])
    assert.ok(allowed.includes('requisition_created'))
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    await fixture.transition(id, 'cancelled')
    assert.deepEqual(refusalOf(await draw(id)), [400, 'transition_not_allowed'])
  })

  test('applies to orders with on-site collection', async () => {
    for (const method of ['walk_in_test', 'at_home_phlebotomy', 'testkit'] as const) {
      const { id } = await fixture.place(method)
      assert.deepEqual(refusalOf(await draw(id)), [400, 'wrong_collection_method'])
    }
    assert.deepEqual(refusalOf(await draw(UNKNOWN)), [404, 'order_not_found'])
  })

  test('is recorded once for concurrent requests', async () => {
    const { id } = await fixture.place('on_site_collection')
    await fixture.transition(id, 'requisition_created')
    const statuses = (await Promise.all([draw(id), draw(id)])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 400])
    assert.equal((await fixture.read(id)).events.length, 3)
  })
})

describe('text messages to the patient', () => {
  const url = (orderId: string) => `/v3/order/${orderId}/communication_settings`
  const read = async (orderId: string) => (await fixture.harness.call('GET', url(orderId))).body
  const change = (orderId: string, body: object) =>
    fixture.harness.call('PATCH', url(orderId), body)

  test('are off until an order enables them, independent of the team', async () => {
    const { id } = await fixture.place()
    await changeSettings(fixture.harness, { lab_tests_patient_sms_communication_enabled: true })
    assert.deepEqual(await read(id), { order_id: id, sms_enabled: false })
    const { status, body } = await change(id, { sms_enabled: true })
    assert.deepEqual([status, body], [200, { order_id: id, sms_enabled: true }])
    assert.deepEqual(await read(id), body)
    const other = await fixture.place()
    assert.equal((await read(other.id)).sms_enabled, false)
  })

  test('are changed only by the team of the order', async () => {
    const { id } = await fixture.place()
    for (const body of [{}, { sms_enabled: null }, { sms_enabled: 'yes' }]) {
      assert.equal((await change(id, body)).status, 422)
    }
    assert.deepEqual(refusalOf(await change(UNKNOWN, { sms_enabled: true })), [
      404,
      'order_not_found',
    ])
    const missing = await fixture.harness.call('GET', url(UNKNOWN))
    assert.deepEqual(refusalOf(missing), [404, 'order_not_found'])
    const { sandboxKey } = await fixture.harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    const theirs = await fixture.harness.call('GET', url(id), undefined, headers)
    assert.deepEqual(refusalOf(theirs), [404, 'order_not_found'])
  })
})

test('ids are accepted in upper or lower case', async () => {
  const { id, order_transaction: group } = await fixture.place()
  const { call, teamId } = fixture.harness
  const order = await call('GET', `/v3/order/${id.toUpperCase()}`)
  assert.equal(order.body.id, id)
  const transaction = await call('GET', `/v3/order_transaction/${group.id.toUpperCase()}`)
  assert.equal(transaction.body.id, group.id)
  const physicians = await call('GET', `/v2/team/${teamId.toUpperCase()}/physicians`)
  assert.equal(physicians.status, 200)
})
