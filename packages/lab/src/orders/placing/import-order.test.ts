import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeLabAccount } from '../../../../server/test/catalog/catalog-fixture.ts'
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

const importing = (changes: object = {}, headers: object = {}) => {
  const what = { collection_method: 'walk_in_test', billing_type: 'client_bill' }
  const body = orderBody(fixture.userId, fixture.tests.walk_in_test, { ...what, ...changes })
  return fixture.harness.call('POST', '/v3/order/import', body, headers)
}

const refused = async (changes: object) => refusalOf(await importing(changes))

const PHYSICIAN = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }

describe('an imported order', () => {
  test('of every method has two events, each of which is emitted', async () => {
    for (const method of Object.keys(fixture.tests) as (keyof typeof fixture.tests)[]) {
      const sample_id = `events-${method}`
      const order = await fixture.import(sample_id, method)
      assert.deepEqual(
        order.events.map(({ status }: Body) => status),
        [`received.${method}.ordered`, `received.${method}.requisition_bypassed`],
      )
      assert.equal(order.sample_id, sample_id)
      assert.equal(order.order_transaction.status, 'active')
      assert.deepEqual(await fixture.read(order.id), order)
      const emitted = await fixture.messages(order.id)
      assert.deepEqual(
        emitted.map(({ type, data }) => [type, data.events.length]),
        [
          ['created', 1],
          ['updated', 2],
        ],
      )
      assert.deepEqual(emitted.at(-1)?.data, order)
    }
  })

  test('is not dispatched, nor is its cancellation', async () => {
    const order = await fixture.import('alone')
    const answer = await fixture.harness.call('POST', `/v3/order/${order.id}/cancel`)
    assert.equal(answer.status, 200)
    assert.deepEqual(await fixture.jobs(order.id), [])
  })

  test('continues like one with a requisition', async () => {
    const walkIn = await fixture.import('goes-on')
    await fixture.update(walkIn.id, { kind: 'appointment_pending' })
    const kit = await fixture.import('kit-goes-on', 'testkit')
    await fixture.update(kit.id, { kind: 'sample_received' })
    assert.equal(statusesOf(await fixture.read(walkIn.id)).at(-1), 'appointment_pending')
    assert.equal(statusesOf(await fixture.read(kit.id)).at(-1), 'delivered_to_lab')
  })

  test('has no requisition from Salus', async () => {
    const { id } = await fixture.import('no-pdf')
    for (const name of ['requisition/pdf', 'labels/pdf?collection_date=2026-03-01T10:00:00Z']) {
      const answer = await fixture.harness.call('GET', `/v3/order/${id}/${name}`)
      assert.deepEqual(refusalOf(answer), [404, 'document_not_available'])
    }
  })

  test('may have an address to which Salus does not ship', async () => {
    const patient_address = { ...PATIENT_ADDRESS, zip: 'n/a', country: 'Mexico', state: 'az' }
    const order = await fixture.import('loose', 'walk_in_test', { patient_address })
    assert.deepEqual(order.patient_address, patient_address)
  })

  test('is refused where something is missing', async () => {
    assert.equal((await importing({ sample_id: '' })).status, 422)
  })

  test('is checked like a placed order', async () => {
    const unknownId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
    const cases: [object, number, string][] = [
      [{ user_id: unknownId }, 404, 'user_not_found'],
      [{ order_set: { lab_test_ids: [unknownId] } }, 404, 'lab_test_not_found'],
      [{ collection_method: 'testkit' }, 400, 'method_not_supported'],
      [{ billing_type: 'commercial_insurance' }, 400, 'insurance_required'],
      [{ patient_details: { ...PATIENT_DETAILS, dob: '2015-06-01' } }, 400, 'minor_not_allowed'],
      [{ lab_account_id: unknownId }, 400, 'lab_account_invalid'],
    ]
    for (const [changes, ...expected] of cases) {
      assert.deepEqual(await refused({ sample_id: 'checked', ...changes }), expected)
    }
    assert.equal((await importing({ sample_id: 'checked' })).status, 200)
  })
})

test('the physician of an import may lack an NPI', async () => {
  const physician = { ...PHYSICIAN, npi: '' }
  const order = await fixture.import('no-npi', 'walk_in_test', { physician })
  assert.deepEqual(order.physician, physician)
  const { body } = await fixture.harness.call(
    'GET',
    `/v2/team/${fixture.harness.teamId}/physicians`,
  )
  assert.ok(body.every(({ npi }: Body) => npi !== ''))
  const placed = orderBody(fixture.userId, fixture.tests.walk_in_test, { physician })
  assert.equal((await fixture.harness.call('POST', '/v3/order', placed)).status, 422)
})

describe('the sample id of an imported order', () => {
  test('is unique at its laboratory, in all environments', async () => {
    await fixture.import('once')
    assert.deepEqual(await refused({ sample_id: 'once' }), [400, 'sample_id_taken'])
    const other = await fixture.harness.makeTeam()
    const headers = { 'x-service-api-key': other.sandboxKey }
    const { body } = await fixture.harness.call(
      'POST',
      '/v2/user',
      { client_user_id: 'x' },
      headers,
    )
    const tests = await fixture.harness.call('GET', '/v3/lab_test', undefined, headers)
    const walkIn = tests.body.data.find(({ method }: Body) => method === 'walk_in_test')
    const order_set = { lab_test_ids: [walkIn.id] }
    const theirs = { user_id: body.user_id, order_set, sample_id: 'once' }
    assert.deepEqual(refusalOf(await importing(theirs, headers)), [400, 'sample_id_taken'])
    // Another laboratory may use the same ids.
    assert.equal((await fixture.import('once', 'testkit')).sample_id, 'once')
  })

  test('stays free after a refused import, and is used by a cancelled order', async () => {
    const wrong = { sample_id: 'freed', billing_type: 'commercial_insurance' }
    assert.equal((await importing(wrong)).status, 400)
    const order = await fixture.import('freed')
    await fixture.harness.call('POST', `/v3/order/${order.id}/cancel`)
    assert.deepEqual(await refused({ sample_id: 'freed' }), [400, 'sample_id_taken'])
  })

  test('is assigned to one of concurrent imports', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => importing({ sample_id: 'at once' })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual(refusalOf(answer), [400, 'sample_id_taken'])
    }
    const { rows } = await fixture.harness.database.pool.query(
      `select count(*)::int as transactions from order_transactions t
      where not exists (select from orders where transaction_id = t.id)`,
    )
    assert.equal(rows[0].transactions, 0)
  })
})

describe('the account of an imported order', () => {
  let labId: number
  before(async () => {
    labId = (await fixture.row((await fixture.place()).id)).lab_id
  })
  let sample = 0
  const account = (changes: object) => {
    const { harness } = fixture
    const owner = { organization_id: harness.organizationId, team_id_allowlist: [harness.teamId] }
    return makeLabAccount(harness.database.db, labId, { ...owner, ...changes })
  }
  const tryBoth = async (lab_account_id: string, changes: object = {}) => {
    sample += 1
    const imported = await importing({ lab_account_id, sample_id: `account-${sample}`, ...changes })
    const body = orderBody(fixture.userId, fixture.tests.walk_in_test, {
      lab_account_id,
      ...changes,
    })
    const placed = await fixture.harness.call('POST', '/v3/order', body)
    return [imported, placed].map((answer) => (answer.status === 200 ? 'ok' : refusalOf(answer)[1]))
  }

  test('may be one that is not active yet', async () => {
    const no = 'lab_account_invalid'
    assert.deepEqual(await tryBoth(await account({ status: 'active' })), ['ok', 'ok'])
    assert.deepEqual(await tryBoth(await account({ status: 'pending' })), ['ok', no])
    assert.deepEqual(await tryBoth(await account({ status: 'ready_to_launch' })), ['ok', no])
    assert.deepEqual(await tryBoth(await account({ status: 'suspended' })), [no, no])
    assert.deepEqual(await tryBoth(await account({ team_id_allowlist: [] })), [no, no])
  })

  test('decides whether the customer names the physician', async () => {
    for (const delegated_flow of ['order_delegated', 'fully_delegated'] as const) {
      const delegated = await account({ delegated_flow })
      assert.deepEqual(await tryBoth(delegated), ['physician_required', 'physician_required'])
      assert.deepEqual(await tryBoth(delegated, { physician: PHYSICIAN }), ['ok', 'ok'])
    }
    for (const delegated_flow of ['result_delegated', 'not_delegated'] as const) {
      assert.deepEqual(await tryBoth(await account({ delegated_flow })), ['ok', 'ok'])
    }
  })

  test('limits the billing types in the state of the patient', async () => {
    const allowed_billing = JSON.stringify({ client_bill: ['NY'] })
    const elsewhere = await account({ allowed_billing })
    assert.deepEqual(await tryBoth(elsewhere), ['billing_not_allowed', 'billing_not_allowed'])
  })
})
