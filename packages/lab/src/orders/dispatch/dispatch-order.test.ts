import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { makeLabAccount } from '../../../../server/test/catalog/catalog-fixture.ts'
import {
  createFakeGateway,
  dispatchBy,
  endPauses,
  type FakeGateway,
  runJobs,
} from '../../../../server/test/orders/fake-gateway.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { dispatchOrder } from './dispatch-order.service.ts'
import { mergeClinicalNotes } from './requisition.service.ts'

const fixture = useFixture(createOrdersFixture)
let gateway: FakeGateway

beforeEach(async () => {
  gateway = createFakeGateway()
  await fixture.harness.database.pool.query('delete from graphile_worker._private_jobs')
})

const accepting = (sampleId: string | null) => async () => ({
  state: 'accepted' as const,
  sampleId,
})
const jobOf = (orderId: string) => ({
  environmentId: fixture.context.environment.id,
  orderId,
})
const FIRST = { isLast: false }
const dispatch = (orderId: string) => {
  const { secrets } = fixture.harness
  return dispatchOrder(fixture.context, { ...dispatchBy(gateway), secrets }, orderId, FIRST)
}
const work = () => runJobs(fixture, dispatchBy(gateway))
const cancel = (orderId: string) => fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
const tasks = async (orderId: string) => (await fixture.jobs(orderId)).map(({ task }) => task)

describe('a dispatched order', () => {
  test('has a requisition when the laboratory accepts it', async () => {
    gateway.answer = accepting('REQ-1')
    const { id } = await fixture.place()
    await work()
    const order = await fixture.read(id)
    assert.deepEqual(statusesOf(order), ['ordered', 'requisition_created'])
    assert.equal(order.sample_id, 'REQ-1')
    assert.deepEqual((await fixture.messages(id)).at(-1)?.data, order)
    assert.deepEqual(await tasks(id), ['rematch_results'])
    const row = await fixture.row(id)
    assert.deepEqual(row.requisition_at, row.dispatched_at)
  })

  test('keeps its status while the laboratory waits, and is not dispatched again', async () => {
    const { id } = await fixture.place()
    await work()
    await dispatch(id)
    assert.equal(gateway.placed.length, 1)
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.ok((await fixture.row(id)).dispatched_at)
    await fixture.update(id, { kind: 'requisition_accepted', sampleId: 'REQ-2' })
    assert.equal((await fixture.read(id)).sample_id, 'REQ-2')
  })

  test('is sent to the laboratory with its patient and tests', async () => {
    const physician = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }
    const order = await fixture.place('walk_in_test', {
      physician,
      priority: true,
      icd_codes: ['I10'],
    })
    await work()
    const [requisition] = gateway.placed
    assert.equal(requisition?.orderId, order.id)
    assert.equal(requisition?.priority, true)
    assert.equal(requisition?.accountId, '1234567890')
    assert.deepEqual(requisition?.physician, physician)
    assert.deepEqual(requisition?.icdCodes, ['I10'])
    assert.deepEqual(requisition?.address, order.patient_address)
    const { first_name, last_name, dob, phone_number } = requisition?.patient ?? {}
    assert.deepEqual(
      [first_name, last_name, dob, phone_number],
      ['Ada', 'Moreau', '1990-04-12', '+15550100199'],
    )
    const { marker_ids: ids } = await fixture.row(order.id)
    assert.deepEqual(
      requisition?.tests.map(({ marker_id }) => marker_id),
      ids,
    )
    assert.ok(requisition?.tests.every(({ expected_results }) => expected_results.length > 0))
  })

  test('is dispatched twice as a kit: first to its address, then with its patient', async () => {
    gateway.answer = accepting('6660000001')
    const kit = await fixture.orderKit()
    await work()
    assert.deepEqual(statusesOf(await fixture.read(kit.id)), ['ordered', 'awaiting_registration'])
    assert.equal(gateway.placed[0]?.patient, null)
    assert.equal(gateway.placed[0]?.address?.receiver_name, 'Front desk')
    const { sample_id } = await fixture.read(kit.id)
    assert.equal(sample_id, '6660000001')
    await fixture.register({ sample_id })
    await work()
    assert.equal(gateway.placed.length, 2)
    assert.equal(gateway.placed[1]?.patient?.last_name, 'Moreau')
    assert.equal(gateway.placed[1]?.address?.receiver_name, 'Ada Moreau')
    assert.equal(gateway.placed[1]?.sampleId, sample_id)
    assert.deepEqual(statusesOf(await fixture.read(kit.id)).slice(-2), [
      'registered',
      'requisition_created',
    ])
  })
})

describe('a laboratory that cannot be reached', () => {
  test('is called again, and the order keeps its status until then', async () => {
    fixture.harness.errors.expect('(dispatch_order,')
    gateway.answer = async () => {
      throw new Error('The line is dead.')
    }
    const { id } = await fixture.place()
    await work()
    const [job] = await fixture.jobs(id)
    assert.deepEqual([job?.task, job?.attempts], ['dispatch_order', 1])
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.equal((await fixture.row(id)).dispatched_at, null)
    assert.equal((await fixture.messages(id)).length, 1)
    await endPauses(fixture)
    await work()
    assert.equal((await fixture.jobs(id))[0]?.attempts, 2)
    gateway.answer = accepting('REQ-3')
    await endPauses(fixture)
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
    assert.equal(gateway.placed.length, 3)
  })

  test('is called for about a day', async () => {
    const { id } = await fixture.place()
    const { rows } = await fixture.harness.database.pool.query(
      `select max_attempts from graphile_worker._private_jobs where payload ->> 'orderId' = $1`,
      [id],
    )
    const pauses = Array.from({ length: rows[0].max_attempts - 1 }, (_, n) =>
      Math.exp(Math.min(10, n + 1)),
    )
    const hours = pauses.reduce((sum, seconds) => sum + seconds, 0) / 3600
    assert.ok(hours > 12 && hours < 36, `${hours} hours`)
  })
})

describe('an order that is cancelled', () => {
  test('before its dispatch is not sent to the laboratory', async () => {
    const { id } = await fixture.place()
    await cancel(id)
    await work()
    assert.deepEqual([gateway.placed, gateway.cancelled], [[], []])
  })

  test('after its dispatch is cancelled at the laboratory, by the sample id that it gave', async () => {
    gateway.answer = accepting('REQ-4')
    const { id } = await fixture.place()
    await work()
    await cancel(id)
    await work()
    assert.deepEqual(gateway.cancelled, [{ ...jobOf(id), sampleId: 'REQ-4' }])
  })

  test('while the laboratory waits is cancelled there, too', async () => {
    const { id } = await fixture.place()
    await work()
    await cancel(id)
    await work()
    assert.deepEqual(gateway.cancelled, [{ ...jobOf(id), sampleId: null }])
  })

  test('during its dispatch is cancelled there, even if that fails at first', async () => {
    fixture.harness.errors.expect('(cancel_order_at_lab,')
    const { id } = await fixture.place()
    gateway.answer = async () => {
      assert.equal((await cancel(id)).status, 200)
      return { state: 'accepted', sampleId: 'REQ-5' }
    }
    gateway.onCancel = async () => {
      throw new Error('The line is dead.')
    }
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'cancelled'])
    assert.deepEqual(await tasks(id), ['cancel_order_at_lab'])
    gateway.onCancel = async () => ({ state: 'cancelled' })
    await endPauses(fixture)
    await work()
    assert.deepEqual(gateway.cancelled, [{ ...jobOf(id), sampleId: 'REQ-5' }])
    assert.deepEqual(await fixture.jobs(id), [])
  })

  test('because its person was erased in the meantime is cancelled there', async () => {
    const user_id = await fixture.harness.makeUser()
    const { id } = await fixture.place('walk_in_test', { user_id })
    gateway.answer = async () => {
      await fixture.harness.database.pool.query('delete from users where id = $1', [user_id])
      return { state: 'waiting' }
    }
    await work()
    assert.deepEqual(gateway.cancelled, [{ ...jobOf(id), sampleId: null }])
  })
})

describe('an order that is dispatched by two processes', () => {
  test('is accepted once and never cancelled', async () => {
    gateway.answer = accepting('REQ-6')
    const { id } = await fixture.place()
    await Promise.all([dispatch(id), dispatch(id), dispatch(id)])
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
    assert.deepEqual(gateway.cancelled, [])
    assert.deepEqual((await tasks(id)).sort(), ['dispatch_order', 'rematch_results'])
  })

  test('stays unchanged when the laboratory accepted it in the meantime', async () => {
    const { id } = await fixture.place()
    gateway.answer = async () => {
      await fixture.update(id, { kind: 'requisition_accepted', sampleId: 'REQ-7' })
      return { state: 'accepted', sampleId: 'REQ-8' }
    }
    await work()
    const order = await fixture.read(id)
    assert.deepEqual(statusesOf(order), ['ordered', 'requisition_created'])
    assert.equal(order.sample_id, 'REQ-7')
    assert.deepEqual(gateway.cancelled, [])
  })

  test('is dispatched with the patient of a kit that was registered in the meantime', async () => {
    const kit = await fixture.sendKit()
    gateway.answer = async ({ patient }) => {
      if (patient === null) await fixture.register(kit)
      return { state: 'accepted', sampleId: null }
    }
    await work()
    assert.deepEqual(
      gateway.placed.map(({ patient }) => patient?.last_name),
      [undefined, 'Moreau'],
    )
    const statuses = statusesOf(await fixture.read(kit.id))
    assert.deepEqual(statuses.slice(-2), ['registered', 'requisition_created'])
  })
})

describe('clinical notes', () => {
  const CASES: [string, string | null, string | null, string | null][] = [
    ['quest', 'of the order', 'of the account', 'of the order\nof the account'],
    ['sonora_quest', 'of the order', null, 'of the order'],
    ['labcorp', null, 'of the account', 'of the account'],
    ['bioreference', '', null, null],
    ['quest', null, null, null],
    ['crl', 'of the order', 'of the account', null],
    ['manual', null, 'of the account', null],
  ]
  for (const [lab, ofOrder, ofAccount, merged] of CASES) {
    test(`of ${ofOrder ? 'the order' : 'no order'} and ${ofAccount ?? 'no account'} for ${lab}`, () => {
      assert.equal(mergeClinicalNotes(lab, ofOrder, ofAccount), merged)
    })
  }

  test('are sent to the laboratory as the order and its account have them', async () => {
    const { db } = fixture.harness.database
    const { lab_id } = await fixture.row((await fixture.place()).id)
    const lab_account_id = await makeLabAccount(db, lab_id, {
      default_clinical_notes: 'Call first',
    })
    const notes = { lab_account_id, clinical_notes: 'Fragile\nveins' }
    const order = await fixture.place('walk_in_test', notes)
    await dispatch(order.id)
    assert.equal(gateway.placed.at(-1)?.clinicalNotes, 'Fragile\nveins\nCall first')
    assert.equal(order.clinical_notes, 'Fragile\nveins')
  })
})
