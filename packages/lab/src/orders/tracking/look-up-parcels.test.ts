import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { CourierTracker } from '@salus/contracts/lab-partners'
import { newId } from '@salus/kernel/ids'
import { parseLabPartners } from '@salus/lab-partners'
import { PartnerEmulator } from '@salus/sandbox/partners'
import {
  type BareUpdate,
  createOrdersFixture,
  scan,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { TestClock } from '../../../../server/test/teams-app.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { createCourierGateway } from '../../gateways/courier-gateway.ts'
import { processMessage } from '../../inbox/index.ts'
import { lookUpParcels } from './look-up-parcels.service.ts'

/** Parcels of kits with USPS, which is configured for sandboxes and emulated. */

const clock = new TestClock()
const emulator = new PartnerEmulator({ clock })
const urlOf = await emulator.listen()
after(() => emulator.close())
const usps = { client_id: 'sandbox', client_secret: 'sandbox-secret', url: urlOf('usps') }

const fixture = useFixture(() =>
  createOrdersFixture({
    labPartners: parseLabPartners(JSON.stringify({ sandbox: { usps } })),
    labPartnersAllowPrivate: true,
  }),
)

const HOUR = 3600
const SIGNAL = new AbortController().signal
const requests = () => emulator.calls.filter(({ method }) => method === 'GET').length
const advance = (seconds: number) => {
  clock.advance(seconds)
  fixture.harness.clock.advance(seconds)
}
const query = (text: string, values: unknown[] = []) =>
  fixture.harness.database.pool.query(text, values)

/** Runs the job, and applies the messages that it delivered. */
async function run(): Promise<void> {
  const { dependencies } = fixture.harness
  await lookUpParcels(dependencies, dependencies.gateways.couriers, SIGNAL)
  const { rows } = await query(`select id from lab_messages where state = 'waiting'`)
  for (const { id } of rows) await processMessage(fixture.context, dependencies, id)
}

let nextNumber = 0
/** A kit that the vendor sent with a parcel; the last digit of its number chooses what happens. */
async function sendKit(end = '0', direction: 'outbound' | 'inbound' = 'outbound') {
  const { id } = await fixture.place('testkit')
  await fixture.transition(id, 'requisition_created')
  const number = `94001${String(++nextNumber).padStart(16, '0')}${end}`
  const parcel = { direction, courier: 'usps', trackingNumber: number, trackingUrl: null } as const
  const sampleId = String(8_880_000_000 + nextNumber)
  const dispatched: BareUpdate = { kind: 'kit_dispatched', sampleId, parcels: [parcel] }
  await fixture.update(id, dispatched)
  return { id, number }
}
const last = async (id: string) => statusesOf(await fixture.read(id)).at(-1)

beforeEach(async () => {
  emulator.setFault('usps', null)
  emulator.calls.length = 0
  await query(
    `update shipments set outbound_tracking_number = null, inbound_tracking_number = null`,
  )
})

test('a dispatched kit follows its parcel to the patient', async () => {
  const { id, number } = await sendKit()
  const { shipment } = (await fixture.read(id)).details.data
  assert.deepEqual([shipment.outbound_courier, shipment.outbound_tracking_number], ['usps', number])
  const statuses: unknown[] = []
  for (const hours of [0, 12, 12, 12, 12, 1, 1, 1, 1, 1, 1]) {
    advance(hours * HOUR)
    await run()
    statuses.push(await last(id))
  }
  assert.deepEqual(
    statuses.filter((status, index) => status !== statuses[index - 1]),
    ['requisition_created', 'transit_customer', 'out_for_delivery', 'with_customer'],
  )
  const shown = (await fixture.read(id)).details.data.shipment
  assert.match(shown.outbound_tracking_url, new RegExp(`^https://tools\\.usps\\.com/.*${number}$`))
  const before = requests()
  advance(24 * HOUR)
  await run()
  assert.equal(requests(), before, 'a delivered parcel is not looked up any more')
})

test('scans are stored as messages of the courier, once each, with the time of the courier', async () => {
  const { id } = await sendKit()
  const sent = clock.now()
  await run()
  for (const hours of [7, 8, 9]) {
    advance(hours * HOUR)
    await run()
  }
  const { rows } = await query(
    `select gateway, state, content_type from lab_messages where order_id = $1`,
    [id],
  )
  assert.deepEqual(rows, [
    {
      gateway: 'courier:usps',
      state: 'processed',
      content_type: 'application/vnd.salus.courier+json',
    },
  ])
  const event = (await fixture.read(id)).events.at(-1)
  // Events have whole seconds.
  const sixHoursLater = sent.getTime() + 6 * HOUR * 1000
  assert.ok(Math.abs(Date.parse(event.created_at) - sixHoursLater) < 1000)
})

test('an address that does not exist and a notice left are problems of the order', async () => {
  const [returned, waiting] = [await sendKit('7'), await sendKit('8')]
  await run()
  for (let time = 0; time < 4; time++) {
    advance(12 * HOUR)
    await run()
  }
  assert.equal(await last(returned.id), 'failure_to_deliver_to_customer')
  assert.equal(await last(waiting.id), 'problem_in_transit_customer')
})

test('pauses grow while nothing happens, up to half a day', async () => {
  await sendKit('9')
  const gaps: number[] = []
  let waited = 0
  for (let hours = 0; hours < 60; hours++) {
    const before = requests()
    await run()
    if (requests() > before) {
      gaps.push(waited)
      waited = 0
    }
    advance(HOUR)
    waited += 1
  }
  assert.deepEqual(gaps, [0, 1, 2, 4, 8, 12, 12, 12])
})

test('a run makes only its share of the requests of an hour, the longest waiting first', async () => {
  const kits = []
  for (let kit = 0; kit < 7; kit++) kits.push(await sendKit('9'))
  await run()
  assert.equal(requests(), 5)
  await run()
  assert.equal(requests(), 7)
  await run()
  assert.equal(requests(), 7)
  const numbers = new Set(emulator.calls.flatMap(({ url }) => /\/(94\d+)\?/.exec(url)?.[1] ?? []))
  assert.deepEqual([...numbers].sort(), kits.map(({ number }) => number).sort())
})

test('a failure ends the run, uses up no pause, and the next run continues', async () => {
  await sendKit('9')
  await sendKit('9')
  for (const kind of ['rate_limit', 'maintenance', 'server_error', 'malformed'] as const) {
    emulator.setFault('usps', { kind })
    const before = requests()
    await run()
    assert.equal(requests(), before + 1, kind)
  }
  emulator.setFault('usps', null)
  const before = requests()
  await run()
  assert.equal(requests(), before + 2)
})

test('two processes look up a parcel once', async () => {
  await sendKit('9')
  await Promise.all([run(), run(), run()])
  assert.equal(requests(), 1)
})

test('parcels of other couriers, cancelled orders, deleted people and old kits are left alone', async () => {
  const [other, cancelled, hidden, old] = [
    await sendKit(),
    await sendKit(),
    await sendKit(),
    await sendKit(),
  ]
  await query(`update shipments set outbound_courier = 'ups' where order_id = $1`, [other.id])
  await fixture.transition(cancelled.id, 'cancelled')
  await query('update orders set is_hidden = true where id = $1', [hidden.id])
  await query(
    `update shipments set created_at = created_at - interval '46 days' where order_id = $1`,
    [old.id],
  )
  await run()
  assert.equal(requests(), 0)
})

test('a parcel on the way back reports to the laboratory', async () => {
  const { id } = await sendKit('0', 'inbound')
  for (const seen of ['in_transit', 'out_for_delivery', 'delivered'] as const) {
    await fixture.update(id, scan('outbound', seen))
  }
  await run()
  advance(7 * HOUR)
  await run()
  assert.equal(await last(id), 'transit_lab')
})

test('a message of a courier that cannot be read fails with its problem', async () => {
  const { dependencies } = fixture.harness
  const [courier] = dependencies.gateways.couriers.sandbox
  const read = (contentType: string, content: string) => () =>
    courier?.read({ contentType, content: Buffer.from(content) })
  const type = 'application/vnd.salus.courier+json'
  assert.throws(read('text/plain', '{}'), { reason: 'wrong_content_type' })
  assert.throws(read(type, '{'), { reason: 'not_json' })
  assert.throws(read(type, '{"parcel": {}, "answer": {}}'), { reason: 'wrong_shape' })
  const parcel = { environmentId: newId(), orderId: newId(), labSlug: 'x', direction: 'outbound' }
  const closed = createCourierGateway({ courier: 'usps', requestsPerHour: 1 } as CourierTracker)
  await assert.rejects(
    closed.lookUp({ ...parcel, direction: 'outbound', trackingNumber: '1' }, new Date()),
    /not open/,
  )
})
