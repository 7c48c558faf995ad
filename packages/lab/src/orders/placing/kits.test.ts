import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { makeLabAccount } from '../../../../server/test/catalog/catalog-fixture.ts'
import {
  PATIENT_DETAILS,
  registrationBody,
  SHIPPING_DETAILS,
} from '../../../../server/test/orders/order-bodies.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const UNKNOWN = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const PHYSICIAN = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }

const register = (sampleId: string, changes: object = {}, headers: object = {}) =>
  fixture.harness.call(
    'POST',
    '/v3/order/testkit/register',
    registrationBody(sampleId, changes),
    headers,
  )

async function registered(kit: Body, changes: object = {}): Promise<Body> {
  const { status, body, text } = await register(kit.sample_id, changes)
  assert.equal(status, 200, text)
  return body.order
}

const accept = (orderId: string) =>
  fixture.update(orderId, { kind: 'requisition_accepted', sampleId: 'REQ-1' })

describe('a kit without a patient', () => {
  const order = (changes: object) => {
    const what = { lab_test_id: fixture.tests.testkit, shipping_details: SHIPPING_DETAILS }
    const body = { user_id: fixture.userId, ...what, ...changes }
    return fixture.harness.call('POST', '/v3/order/testkit', body)
  }

  test('waits for its registration with its address only', async () => {
    const { status, body } = await order({ passthrough: 'stock 4' })
    assert.equal(status, 200)
    assert.equal(body.status, 'success')
    const kit = body.order
    assert.deepEqual(
      kit.events.map(({ status: shown }: Body) => shown),
      ['received.testkit.ordered', 'received.testkit.awaiting_registration'],
    )
    for (const name of ['patient_details', 'patient_address', 'sample_id', 'physician']) {
      assert.equal(kit[name], null, name)
    }
    assert.deepEqual(kit.shipping_details, { second_line: null, ...SHIPPING_DETAILS })
    assert.equal(kit.passthrough, 'stock 4')
    assert.equal(kit.details.type, 'testkit')
    assert.deepEqual(await fixture.read(kit.id), kit)
    const emitted = await fixture.messages(kit.id)
    assert.deepEqual(
      emitted.map(({ type, data }) => [type, statusesOf(data).at(-1)]),
      [
        ['created', 'ordered'],
        ['updated', 'awaiting_registration'],
      ],
    )
    assert.deepEqual(
      (await fixture.jobs(kit.id)).map(({ task }) => task),
      ['dispatch_order'],
    )
  })

  test('is refused for other methods, and for unknown ids', async () => {
    const cases: [object, number, string][] = [
      [{ lab_test_id: fixture.tests.walk_in_test }, 400, 'not_a_testkit'],
      [{ lab_test_id: UNKNOWN }, 404, 'lab_test_not_found'],
      [{ user_id: UNKNOWN }, 404, 'user_not_found'],
      [{ lab_account_id: UNKNOWN }, 400, 'lab_account_invalid'],
    ]
    for (const [changes, ...expected] of cases) {
      assert.deepEqual(refusalOf(await order(changes)), expected)
    }
    // Of the schema, and of the function that reads the place; order-requests.test.ts has the rest.
    const malformed = [
      { shipping_details: null },
      { shipping_details: { ...SHIPPING_DETAILS, state: 'ZZ' } },
    ]
    for (const changes of malformed) assert.equal((await order(changes)).status, 422)
  })

  test('gets its sample id from the kit vendor once, without an event of its own', async () => {
    const kit = await fixture.orderKit()
    const earlier = (await fixture.messages(kit.id)).length
    await fixture.update(kit.id, { kind: 'kit_dispatched', sampleId: '5550000001' })
    await fixture.update(kit.id, { kind: 'kit_dispatched', sampleId: '5550000002' })
    const { sample_id, events } = await fixture.read(kit.id)
    assert.equal(sample_id, '5550000001')
    assert.equal(events.length, 2)
    assert.equal((await fixture.messages(kit.id)).length, earlier)
  })
})

describe('registering a kit', () => {
  const BEFORE: Record<string, ('in_transit' | 'out_for_delivery' | 'delivered')[]> = {
    'before it is shipped': [],
    'on its way': ['in_transit'],
    'out for delivery': ['in_transit', 'out_for_delivery'],
    delivered: ['in_transit', 'out_for_delivery', 'delivered'],
  }
  for (const [when, scans] of Object.entries(BEFORE)) {
    test(`works ${when}`, async () => {
      const kit = await fixture.sendKit(...scans)
      const order = await registered(kit)
      assert.equal(order.last_event.status, 'received.testkit.registered')
      assert.equal(order.status, 'received')
      assert.equal(order.events.length, kit.events.length + 1)
      assert.equal(order.patient_details.last_name, 'Moreau')
      assert.equal(order.patient_address.city, 'Phoenix')
      assert.deepEqual(order.shipping_details, kit.shipping_details)
      assert.deepEqual(order.details.data.shipment, kit.details.data.shipment)
      assert.equal(order.sample_id, kit.sample_id)
      // The kit keeps its number, whatever the sample id of the requisition is.
      await accept(kit.id)
      const accepted = await fixture.read(kit.id)
      assert.deepEqual(statusesOf(accepted).slice(-2), ['registered', 'requisition_created'])
      assert.equal(accepted.sample_id, kit.sample_id)
    })
  }

  test('dispatches the kit again, to the laboratory', async () => {
    const kit = await fixture.sendKit('in_transit')
    await registered(kit)
    assert.equal((await fixture.row(kit.id)).dispatched_at, null)
    assert.equal((await fixture.jobs(kit.id)).length, 2)
  })

  test('keeps the user, or moves the order to another one of the team', async () => {
    const kept = await fixture.sendKit()
    assert.equal((await registered(kept, { user_id: null })).user_id, fixture.userId)
    const patientId = await fixture.harness.makeUser()
    const kit = await fixture.sendKit()
    const order = await registered(kit, { user_id: patientId.toUpperCase() })
    assert.equal(order.user_id, patientId)
    await accept(kit.id)
    const users = (await fixture.messages(kit.id)).map(({ data, userId }) => {
      assert.equal(data.user_id, userId)
      return [statusesOf(data).at(-1), userId]
    })
    assert.deepEqual(users, [
      ['ordered', fixture.userId],
      ['awaiting_registration', fixture.userId],
      ['registered', patientId],
      ['requisition_created', patientId],
    ])
    const url = `/v3/orders?user_id=${fixture.userId}&order_ids=${kit.id}`
    assert.equal((await fixture.harness.call('GET', url)).body.total, 0)
  })

  test('is refused for a user of another team', async () => {
    const { sandboxKey } = await fixture.harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    const { body } = await fixture.harness.call(
      'POST',
      '/v2/user',
      { client_user_id: 'y' },
      headers,
    )
    const kit = await fixture.sendKit()
    const theirs = await register(kit.sample_id, { user_id: body.user_id })
    assert.deepEqual(refusalOf(theirs), [404, 'user_not_found'])
    assert.deepEqual(refusalOf(await register(kit.sample_id, {}, headers)), [404, 'kit_not_found'])
    assert.equal((await fixture.read(kit.id)).patient_details, null)
  })

  test('is refused for the id of no waiting kit', async () => {
    assert.deepEqual(refusalOf(await register('0000000000')), [404, 'kit_not_found'])
    const known = await fixture.place('testkit')
    await fixture.update(known.id, { kind: 'requisition_accepted', sampleId: '5550000003' })
    assert.deepEqual(refusalOf(await register('5550000003')), [404, 'kit_not_found'])
  })

  test('works once', async () => {
    const kit = await fixture.sendKit('in_transit')
    const answers = await Promise.all([1, 2, 3].map(() => register(kit.sample_id)))
    const codes = answers.map((answer) => (answer.status === 200 ? 'ok' : refusalOf(answer)[1]))
    assert.deepEqual(codes.toSorted(), ['already_registered', 'already_registered', 'ok'])
    await accept(kit.id)
    assert.deepEqual(refusalOf(await register(kit.sample_id)), [400, 'already_registered'])
  })

  const ENDS: LowLevelStatus[][] = [
    ['cancelled'],
    ['transit_customer', 'lost'],
    ['transit_customer', 'failure_to_deliver_to_customer'],
    ['transit_customer', 'with_customer', 'do_not_process'],
  ]
  for (const walk of ENDS) {
    test(`is refused when the order is ${walk.at(-1)}`, async () => {
      const kit = await fixture.sendKit()
      await fixture.walk(kit.id, ...walk)
      assert.deepEqual(refusalOf(await register(kit.sample_id)), [400, 'kit_not_registrable'])
    })
  }

  test('finds the waiting kit when two laboratories use one id', async () => {
    const [first, second] = [await fixture.sendKit(), await fixture.orderKit()]
    const { db, pool } = fixture.harness.database
    const { id: labId } = await db
      .selectFrom('labs')
      .select('id')
      .where('slug', '=', 'mtl')
      .executeTakeFirstOrThrow()
    await pool.query('update orders set lab_id = $1 where id = $2', [labId, second.id])
    await fixture.update(second.id, { kind: 'kit_dispatched', sampleId: first.sample_id })
    const one = await registered(first)
    const other = await registered(first)
    assert.deepEqual([one.id, other.id].toSorted(), [first.id, second.id].toSorted())
  })
})

describe('the physician of a registered kit', () => {
  test('belongs to the network, with the consents of the patient', async () => {
    const kit = await fixture.sendKit()
    const incomplete = [{ consentType: 'terms-of-use' }, { consentType: 'hipaa-authorization' }]
    for (const consents of [undefined, [], incomplete]) {
      const lacking = await register(kit.sample_id, { consents })
      assert.deepEqual(refusalOf(lacking), [400, 'consents_required'])
    }
    const order = await registered(kit)
    assert.ok(order.physician.npi)
    const { consents } = await fixture.row(kit.id)
    assert.deepEqual(
      consents.map(({ version }) => version),
      ['1.0', '1.0', '1.0'],
    )
  })

  test("may be the customer's own, who requires no consents", async () => {
    const kit = await fixture.sendKit()
    const order = await registered(kit, { physician: PHYSICIAN, consents: undefined })
    assert.deepEqual(order.physician, PHYSICIAN)
    const { body } = await fixture.harness.call(
      'GET',
      `/v2/team/${fixture.harness.teamId}/physicians`,
    )
    assert.deepEqual(body, [PHYSICIAN])
  })

  test('is named by the customer when the account is delegated', async () => {
    const { db } = fixture.harness.database
    const { lab_id: labId } = await fixture.row((await fixture.orderKit()).id)
    const account = { delegated_flow: 'order_delegated' } as const
    const lab_account_id = await makeLabAccount(db, labId, {
      ...account,
      organization_id: fixture.harness.organizationId,
      team_id_allowlist: [fixture.harness.teamId],
    })
    const kit = await fixture.orderKit({ lab_account_id })
    await fixture.update(kit.id, { kind: 'kit_dispatched', sampleId: '5550000004' })
    assert.deepEqual(refusalOf(await register('5550000004')), [400, 'physician_required'])
    assert.equal((await register('5550000004', { physician: PHYSICIAN })).status, 200)
    await db
      .updateTable('lab_accounts')
      .set({ team_id_allowlist: [] })
      .where('id', '=', lab_account_id)
      .execute()
  })

  test('is refused for minors, and for invalid people', async () => {
    const kit = await fixture.sendKit()
    const minor = { patient_details: { ...PATIENT_DETAILS, dob: '2015-06-01' } }
    assert.deepEqual(refusalOf(await register(kit.sample_id, minor)), [400, 'minor_not_allowed'])
    const accent = { patient_details: { ...PATIENT_DETAILS, first_name: 'Zoë' } }
    assert.equal((await register(kit.sample_id, accent)).status, 422)
    assert.equal(
      (await fixture.read(kit.id)).last_event.status,
      'received.testkit.awaiting_registration',
    )
  })
})
