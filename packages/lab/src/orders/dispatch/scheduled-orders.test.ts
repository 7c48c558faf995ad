import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import {
  createFakeGateway,
  dispatchBy,
  endPauses,
  type FakeGateway,
  runJobs,
} from '../../../../server/test/orders/fake-gateway.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { dispatchDueOrders } from '../orders.jobs.ts'

/** Orders that are scheduled for a day. The clock begins at noon of 1 March 2026, UTC. */

const fixture = useFixture(createOrdersFixture)
let gateway: FakeGateway

beforeEach(async () => {
  gateway = createFakeGateway()
  gateway.answer = async () => ({ state: 'accepted', sampleId: null })
  const { pool } = fixture.harness.database
  await pool.query('delete from graphile_worker._private_jobs')
  await pool.query("update orders set last_status = 'cancelled'")
})

/** Returns the date some days from now, UTC. */
const dayIn = (days: number): string =>
  new Date(fixture.harness.clock.now().getTime() + days * DAY_SECONDS * 1000)
    .toISOString()
    .slice(0, 10)

/** Advances the clock to a time of the next day, UTC. */
function sleepUntil(hour: number): void {
  const { clock } = fixture.harness
  const now = clock.now()
  const then = new Date(now)
  then.setUTCHours(24 + hour, 0, 0, 0)
  clock.advance((then.getTime() - now.getTime()) / 1000)
}

/** Runs the schedule once, and the jobs that it adds. */
async function runSchedule(timeZone = 'UTC', using: FakeGateway | undefined = gateway) {
  const dispatch = dispatchBy(using, timeZone)
  await dispatchDueOrders(fixture.context, dispatch)
  await runJobs(fixture, dispatch)
}

const isHandedOver = async (orderId: string) =>
  statusesOf(await fixture.read(orderId)).includes('requisition_created')

const scheduled = (days: number) => fixture.place('walk_in_test', { activate_by: dayIn(days) })

describe('an order for a later day', () => {
  test('waits until it begins', async () => {
    const { id } = await scheduled(2)
    assert.deepEqual(await fixture.jobs(id), [])
    await runSchedule()
    sleepUntil(23)
    await runSchedule()
    assert.equal(await isHandedOver(id), false)
    sleepUntil(0)
    await runSchedule()
    assert.equal(await isHandedOver(id), true)
    assert.equal((await fixture.read(id)).activate_by, dayIn(0))
  })

  test('is dispatched at once when that day is today', async () => {
    const { id } = await scheduled(0)
    await runJobs(fixture, dispatchBy(gateway))
    assert.equal(await isHandedOver(id), true)
  })

  test('is dispatched late when no process ran on its day', async () => {
    const { id } = await scheduled(1)
    fixture.harness.clock.advance(5 * DAY_SECONDS)
    await runSchedule()
    assert.equal(await isHandedOver(id), true)
  })

  test('uses the time zone of the installation', async () => {
    sleepUntil(12)
    const west = await scheduled(1)
    sleepUntil(6)
    await runSchedule('America/Los_Angeles')
    assert.equal(await isHandedOver(west.id), false)
    fixture.harness.clock.advance(2 * 3600)
    await runSchedule('America/Los_Angeles')
    assert.equal(await isHandedOver(west.id), true)

    sleepUntil(9)
    const east = await scheduled(1)
    await runSchedule('Pacific/Kiritimati')
    assert.equal(await isHandedOver(east.id), false)
    fixture.harness.clock.advance(3600)
    await runSchedule('Pacific/Kiritimati')
    assert.equal(await isHandedOver(east.id), true)
  })

  test('of today waits when that day has not begun yet', async () => {
    sleepUntil(3)
    const { id } = await scheduled(0)
    await runSchedule('America/Los_Angeles')
    assert.equal(await isHandedOver(id), false)
    fixture.harness.clock.advance(5 * 3600)
    await runSchedule('America/Los_Angeles')
    assert.equal(await isHandedOver(id), true)
  })

  test('is dispatched on another day after a reschedule, even if it waits in the queue', async () => {
    const { id } = await scheduled(1)
    fixture.harness.clock.advance(DAY_SECONDS)
    await dispatchDueOrders(fixture.context, dispatchBy(gateway))
    assert.equal((await fixture.jobs(id)).length, 1)
    const patch = (days: number | null) =>
      fixture.harness.call('PATCH', `/v3/order/${id}`, {
        activate_by: days === null ? null : dayIn(days),
      })
    assert.equal((await patch(3)).status, 200)
    await runSchedule()
    assert.equal(await isHandedOver(id), false)
    await patch(null)
    await runJobs(fixture, dispatchBy(gateway))
    assert.equal(await isHandedOver(id), true)
    assert.equal(gateway.placed.length, 1)
  })

  test('is not dispatched after it was cancelled', async () => {
    const { id } = await scheduled(1)
    await fixture.harness.call('POST', `/v3/order/${id}/cancel`)
    fixture.harness.clock.advance(DAY_SECONDS)
    await runSchedule()
    assert.deepEqual([gateway.placed, gateway.cancelled], [[], []])
  })
})

describe('the schedule', () => {
  test('adds one job for an order, however often it runs', async () => {
    const { id } = await scheduled(1)
    fixture.harness.clock.advance(DAY_SECONDS)
    const dispatch = dispatchBy(gateway)
    await Promise.all([
      dispatchDueOrders(fixture.context, dispatch),
      dispatchDueOrders(fixture.context, dispatch),
    ])
    await dispatchDueOrders(fixture.context, dispatch)
    assert.equal((await fixture.jobs(id)).length, 1)
    await runJobs(fixture, dispatch)
    await runSchedule()
    assert.equal(gateway.placed.length, 1)
    const left = (await fixture.jobs(id)).map(({ task }) => task)
    assert.deepEqual(left, ['rematch_results'])
  })

  test('keeps the pauses and the last attempt of a failing order', async () => {
    fixture.harness.errors.expect('(dispatch_order,', 'an order could not be dispatched')
    const { id } = await scheduled(1)
    fixture.harness.clock.advance(DAY_SECONDS)
    gateway.answer = async () => {
      throw new Error('The line is dead.')
    }
    await runSchedule()
    await runSchedule()
    const [job, ...others] = await fixture.jobs(id)
    assert.deepEqual([job?.attempts, others], [1, []])
    const { pool } = fixture.harness.database
    await pool.query('update graphile_worker._private_jobs set attempts = max_attempts - 1')
    await endPauses(fixture)
    await runSchedule()
    assert.deepEqual(await fixture.jobs(id), [])
    assert.ok((await fixture.row(id)).dispatch_failed_at)
    gateway.answer = async () => ({ state: 'accepted', sampleId: null })
    await endPauses(fixture)
    await runSchedule()
    assert.equal(await isHandedOver(id), false)
    assert.deepEqual(await fixture.jobs(id), [])
    // The customer can still reschedule it.
    const { status } = await fixture.harness.call('PATCH', `/v3/order/${id}`, { activate_by: null })
    assert.equal(status, 200)
    await runJobs(fixture, dispatchBy(gateway))
    assert.equal(await isHandedOver(id), true)
  })

  test('is not blocked by orders without a gateway', async () => {
    const { id: stuck } = await scheduled(1)
    const { pool } = fixture.harness.database
    const { rows } = await pool.query(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_schema = 'public' and table_name = 'orders' and column_name <> 'id'`,
    )
    const { names } = rows[0]
    await pool.query(
      `insert into orders (id, ${names}) select gen_random_uuid(), ${names}
      from orders, generate_series(1, 1200) where id = '${stuck}'`,
    )
    fixture.harness.clock.advance(DAY_SECONDS)
    const dispatch = dispatchBy(gateway)
    await dispatchDueOrders(fixture.context, dispatch)
    const { rowCount } = await pool.query('select from graphile_worker._private_jobs')
    assert.equal(rowCount, 1000)
    await pool.query('update graphile_worker._private_jobs set attempts = max_attempts')
    await dispatchDueOrders(fixture.context, dispatch)
    assert.equal((await pool.query('select from graphile_worker._private_jobs')).rowCount, 1201)
  })

  test('skips the orders of deleted teams', async () => {
    const { id } = await scheduled(1)
    fixture.harness.clock.advance(DAY_SECONDS)
    const { pool } = fixture.harness.database
    await pool.query('update teams set deleted_at = now()')
    await dispatchDueOrders(fixture.context, dispatchBy(gateway))
    assert.deepEqual(await fixture.jobs(id), [])
    await pool.query('update teams set deleted_at = null')
    await dispatchDueOrders(fixture.context, dispatchBy(gateway))
    assert.equal((await fixture.jobs(id)).length, 1)
  })
})
