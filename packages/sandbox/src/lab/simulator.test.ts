import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  COURIERS,
  type InboundMessage,
  type OrderUpdate,
  type SimulatedOccurrence,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import { SCANS, STATUS_DETAILS } from '@salus/contracts/order-lifecycle'
import fc from 'fast-check'
import { anyAdult, reportOf } from '../../test/reports.ts'
import { BLOOD_COUNT, INFECTIONS, makeRequisition } from '../../test/requisitions.ts'
import { createLabSimulator, SANDBOX_CONTENT_TYPE, writeMessage } from './simulator.ts'

const gateway = createLabSimulator()

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyAbout = fc
  .record({
    orderId: optional(fc.uuid()),
    sampleId: optional(fc.string()),
    labSlug: fc.string(),
    at: optional(
      fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
    ),
  })
  .map(({ orderId, sampleId, labSlug, at }) => ({
    order: {
      labSlug,
      ...(orderId === undefined ? {} : { orderId }),
      ...(sampleId === undefined ? {} : { sampleId }),
    },
    ...(at === undefined ? {} : { at }),
  }))

const AT = '2026-01-05T16:00:00.000Z'

const anyDetail = fc.option(fc.constantFrom(...STATUS_DETAILS))
const anyUpdate: fc.Arbitrary<OrderUpdate> = fc
  .tuple(
    anyAbout,
    fc.oneof(
      fc.record({ kind: fc.constant('requisition_accepted'), sampleId: fc.option(fc.string()) }),
      fc.record({ kind: fc.constant('kit_dispatched'), sampleId: fc.string() }),
      fc.record({
        kind: fc.constant('scan'),
        direction: fc.constantFrom('outbound', 'inbound'),
        scan: fc.constantFrom(...SCANS),
        courier: fc.constantFrom(...COURIERS),
        trackingNumber: fc.string(),
        trackingUrl: fc.option(fc.webUrl()),
      }),
      fc.record({ kind: fc.constantFrom('processing_blocked', 'sample_error'), detail: anyDetail }),
      fc.record({
        kind: fc.constantFrom(
          'fulfillment_failed',
          'sample_received',
          'processing_resumed',
          'sample_lost',
          'do_not_process',
          'draw_completed',
        ),
      }),
      fc.record(
        {
          kind: fc.constantFrom('appointment_pending', 'appointment_in_progress'),
          appointmentId: fc.uuid(),
        },
        { requiredKeys: ['kind'] },
      ),
      fc.record(
        {
          kind: fc.constant('appointment_cancelled'),
          appointmentId: fc.uuid(),
          reason: fc.string({ maxLength: 1000 }),
        },
        { requiredKeys: ['kind'] },
      ),
      fc
        .tuple(
          fc.record(
            { appointmentId: fc.uuid(), externalId: fc.option(fc.string()) },
            { requiredKeys: [] },
          ),
          fc.constantFrom({}, { startAt: AT, endAt: AT }),
        )
        .map(([named, time]) => ({ kind: 'appointment_scheduled', ...named, ...time })),
      anyAdult.map((person) => ({
        kind: 'report',
        report: reportOf([BLOOD_COUNT, INFECTIONS], { ...person, hasMissingResults: true }),
      })),
    ),
  )
  .map(([about, facts]) => ({ ...about, ...facts }) as OrderUpdate)

function problemOf(content: string | Buffer, contentType = SANDBOX_CONTENT_TYPE): string {
  try {
    gateway.read({ contentType, content: Buffer.from(content) })
  } catch (error) {
    assert.ok(error instanceof UnreadableMessage, `${error}`)
    return error.reason
  }
  return 'none'
}

describe('messages of the sandbox', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(anyUpdate, { maxLength: 4 }), (updates) => {
        assert.deepEqual(gateway.read(writeMessage(updates)), updates)
      }),
      { numRuns: 300, seed: 81 },
    )
  })

  test('are its own, with or without parameters of the content type', () => {
    assert.equal(problemOf('[]', `${SANDBOX_CONTENT_TYPE}; charset=utf-8`), 'none')
    assert.equal(problemOf('[]', 'application/json'), 'wrong_content_type')
    assert.equal(problemOf('MSH|^~\\&|', 'application/hl7-v2'), 'wrong_content_type')
  })

  test('that cannot be read say why, and nothing of what is in them', () => {
    assert.equal(problemOf(Buffer.from([0x5b, 0xff, 0x5d])), 'not_utf8')
    assert.equal(problemOf('[{"kind": "report", "patient": "Sam Example"'), 'not_json')
    try {
      gateway.read({ contentType: SANDBOX_CONTENT_TYPE, content: Buffer.from('{Sam Example') })
      assert.fail()
    } catch (error) {
      assert.ok(error instanceof UnreadableMessage)
      assert.ok(!`${error.message} ${error.cause}`.includes('Sam'))
    }
  })

  test('have exactly the fields that their kind has', () => {
    const good = { kind: 'kit_dispatched', order: { labSlug: 'quest' }, sampleId: '1234567890' }
    const wrong: unknown[] = [
      good,
      [{ ...good, kind: 'kit_lost' }],
      [{ ...good, sampleId: null }],
      [{ ...good, extra: 1 }],
      [{ ...good, at: 'yesterday' }],
      [{ ...good, at: '2026-02-30T00:00:00Z' }],
      [{ ...good, order: {} }],
      [{ kind: 'scan', order: good.order, direction: 'sideways' }],
      [{ kind: 'sample_error', order: good.order, detail: 'sample_eaten' }],
      [
        {
          kind: 'report',
          order: good.order,
          report: { ...reportOf([INFECTIONS]), status: 'draft' },
        },
      ],
    ]
    assert.equal(problemOf(JSON.stringify([good])), 'none')
    for (const message of wrong) assert.equal(problemOf(JSON.stringify(message)), 'wrong_shape')
  })

  test('hold reports with every field of theirs', () => {
    const report = reportOf([INFECTIONS], { hasMissingResults: true })
    const about = { kind: 'report', order: { labSlug: 'quest' } }
    for (const field of Object.keys(report)) {
      const { [field as keyof typeof report]: _, ...rest } = report
      assert.equal(problemOf(JSON.stringify([{ ...about, report: rest }])), 'wrong_shape', field)
    }
  })
})

describe('the simulator', () => {
  test('takes requisitions and waits, and lets orders be cancelled', async () => {
    assert.equal(gateway.name, 'sandbox')
    assert.deepEqual(await gateway.place(makeRequisition([INFECTIONS])), { state: 'waiting' })
    const requisition = makeRequisition([INFECTIONS])
    const { environmentId, orderId, sampleId } = requisition
    const cancelled = await gateway.cancel({ environmentId, orderId, sampleId, requisition })
    assert.deepEqual(cancelled, { state: 'cancelled' })
  })

  test('delivers what it says happened, under the id that it was given', async () => {
    const simulator = createLabSimulator()
    const delivered: InboundMessage[] = []
    simulator.open(async (message) => {
      delivered.push(message)
      return { messageId: 'stored', isNew: true }
    })
    assert.deepEqual(await simulator.simulate(happening('requisition_accepted')), {
      messageId: 'stored',
      isNew: true,
    })
    const [message] = delivered
    assert.ok(message)
    assert.deepEqual([message.environmentId, message.controlId], ['environment', 'happening'])
    const [update] = simulator.read(message)
    assert.ok(update?.kind === 'requisition_accepted')
    // The first number that it thought of is taken.
    assert.notEqual(update.sampleId, simulator.makeSampleId({ orderId: 'order', labSlug: 'quest' }))
    await simulator.simulate(happening('final_result'))
    const [report] = simulator.read(delivered[1] as InboundMessage)
    assert.ok(report?.kind === 'report')
    assert.deepEqual([report.report.status, report.report.results.length > 0], ['final', true])
  })

  test('cannot say anything before its inbound side is open, nor when that fails', async () => {
    const simulator = createLabSimulator()
    await assert.rejects(simulator.simulate(happening('requisition_accepted')), /not open/)
    simulator.open(() => Promise.reject(new Error('not stored')))
    await assert.rejects(simulator.simulate(happening('requisition_accepted')), /not stored/)
  })
})

const happening = (cause: SimulatedOccurrence['cause']): SimulatedOccurrence => {
  const taken = createLabSimulator().makeSampleId({ orderId: 'order', labSlug: 'quest' })
  return {
    environmentId: 'environment',
    id: 'happening',
    cause,
    appointment: null,
    detail: null,
    at: new Date('2026-01-07T16:00:00Z'),
    requisition: {
      ...makeRequisition([INFECTIONS]),
      orderId: 'order',
      labSlug: 'quest',
      sampleId: null,
    },
    report: {
      interpretation: 'normal',
      resultTypes: null,
      hasMissingResults: false,
      collectedAt: new Date('2026-01-05T16:00:00Z'),
      labName: 'Example Laboratory',
    },
    isSampleIdTaken: async (sampleId) => sampleId === taken,
  }
}
