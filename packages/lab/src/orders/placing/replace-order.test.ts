import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  makeLabAccount,
  makeMarker,
  question,
} from '../../../../server/test/catalog/catalog-fixture.ts'
import { PATIENT_ADDRESS, PATIENT_DETAILS } from '../../../../server/test/orders/order-bodies.ts'
import {
  type Body,
  createOrdersFixture,
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

const PHYSICIAN = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }
const FILLED_IN = {
  physician: { ...PHYSICIAN, licensed_states: ['AZ'] },
  priority: true,
  billing_type: 'patient_bill',
  icd_codes: ['E11.9', 'I10'],
  consents: [
    { consentType: 'privacy-policy', version: '2', timeOfConsent: '2026-02-28T08:00:00Z' },
  ],
  passthrough: 'case 7',
  clinical_notes: 'fragile veins',
  notes: 'second floor',
  creator_member_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  activate_by: '2999-01-01',
  patient_details: { ...PATIENT_DETAILS, race: 'asian', household_size: 3 },
}

describe('the replacement of an order', () => {
  test('copies every field that is left out', async () => {
    const old = await fixture.place('walk_in_test', FILLED_IN)
    const order = await replaced(old.id)
    const same: string[] = []
    const own = ['id', 'events', 'last_event', 'created_at', 'updated_at', 'details', 'origin']
    for (const [name, value] of Object.entries(old)) {
      if (own.includes(name) || name === 'order_transaction') continue
      assert.deepEqual(order[name], value, name)
      same.push(name)
    }
    assert.ok(same.includes('patient_address') && same.includes('activate_by'))
    assert.equal(order.details.type, 'walk_in_test')
    const [before, now] = [await fixture.row(old.id), await fixture.row(order.id)]
    for (const name of [
      'patient_details',
      'consents',
      'creator_member_id',
      'lab_account_id',
      'lab_test_id',
      'marker_ids',
      'is_scheduled',
      'physician',
    ] as const) {
      assert.deepEqual(now[name], before[name], name)
    }
    assert.equal(now.update_reason, 'OTHER')
  })

  test('uses the given fields instead', async () => {
    const old = await fixture.place('walk_in_test', FILLED_IN)
    const anotherUser = await fixture.harness.makeUser()
    const given = {
      user_id: anotherUser,
      patient_details: { ...PATIENT_DETAILS, last_name: 'Curie' },
      patient_address: { ...PATIENT_ADDRESS, first_line: '9 Elm St' },
      priority: false,
      icd_codes: ['Z00.0'],
      passthrough: null,
      clinical_notes: 'none',
      physician: null,
      activate_by: null,
      billing_type: 'client_bill',
    }
    const order = await replaced(old.id, given)
    assert.equal(order.user_id, anotherUser)
    assert.equal(order.patient_details.last_name, 'Curie')
    assert.equal(order.patient_details.race, null)
    assert.equal(order.patient_address.first_line, '9 Elm St')
    for (const name of ['priority', 'icd_codes', 'passthrough', 'clinical_notes', 'activate_by']) {
      assert.deepEqual(order[name], given[name as keyof typeof given], name)
    }
    assert.notEqual(order.physician.npi, PHYSICIAN.npi)
    assert.equal(order.has_abn, false)
    assert.equal(order.notes, 'second floor')
  })

  test('orders another test when one is named, by its own method', async () => {
    const old = await fixture.place('walk_in_test')
    const order_set = { lab_test_ids: [fixture.tests.on_site_collection] }
    const order = await replaced(old.id, {
      order_set,
      lab_account_id: null,
      update_reason: 'INCORRECT_LAB',
    })
    assert.equal(order.lab_test.id, fixture.tests.on_site_collection)
    assert.equal(order.details.type, 'on_site_collection')
  })

  test('keeps a future day, not a past one', async () => {
    const today = '2026-03-01'
    const scheduled = await fixture.place('walk_in_test', { activate_by: today })
    assert.equal((await replaced(scheduled.id)).activate_by, today)
    const { pool } = fixture.harness.database
    const past = await fixture.place('walk_in_test', { activate_by: today })
    await pool.query("update orders set activate_by = '2026-02-01' where id = $1", [past.id])
    assert.equal((await replaced(past.id)).activate_by, null)
  })

  test('belongs to the same transaction and names what it replaces', async () => {
    const old = await fixture.place()
    const order = await replaced(old.id)
    assert.equal(order.origin, 'recreation')
    assert.equal(order.order_transaction.id, old.order_transaction.id)
    assert.deepEqual(
      order.order_transaction.orders.map(({ id, origin, parent_id, low_level_status }: Body) => ({
        id,
        origin,
        parent_id,
        low_level_status,
      })),
      [
        { id: old.id, origin: 'initial', parent_id: null, low_level_status: 'cancelled' },
        { id: order.id, origin: 'recreation', parent_id: old.id, low_level_status: 'ordered' },
      ],
    )
    assert.equal(order.order_transaction.status, 'active')
    const url = `/v3/order_transaction/${order.order_transaction.id}`
    assert.equal((await fixture.harness.call('GET', url)).body.status, 'active')
    assert.deepEqual(await fixture.read(order.id), order)
    assert.deepEqual(
      (await fixture.jobs(order.id)).map(({ task }) => task),
      ['dispatch_order'],
    )
  })

  test('may itself be replaced', async () => {
    const old = await fixture.place()
    const second = await replaced(old.id)
    const third = await replaced(second.id)
    const { orders } = third.order_transaction
    assert.deepEqual(
      orders.map(({ parent_id }: Body) => parent_id),
      [null, old.id, second.id],
    )
  })

  test('emits its creation and the cancellation of the old order, with the current transaction', async () => {
    const old = await fixture.place()
    const order = await replaced(old.id)
    const ofNew = await fixture.messages(order.id)
    assert.deepEqual(
      ofNew.map(({ type }) => type),
      ['created'],
    )
    const ofOld = await fixture.messages(old.id)
    assert.deepEqual(
      ofOld.map(({ type }) => type),
      ['created', 'updated'],
    )
    assert.deepEqual(statusesOf(ofOld[1]?.data), ['ordered', 'cancelled'])
    // No event reports the end of a transaction that continues.
    for (const { data } of [...ofNew, ...ofOld]) {
      assert.equal(data.order_transaction.status, 'active')
    }
  })
})

describe('the lab account of a replacement', () => {
  const accountOf = async ({ id }: { id: string }) => (await fixture.row(id)).lab_account_id

  test('is that of the old order, unless the laboratory was wrong', async () => {
    const { context, harness } = fixture
    const { db } = harness.database
    const old = await fixture.place()
    const platform = await accountOf(old)
    const { lab_id } = await fixture.row(old.id)
    const owner = {
      organization_id: harness.organizationId,
      team_id_allowlist: [context.environment.teamId],
    }
    const ours = await makeLabAccount(db, lab_id, owner)
    assert.equal(await accountOf(await replaced(old.id)), platform)

    const wrong = await fixture.place('walk_in_test', { lab_account_id: platform })
    const fresh = await replaced(wrong.id, { update_reason: 'INCORRECT_LAB' })
    assert.equal(await accountOf(fresh), ours)
    const named = { update_reason: 'INCORRECT_LAB', lab_account_id: platform }
    assert.equal(await accountOf(await replaced(fresh.id, named)), platform)
    const kept = await fixture.place()
    const chosen = await replaced(kept.id, { lab_account_id: platform })
    assert.equal(await accountOf(chosen), platform)
    const set = { lab_test_ids: [fixture.tests.walk_in_test], lab_account_id: ours }
    assert.equal(await accountOf(await replaced(chosen.id, { order_set: set })), ours)
    await db
      .updateTable('lab_accounts')
      .set({ team_id_allowlist: [] })
      .where('id', '=', ours)
      .execute()
  })
})

test('answers to order-entry questions are kept for the markers that are ordered again', async () => {
  const { db } = fixture.harness.database
  const { lab_id: labId } = await fixture.row((await fixture.place()).id)
  const answers = [
    { id: 1, code: 'Y', value: 'Yes' },
    { id: 2, code: 'N', value: 'No' },
  ]
  const fasting = question({ id: 11, code: 'FSTING', type: 'choice', answers })
  const free = question({ id: 12, required: false })
  const asking = await makeMarker(db, labId, { name: 'Asking', questions: [fasting, free] })
  const silent = await makeMarker(db, labId, { name: 'Silent' })
  const given = { marker_id: asking, question_id: 12, answer: 'left arm' }
  const fasted = { marker_id: asking, question_id: 11, answer: 'Y' }
  const set = (...marker_ids: number[]) => ({ order_set: { add_on: { marker_ids } } })
  const old = await fixture.place('walk_in_test', {
    ...set(asking),
    collection_method: 'on_site_collection',
    aoe_answers: [fasted, given],
  })
  const answersOf = async ({ id }: Body) => (await fixture.row(id)).aoe_answers

  const same = await replaced(old.id)
  assert.deepEqual(await answersOf(same), [fasted, given])
  const more = await replaced(same.id, set(silent, asking))
  assert.equal(more.details.type, 'on_site_collection')
  // Fasting depends on the lab tests that were ordered.
  assert.deepEqual(await answersOf(more), [{ ...fasted, answer: 'N' }, given])
  const other = await replaced(more.id, set(silent))
  assert.deepEqual(await answersOf(other), [])
  const none = await replaced(other.id, { ...set(asking), aoe_answers: null })
  assert.deepEqual(await answersOf(none), [{ ...fasted, answer: 'N' }])
})
