import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import {
  type Method,
  orderBody,
  startingLabTests,
} from '../../../server/test/orders/order-bodies.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let userId: string
let tests: Record<Method, string>

before(async () => {
  userId = await harness.makeUser()
  tests = await startingLabTests(harness)
})

const get = async (path: string) => (await harness.call('GET', path)).body
const place = async (method: Method, changes: object = {}) =>
  (await harness.call('POST', '/v3/order', orderBody(userId, tests[method], changes))).body.order.id

test('an order lists its possible transitions, and accepts the commands that it lists', async () => {
  const id = await place('walk_in_test', { activate_by: '2099-01-01' })
  const fresh = await get(`/v3/order/${id}/transition`)
  assert.equal(fresh.low_level_status, 'ordered')
  assert.equal(fresh.is_final, false)
  assert.deepEqual(fresh.usual_path, ['ordered', 'requisition_created', 'completed'])
  assert.deepEqual(fresh.can, {
    cancel: true,
    reschedule: true,
    complete_draw: false,
    register_kit: false,
    replace: true,
  })
  const accepted = fresh.transitions.find(({ to }: { to: string }) => to === 'requisition_created')
  assert.equal(accepted.status, 'received.walk_in_test.requisition_created')
  assert.deepEqual(accepted.causes, [
    {
      cause: 'requisition_accepted',
      by: 'update',
      meaning: 'laboratory accepted the requisition',
    },
  ])
  const moved = await harness.call('PATCH', `/v3/order/${id}`, { activate_by: '2099-02-01' })
  assert.equal(moved.status, 200)
  assert.equal((await harness.call('POST', `/v3/order/${id}/cancel`)).status, 200)
  const ended = await get(`/v3/order/${id}/transition`)
  assert.equal(ended.is_final, true)
  assert.deepEqual(ended.transitions, [])
  assert.deepEqual([ended.can.cancel, ended.can.reschedule], [false, false])
})

test('every status that a sandbox offers can be simulated, and no other', async () => {
  for (const method of Object.keys(tests) as Method[]) {
    const { final_statuses: targets } = await get(`/v3/order/${await place(method)}/test`)
    assert.ok(
      targets.some(
        ({ low_level_status }: { low_level_status: string }) => low_level_status === 'completed',
      ),
    )
    for (const { status, low_level_status, path } of targets) {
      assert.equal(path.at(-1), low_level_status)
      const id = await place(method)
      const url = `/v3/order/${id}/test?final_status=${status}&delay=3600`
      const answer = await harness.call('POST', url)
      assert.equal(answer.status, 200, `${status}: ${answer.text}`)
    }
    const id = await place(method)
    const refused = await harness.call(
      'POST',
      `/v3/order/${id}/test?final_status=completed.${method}.corrected&delay=3600`,
    )
    const isOffered = targets.some(
      ({ low_level_status }: { low_level_status: string }) => low_level_status === 'corrected',
    )
    assert.equal(refused.status === 200, isOffered)
  }
})

test('a cancelled order has no possible simulation', async () => {
  const id = await place('on_site_collection')
  await harness.call('POST', `/v3/order/${id}/cancel`)
  assert.deepEqual(await get(`/v3/order/${id}/test`), { final_statuses: [] })
})
