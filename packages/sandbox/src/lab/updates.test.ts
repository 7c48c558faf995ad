import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderUpdate } from '@salus/contracts/lab-gateway'
import {
  CAUSES,
  type Cause,
  type CauseBy,
  LOW_LEVEL_STATUSES,
  MACHINES,
  STATUS_DETAILS,
  statusAfterCause,
} from '@salus/contracts/order-lifecycle'
import { HOUR_SECONDS } from '@salus/contracts/time-units'
import { inboundParcel, outboundParcel } from './couriers.ts'
import { delaySeconds } from './delays.ts'
import { createLabSimulator, writeMessage } from './simulator.ts'
import { REPORTS, type Situation, updatesFor } from './updates.ts'

const AT = '2026-01-05T16:00:00.000Z'
const ORDER = { orderId: 'order', sampleId: '1234567890', labSlug: 'quest' }
const SITUATION: Situation = {
  order: ORDER,
  at: AT,
  detail: null,
  sampleId: '1234567890',
  isNewSampleId: false,
  appointment: null,
}
const UPDATES = (Object.keys(CAUSES) as Cause[]).filter(
  (cause): cause is CauseBy<'update'> => CAUSES[cause].by === 'update',
)

const updatesOf = (cause: CauseBy<'update'>, situation: Partial<Situation> = {}): OrderUpdate[] =>
  updatesFor(cause, { ...SITUATION, ...situation })

describe('what the sandbox says', () => {
  test('is of every cause that is an update, and readable as it was written', () => {
    const { read } = createLabSimulator()
    for (const cause of UPDATES) {
      const updates = updatesOf(cause)
      assert.ok(updates.length > 0, cause)
      assert.deepEqual(read(writeMessage(updates)), updates)
      for (const one of updates) assert.deepEqual([one.order, one.at], [ORDER, AT])
    }
  })

  test('comes as reports of every result', () => {
    const results = Object.keys(CAUSES).filter((cause) => CAUSES[cause as Cause].by === 'result')
    assert.deepEqual(Object.keys(REPORTS).toSorted(), results.toSorted())
  })

  test('of parcels is one parcel each way', () => {
    for (const cause of UPDATES.filter((each) => each.includes(' '))) {
      const [scan] = updatesOf(cause)
      assert.ok(scan?.kind === 'scan')
      assert.equal(`${scan.direction} ${scan.scan}`, cause)
      const parcel = (scan.direction === 'outbound' ? outboundParcel : inboundParcel)('order')
      assert.equal(scan.trackingNumber, parcel.trackingNumber)
    }
    assert.deepEqual(
      updatesOf('sample_received').map(({ kind }) => kind),
      ['scan', 'sample_received'],
    )
  })

  test('names a kit when it leaves under a new number', () => {
    const kindsOf = (isNewSampleId: boolean) =>
      updatesOf('outbound in_transit', { isNewSampleId }).map(({ kind }) => kind)
    assert.deepEqual(kindsOf(true), ['kit_dispatched', 'scan'])
    assert.deepEqual(kindsOf(false), ['scan'])
  })

  test('has the requested detail, where there are details', () => {
    for (const detail of [null, ...STATUS_DETAILS]) {
      for (const cause of ['processing_blocked', 'sample_error'] as const) {
        assert.deepEqual(updatesOf(cause, { detail }), [
          { kind: cause, order: ORDER, at: AT, detail },
        ])
      }
    }
    assert.ok(
      !('detail' in (updatesOf('sample_received', { detail: 'sample_hemolyzed' })[1] ?? {})),
    )
  })
})

describe('what a provider says of an appointment', () => {
  const time = { startAt: '2026-01-07T15:00:00.000Z', endAt: '2026-01-07T17:00:00.000Z' }
  const about = { order: ORDER, at: AT }

  test('names it, and the time that is set', () => {
    const appointment = { id: 'appointment', time }
    const named = { ...about, appointmentId: 'appointment' }
    for (const kind of ['appointment_cancelled', 'appointment_in_progress'] as const) {
      assert.deepEqual(updatesFor(kind, { ...SITUATION, appointment }), [{ kind, ...named }])
    }
    const kind = 'appointment_scheduled'
    assert.deepEqual(updatesOf(kind, { appointment }), [{ kind, ...named, ...time }])
    const untimed = { id: 'appointment', time: null }
    assert.deepEqual(updatesOf(kind, { appointment: untimed }), [{ kind, ...named }])
  })

  test('is a bare word about an order that has none', () => {
    for (const kind of ['appointment_scheduled', 'appointment_cancelled'] as const) {
      assert.deepEqual(updatesOf(kind), [{ kind, ...about }])
    }
  })
})

describe('delays of the sandbox', () => {
  test('are the same for the same transition and order, and as long as in life', () => {
    const bounds = [
      ['ordered', 'requisition_created', 0.2, 0.6],
      ['transit_customer', 'out_for_delivery', 36, 72],
      ['delivered_to_lab', 'completed', 24, 72],
      ['requisition_created', 'completed', 48, 120],
    ] as const
    for (const [from, to, least, most] of bounds) {
      const delays = Array.from({ length: 200 }, (_, order) =>
        delaySeconds({ from, to }, `${order}`),
      )
      assert.ok(
        delays.every((delay) => delay >= least * HOUR_SECONDS && delay <= most * HOUR_SECONDS),
      )
      assert.ok(new Set(delays).size > 100)
      assert.equal(delaySeconds({ from, to }, '0'), delays[0])
    }
  })

  test('are there for every transition that others bring about, in whole seconds', () => {
    for (const { transitions } of Object.values(MACHINES)) {
      for (const { from, to, causes } of transitions) {
        if (causes.every((cause) => CAUSES[cause].by === 'command')) continue
        const delay = delaySeconds({ from, to }, 'order')
        assert.ok(Number.isInteger(delay) && delay > 0, `${from} ${to}`)
      }
    }
  })
})

test('every update that the sandbox says leads somewhere from somewhere', () => {
  const facts = {
    isUnregisteredKit: false,
    isRegistered: false,
    wasShipped: false,
    isRedraw: false,
  }
  for (const cause of UPDATES) {
    const leads = (Object.keys(MACHINES) as (keyof typeof MACHINES)[]).some((method) =>
      LOW_LEVEL_STATUSES.some((status) => statusAfterCause({ ...facts, method, status }, cause)),
    )
    assert.ok(leads, cause)
  }
})
