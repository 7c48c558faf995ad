import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ackTo, LEGACY, useHl7Gateways } from '../../../test/hl7-gateways.ts'
import { createMemoryStore } from '../../../test/memory-connection-store.ts'
import { only, parseMessage } from '../../../test/minimal-parser.ts'
import { message } from '../../../test/report-messages.ts'
import { NUMBERS, REQUISITION } from '../../../test/requisitions.ts'

const gateways = useHl7Gateways()
const { listenAsLaboratory, open } = gateways

describe('an order', () => {
  test('is accepted by the laboratory, and has the number of its requisition', async () => {
    const { sender, received } = await listenAsLaboratory((content) => [ackTo(content, 'AA')])
    const gateway = open(LEGACY, { sender })
    const accepted = { state: 'accepted', sampleId: 'SA00000017' }
    assert.deepEqual(await gateway.place(REQUISITION), accepted)
    // The answer is known, so nothing is sent again.
    assert.deepEqual(await gateway.place(REQUISITION), accepted)
    assert.equal(received.length, 1)
    assert.equal(only(parseMessage(received[0] as Buffer), 'MSH').fields[9], 'ORM^O01')
  })

  test('has the laboratory’s number where the laboratory gives it', async () => {
    gateways.store = createMemoryStore({ ...NUMBERS, requisition: null })
    const { sender } = await listenAsLaboratory((content) => [
      ackTo(content, 'AA', 'ORC|OK|SA00000017|FL-55^ACME'),
    ])
    const config = { ...LEGACY, numbers: { requisition: { source: 'laboratory' as const } } }
    const placement = await open(config, { sender }).place(REQUISITION)
    assert.deepEqual(placement, { state: 'accepted', sampleId: 'FL-55' })
  })

  test('waits after a commit', async () => {
    const { sender } = await listenAsLaboratory((content) => [ackTo(content, 'CA')])
    assert.deepEqual(await open(LEGACY, { sender }).place(REQUISITION), { state: 'waiting' })
  })

  test('is refused with the codes of the laboratory, and not sent again', async () => {
    const { sender, received } = await listenAsLaboratory((content) => [
      ackTo(content, 'AE', 'ERR|OBR^1^4^204&Unknown key'),
    ])
    const gateway = open(LEGACY, { sender })
    const refused = { state: 'refused', refusal: { code: 'AE 204', location: 'OBR-4' } }
    assert.deepEqual(await gateway.place(REQUISITION), refused)
    assert.deepEqual(await gateway.place(REQUISITION), refused)
    assert.equal(received.length, 1)
  })

  test('is sent again with the same bytes after no answer, and the answer before is ignored', async () => {
    const late = message('MSH|^~\\&|LAB|ACME|SALUS|A|20260301||ACK|L-0|P|2.3', 'MSA|AA|S-999999')
    let count = 0
    const { sender, received } = await listenAsLaboratory((content) =>
      ++count === 1 ? [late] : [late, ackTo(content, 'AA')],
    )
    const gateway = open(LEGACY, { sender })
    await assert.rejects(gateway.place(REQUISITION))
    const changed = { ...REQUISITION, clinicalNotes: 'Changed.' }
    assert.equal((await gateway.place(changed)).state, 'accepted')
    assert.equal(received.length, 2)
    assert.deepEqual(received[0], received[1])
    assert.deepEqual(
      gateways.store.attempts.map(([, problem]) => problem),
      ['ack_timeout'],
    )
  })

  test('is sent again when the laboratory failed inside', async () => {
    const codes = ['207', undefined]
    const { sender } = await listenAsLaboratory((content) => {
      const code = codes.shift()
      if (code === undefined) return [ackTo(content, 'AA')]
      return [ackTo(content, 'AE', `ERR|^^^${code}`)]
    })
    const gateway = open(LEGACY, { sender })
    await assert.rejects(gateway.place(REQUISITION), /AE 207/)
    assert.equal((await gateway.place(REQUISITION)).state, 'accepted')
  })

  test('that cannot be written is refused at once, and nothing is sent', async () => {
    const { sender, received } = await listenAsLaboratory(() => [])
    const tests = REQUISITION.tests.map((each) => ({ ...each, provider_id: null }))
    assert.deepEqual(await open(LEGACY, { sender }).place({ ...REQUISITION, tests }), {
      state: 'refused',
      refusal: { code: 'NO_ORDER_CODE', location: 'OBR-4' },
    })
    assert.equal(received.length, 0)
  })

  test('of a kit waits until its patient is known', async () => {
    const { sender, received } = await listenAsLaboratory(() => [])
    const gateway = open(LEGACY, { sender })
    const kit = { ...REQUISITION, patient: null }
    assert.deepEqual(await gateway.place(kit), { state: 'waiting' })
    const { environmentId, orderId, sampleId } = kit
    const cancelled = await gateway.cancel({ environmentId, orderId, sampleId, requisition: kit })
    assert.deepEqual(cancelled, { state: 'cancelled' })
    assert.equal(received.length + gateways.store.messages.size, 0)
  })

  test('on a connection without a transport for orders is refused', async () => {
    const placement = await open(LEGACY).place(REQUISITION)
    assert.equal(placement.state, 'refused')
  })
})

describe('a cancellation', () => {
  const { environmentId, orderId, sampleId } = REQUISITION
  const order = { environmentId, orderId, sampleId, requisition: REQUISITION }

  test('is done, refused or by telephone', async () => {
    const { sender, received } = await listenAsLaboratory((content) => [ackTo(content, 'AA')])
    assert.deepEqual(await open(LEGACY, { sender }).cancel(order), { state: 'cancelled' })
    assert.equal(only(parseMessage(received[0] as Buffer), 'PID').fields[2], '12345')
    const telephone = { ...LEGACY, order: { cancel: 'telephone' as const } }
    const byTelephone = { state: 'by_telephone' }
    assert.deepEqual(await open(telephone, { sender }).cancel(order), byTelephone)
    const erased = { ...order, requisition: null }
    assert.deepEqual(await open(LEGACY, { sender }).cancel(erased), byTelephone)
    assert.equal(received.length, 1)
  })

  test('that comes too late is refused', async () => {
    const { sender } = await listenAsLaboratory((content) => [
      ackTo(content, 'AA', 'ORC|UC|SA00000017|FL-1'),
    ])
    assert.deepEqual(await open(LEGACY, { sender }).cancel(order), {
      state: 'refused',
      refusal: { code: 'ORC UC', location: null },
    })
  })
})
