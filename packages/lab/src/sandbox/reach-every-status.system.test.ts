import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type LowLevelStatus,
  MACHINES,
  orderStatus,
  STATUS_DETAILS,
} from '@salus/contracts/order-lifecycle'
import { createHarness } from '../../../server/test/harness.ts'
import {
  type Method,
  orderBody,
  PATIENT_ADDRESS,
  PATIENT_DETAILS,
  SHIPPING_DETAILS,
  startingLabTests,
} from '../../../server/test/orders/order-bodies.ts'
import { changeSettings } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Every documented status can be reached through the public interface alone. */

const harness = useFixture(createHarness)
let userId: string
let tests: Record<Method, string>

before(async () => {
  userId = await harness.makeUser()
  tests = await startingLabTests(harness)
  await changeSettings(harness, { redraws_enabled: true })
})

async function call(method: string, url: string, body?: unknown) {
  const answer = await harness.call(method, url, body)
  assert.equal(answer.status, 200, `${method} ${url}: ${answer.text}`)
  return answer.body
}

const place = async (method: Method) =>
  (await call('POST', '/v3/order', orderBody(userId, tests[method]))).order

/** Simulates an order to a status; advancing the clock runs the planned steps. */
async function simulate(orderId: string, status: string, body?: object) {
  await call('POST', `/v3/order/${orderId}/test?final_status=${status}`, body)
  await call('POST', '/v3/sandbox/advance', { seconds: 1 })
  return call('GET', `/v3/order/${orderId}`)
}

const imported = async (method: Method) => {
  const body = {
    ...orderBody(userId, tests[method]),
    billing_type: 'client_bill',
    collection_method: method,
    sample_id: `IMPORTED-${method}`,
  }
  return (await call('POST', '/v3/order/import', body)).order
}

const orderKit = async () => {
  const body = { user_id: userId, lab_test_id: tests.testkit, shipping_details: SHIPPING_DETAILS }
  return (await call('POST', '/v3/order/testkit', body)).order
}

const registerKit = async () => {
  const { id } = await orderKit()
  const { sample_id } = await simulate(id, 'collecting_sample.testkit.with_customer')
  const types = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent']
  return (
    await call('POST', '/v3/order/testkit/register', {
      sample_id,
      patient_details: PATIENT_DETAILS,
      patient_address: PATIENT_ADDRESS,
      consents: types.map((consentType) => ({ consentType })),
    })
  ).order
}

/** Paths to statuses that simulations cannot reach. */
const OTHER_WAYS: Record<string, () => Promise<{ last_event: { status: string } }>> = {
  'received.walk_in_test.requisition_bypassed': () => imported('walk_in_test'),
  'received.at_home_phlebotomy.requisition_bypassed': () => imported('at_home_phlebotomy'),
  'received.on_site_collection.requisition_bypassed': () => imported('on_site_collection'),
  'received.testkit.requisition_bypassed': () => imported('testkit'),
  'received.testkit.awaiting_registration': orderKit,
  'received.testkit.registered': registerKit,
}

for (const method of Object.keys(MACHINES) as Method[]) {
  describe(method, () => {
    for (const status of Object.keys(MACHINES[method].groups) as LowLevelStatus[]) {
      const dotted = orderStatus(method, status)
      test(`reaches ${dotted}`, async () => {
        if (OTHER_WAYS[dotted]) {
          assert.equal((await OTHER_WAYS[dotted]()).last_event.status, dotted)
          return
        }
        const { id } = await place(method)
        if (status === 'ordered') return
        const order = await simulate(id, dotted)
        assert.equal(order.last_event.status, dotted)
        assertLegal(method, order.events)
      })
    }
  })
}

/** Checks that each event follows the previous one by a transition of the state machine. */
function assertLegal(method: Method, events: { status: string; created_at: string }[]): void {
  const statuses = events.map(({ status }) => status.split('.')[2])
  const legal = new Set(MACHINES[method].transitions.map(({ from, to }) => `${from} ${to}`))
  for (const [index, from] of statuses.slice(0, -1).entries()) {
    assert.ok(legal.has(`${from} ${statuses[index + 1]}`), `${from} → ${statuses[index + 1]}`)
  }
  const times = events.map((event) => event.created_at)
  assert.deepEqual(times, times.toSorted())
}

describe('every detail of a status', () => {
  for (const detail of STATUS_DETAILS) {
    test(`${detail} is reached`, async () => {
      const ofBlocked = /unspecified|mismatch/.test(detail)
      const status = ofBlocked
        ? 'sample_with_lab.testkit.lab_processing_blocked'
        : detail === 'fulfillment_error'
          ? 'failed.testkit.failure_to_deliver_to_customer'
          : 'failed.testkit.sample_error'
      const { id } = await place('testkit')
      const order = await simulate(id, status, { status_detail: detail })
      assert.deepEqual([order.last_event.status, order.last_event.status_detail], [status, detail])
    })
  }
})

test('every panel that a sandbox starts with can be ordered and gets complete results', async () => {
  const { data } = await call('GET', '/v3/lab_test')
  const panels = data.filter(({ name }: { name: string }) => !name.startsWith('Starter '))
  assert.ok(panels.length >= 12)
  for (const { id: testId, name, markers } of panels) {
    const { id } = (await call('POST', '/v3/order', orderBody(userId, testId))).order
    await call('POST', `/v3/order/${id}/test`)
    await call('POST', '/v3/sandbox/advance', { seconds: 1 })
    const { results, missing_results, metadata } = await call('GET', `/v3/order/${id}/result`)
    assert.ok(results.length >= markers.length, name)
    assert.deepEqual([missing_results, metadata.status], [[], 'final'], name)
    assert.equal(metadata.interpretation, 'normal', name)
  }
})

describe('a redraw', () => {
  test('is a new order of the missing markers, in the transaction of the first', async () => {
    const { id } = await place('walk_in_test')
    const first = await simulate(id, 'collecting_sample.walk_in_test.redraw_available')
    const { orders, status } = first.order_transaction
    assert.equal(status, 'active')
    assert.deepEqual(
      orders.map(({ origin }: { origin: string }) => origin),
      ['initial', 'redraw'],
    )
    assert.equal(orders[1].parent_id, id)
    const { missing_results } = await call('GET', `/v3/order/${id}/result`)
    assert.ok(missing_results.length > 0)
    const done = await simulate(orders[1].id, 'completed.walk_in_test.completed')
    assert.equal(done.order_transaction.status, 'completed')
  })

  test('is not offered to a team without redraws', async () => {
    await changeSettings(harness, { redraws_enabled: false })
    harness.clock.advance(10)
    const { id } = await place('walk_in_test')
    const status = 'collecting_sample.walk_in_test.redraw_available'
    const answer = await harness.call('POST', `/v3/order/${id}/test?final_status=${status}`)
    assert.equal(answer.body.detail.error_type, 'final_status_unreachable')
  })
})

describe('a simulation is refused', () => {
  test('to a status of another method, or an earlier status', async () => {
    const { id } = await place('on_site_collection')
    for (const status of [
      'received.testkit.registered',
      'collecting_sample.testkit.with_customer',
      'received.on_site_collection.requisition_bypassed',
    ]) {
      const answer = await harness.call('POST', `/v3/order/${id}/test?final_status=${status}`)
      assert.equal(answer.body.detail.error_type, 'final_status_unreachable', status)
    }
    await simulate(id, 'cancelled.on_site_collection.cancelled')
    const late = await harness.call('POST', `/v3/order/${id}/test`)
    assert.equal(late.body.detail.error_type, 'final_status_unreachable')
  })

  test('in production', async () => {
    const { productionKey } = await harness.makeTeam()
    const headers = { 'x-service-api-key': productionKey }
    for (const [method, url, body] of [
      ['GET', '/v3/sandbox/clock', undefined],
      ['POST', '/v3/sandbox/advance', { seconds: 1 }],
    ] as const) {
      const { status, body: answer } = await harness.call(method, url, body, headers)
      assert.deepEqual([status, answer.detail.error_type], [403, 'sandbox_only'])
    }
  })
})

test('an unregistered kit waits with the customer', async () => {
  const { id } = await orderKit()
  const order = await simulate(id, 'completed.testkit.completed')
  assert.equal(order.last_event.status, 'collecting_sample.testkit.with_customer')
  assert.match(order.sample_id, /^\d{10}$/)
})
