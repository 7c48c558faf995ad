import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LabNews } from '../lab-news.ts'
import { inboundParcel, outboundParcel } from './couriers.ts'
import { delaySecondsFor } from './sandbox-delays.ts'
import { createSandboxGateway, writeSandboxMessage } from './sandbox-gateway.ts'
import {
  detailsFor,
  isScriptable,
  newsFor,
  type ReportWish,
  type ScriptStep,
  scriptableSteps,
} from './sandbox-script.ts'
import { MOVES, type ScriptMethod, type ScriptStatus } from './sandbox-steps.registry.ts'
import { reportOf } from './testing/reports.ts'
import { LIPIDS } from './testing/requisitions.ts'

const AT = new Date('2026-01-05T16:00:00Z')
const ORDER = { orderId: 'order', sampleId: '1234567890', labSlug: 'quest' }
const METHODS = Object.keys(MOVES) as ScriptMethod[]

function tell(step: ScriptStep, wishes: ReportWish[] = []): LabNews[] {
  const report = (wish: ReportWish) => {
    wishes.push(wish)
    return reportOf([LIPIDS], { status: wish.status, hasMissingResults: wish.hasMissingResults })
  }
  return newsFor(step, ORDER, { seed: 'order', sampleId: '1234567890', report }, AT)
}

const step = (method: ScriptMethod, from: ScriptStatus, to: ScriptStatus): ScriptStep => ({
  method,
  from,
  to,
})
const scanOf = (news: LabNews[]) => {
  const [scan] = news.filter((one) => one.kind === 'scan')
  return scan && [scan.direction, scan.scan]
}

/** Success paths of contract 12, "Simulation paths", and registration after delivery. */
const PATHS: [ScriptMethod, string][] = [
  ['walk_in_test', 'ordered requisition_created completed'],
  [
    'at_home_phlebotomy',
    'ordered requisition_created appointment_pending appointment_scheduled draw_completed completed',
  ],
  ['on_site_collection', 'ordered requisition_created draw_completed completed'],
  [
    'testkit',
    'ordered requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
  ],
  ['testkit', 'awaiting_registration transit_customer out_for_delivery with_customer'],
  ['testkit', 'registered requisition_created transit_lab delivered_to_lab completed corrected'],
]

describe('the script of the sandbox', () => {
  test('can bring about every step of every simulation path', () => {
    for (const [method, path] of PATHS) {
      const statuses = path.split(' ') as ScriptStatus[]
      for (const [index, to] of statuses.slice(1).entries()) {
        const from = statuses[index] as ScriptStatus
        assert.ok(isScriptable(step(method, from, to)), `${method} ${from} ${to}`)
        assert.ok(tell(step(method, from, to)).length > 0)
      }
    }
  })

  test('tells something for every move that is not made by the API, in a readable message', () => {
    const gateway = createSandboxGateway()
    for (const method of METHODS) {
      for (const move of scriptableSteps(method)) {
        for (const detail of detailsFor(move.to)) {
          const news = tell({ ...move, detail })
          assert.ok(news.length > 0, JSON.stringify(move))
          assert.deepEqual(gateway.read(writeSandboxMessage(news)), news)
          for (const one of news) assert.deepEqual([one.order, one.at], [ORDER, AT])
        }
      }
    }
  })

  test('reaches every status but those that only the API makes', () => {
    const reached = new Set(
      METHODS.flatMap((method) => scriptableSteps(method).map(({ to }) => to)),
    )
    const all = new Set(METHODS.flatMap((method) => MOVES[method].map(([, to]) => to)))
    const rest = [...all].filter((status) => !reached.has(status)).sort()
    assert.deepEqual(rest, [
      'awaiting_registration',
      'cancelled',
      'registered',
      'requisition_bypassed',
    ])
    for (const to of rest) assert.deepEqual(tell(step('testkit', 'ordered', to)), [])
  })

  test('says nothing for moves that do not exist', () => {
    assert.equal(isScriptable(step('walk_in_test', 'ordered', 'completed')), false)
    assert.deepEqual(tell(step('testkit', 'ordered', 'with_customer')), [])
    assert.deepEqual(tell(step('on_site_collection', 'ordered', 'appointment_pending')), [])
  })

  test('speaks for couriers, with one parcel each way', () => {
    const scans: [ScriptStatus, ScriptStatus, string, string][] = [
      ['requisition_created', 'transit_customer', 'outbound', 'in_transit'],
      ['awaiting_registration', 'transit_customer', 'outbound', 'in_transit'],
      ['transit_customer', 'out_for_delivery', 'outbound', 'out_for_delivery'],
      ['out_for_delivery', 'with_customer', 'outbound', 'delivered'],
      ['out_for_delivery', 'problem_in_transit_customer', 'outbound', 'exception'],
      ['transit_customer', 'failure_to_deliver_to_customer', 'outbound', 'not_deliverable'],
      ['problem_in_transit_customer', 'lost', 'outbound', 'lost'],
      ['with_customer', 'transit_lab', 'inbound', 'in_transit'],
      ['transit_lab', 'problem_in_transit_lab', 'inbound', 'exception'],
      ['transit_lab', 'delivered_to_lab', 'inbound', 'delivered'],
      ['transit_lab', 'failure_to_deliver_to_lab', 'inbound', 'not_deliverable'],
      ['transit_lab', 'lost', 'inbound', 'lost'],
    ]
    for (const [from, to, direction, scan] of scans) {
      const news = tell(step('testkit', from, to))
      assert.deepEqual(scanOf(news), [direction, scan], `${from} ${to}`)
      const parcel = direction === 'outbound' ? outboundParcel('order') : inboundParcel('order')
      assert.ok(
        news.some((one) => 'trackingNumber' in one && one.trackingNumber === parcel.trackingNumber),
      )
    }
  })

  test('speaks for the kit vendor when a kit without a patient leaves, and when there is none', () => {
    const kinds = (move: ScriptStep) => tell(move).map(({ kind }) => kind)
    assert.deepEqual(kinds(step('testkit', 'awaiting_registration', 'transit_customer')), [
      'kit_dispatched',
      'scan',
    ])
    const detail = 'fulfillment_error'
    assert.deepEqual(kinds({ ...step('testkit', 'ordered', 'cancelled'), detail }), [
      'fulfillment_failed',
    ])
    assert.deepEqual(
      kinds({ ...step('testkit', 'transit_customer', 'failure_to_deliver_to_customer'), detail }),
      ['fulfillment_failed'],
    )
    assert.deepEqual(kinds({ ...step('walk_in_test', 'ordered', 'cancelled'), detail }), [])
  })

  test('speaks for the laboratory, with the details that it gives', () => {
    assert.deepEqual(
      detailsFor('lab_processing_blocked').map(
        (detail) =>
          tell({ ...step('testkit', 'delivered_to_lab', 'lab_processing_blocked'), detail })[0],
      ),
      detailsFor('lab_processing_blocked').map((detail) => ({
        kind: 'processing_blocked',
        order: ORDER,
        at: AT,
        detail,
      })),
    )
    assert.equal(detailsFor('lab_processing_blocked').length, 4)
    assert.equal(detailsFor('sample_error').length, 6)
    const kind = (from: ScriptStatus, to: ScriptStatus) =>
      tell(step('testkit', from, to)).at(-1)?.kind
    assert.equal(kind('lab_processing_blocked', 'delivered_to_lab'), 'processing_resumed')
    assert.equal(kind('transit_lab', 'delivered_to_lab'), 'sample_received')
    assert.equal(kind('delivered_to_lab', 'lost'), 'sample_lost')
    assert.equal(kind('with_customer', 'do_not_process'), 'do_not_process')
  })

  test('asks for the report that a step needs, and for none otherwise', () => {
    const wishOf = (from: ScriptStatus, to: ScriptStatus) => {
      const wishes: ReportWish[] = []
      const news = tell(step('walk_in_test', from, to), wishes)
      return [news.map(({ kind }) => kind), wishes]
    }
    const wish = (status: ReportWish['status'], hasMissingResults: boolean) => [
      ['report'],
      [{ status, hasMissingResults }],
    ]
    assert.deepEqual(wishOf('requisition_created', 'completed'), wish('final', false))
    assert.deepEqual(wishOf('requisition_created', 'partial_results'), wish('partial', false))
    assert.deepEqual(wishOf('partial_results', 'redraw_available'), wish('final', true))
    assert.deepEqual(wishOf('completed', 'corrected'), wish('corrected', false))
    assert.deepEqual(wishOf('ordered', 'requisition_created'), [['requisition_accepted'], []])
  })
})

describe('delays of the sandbox', () => {
  const HOUR = 3600

  test('are the same for the same step and order, and as long as in life', () => {
    const bounds: [ScriptMethod, ScriptStatus, ScriptStatus, number, number][] = [
      ['walk_in_test', 'ordered', 'requisition_created', 0.2, 0.6],
      ['testkit', 'transit_customer', 'out_for_delivery', 36, 72],
      ['testkit', 'delivered_to_lab', 'completed', 24, 72],
      ['walk_in_test', 'requisition_created', 'completed', 48, 120],
    ]
    for (const [method, from, to, least, most] of bounds) {
      const delays = Array.from({ length: 200 }, (_, order) =>
        delaySecondsFor(step(method, from, to), `${order}`),
      )
      assert.ok(
        delays.every((delay) => delay >= least * HOUR && delay <= most * HOUR),
        `${from} ${to}`,
      )
      assert.ok(new Set(delays).size > 100)
      assert.equal(delaySecondsFor(step(method, from, to), '0'), delays[0])
    }
  })

  test('are there for every step, in whole seconds', () => {
    for (const method of METHODS) {
      for (const move of scriptableSteps(method)) {
        const delay = delaySecondsFor(move, 'order')
        assert.ok(Number.isInteger(delay) && delay > 0, JSON.stringify(move))
      }
    }
  })
})
