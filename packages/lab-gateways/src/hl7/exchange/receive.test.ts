import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ackTo, HEADER, LEGACY, report, useHl7Gateways } from '../../../test/hl7-gateways.ts'
import { EVERY_STATUS, message, SEVERAL_PATIENTS } from '../../../test/report-messages.ts'
import { REQUISITION } from '../../../test/requisitions.ts'

const gateways = useHl7Gateways()
const { listen, listenAsLaboratory, open } = gateways

describe('a received message', () => {
  test('is stored as its exact bytes and accepted, as often as it comes', async () => {
    const { delivered, post } = await listen(LEGACY)
    const content = report(HEADER)
    assert.deepEqual(await post(content), ['AA R-7'])
    assert.deepEqual(await post(content), ['AA R-7'])
    assert.equal(delivered.length, 2)
    assert.deepEqual(delivered[0], {
      contentType: 'x-application/hl7-v2+er7',
      content,
      environmentId: REQUISITION.environmentId,
      controlId: 'R-7',
      at: new Date('2026-03-09T15:50:00Z'),
    })
  })

  test('that cannot be stored is not answered', async () => {
    let isAway = true
    const { delivered, post } = await listen(LEGACY, () => isAway)
    assert.equal(await post(report(HEADER)), 'closed')
    isAway = false
    assert.deepEqual(await post(report(HEADER)), ['AA R-7'])
    assert.equal(delivered.length, 1)
  })

  test('of another processing id, account or kind is stored with its problem and refused', async () => {
    const { delivered, post } = await listen({ ...LEGACY, accounts: ['97512345'] })
    const problemAfter = async (header: string) => [
      await post(report(header)),
      delivered.at(-1)?.problem,
    ]
    const with_ = (from: string, to: string) => HEADER.replace(from, to)
    assert.deepEqual(await problemAfter(with_('|P|', '|T|')), [['AR R-7'], 'wrong_processing_id'])
    assert.deepEqual(await problemAfter(with_('97512345', '1')), [['AR R-7'], 'wrong_receiver'])
    assert.deepEqual(await problemAfter(with_('ORU^R01', 'ADT^A01')), [
      ['AR R-7'],
      'wrong_message_type',
    ])
    assert.deepEqual(await problemAfter(with_('ORU^R01', '')), [['AE R-7'], 'no_message_type'])
    assert.deepEqual(await problemAfter(with_('R-7', '')), [['AE UNKNOWN'], 'no_control_id'])
    assert.deepEqual(await problemAfter(HEADER), [['AA R-7'], undefined])
  })

  test('that is none is stored and answered', async () => {
    const { delivered, post } = await listen(LEGACY)
    assert.deepEqual(await post(Buffer.from('hello')), ['AE UNKNOWN'])
    assert.deepEqual(
      delivered.map(({ problem, controlId }) => [problem, controlId]),
      [['not_hl7', null]],
    )
  })

  test('that is unreadable is accepted where the connection says so, but no test message', async () => {
    const { post } = await listen({ ...LEGACY, ack: { on_unreadable: 'AA' } })
    assert.deepEqual(await post(Buffer.from('hello')), ['AA UNKNOWN'])
    assert.deepEqual(await post(report(HEADER.replace('|P|', '|T|'))), ['AR R-7'])
  })

  test('gets the answers that it asks for in enhanced mode, each in a frame', async () => {
    const { post } = await listen({ ...LEGACY, ack: { mode: 'enhanced' } })
    const asking = (accept: string, application: string, count = 1) =>
      post(report(`${HEADER}|||${accept}|${application}`), count)
    assert.deepEqual(await asking('AL', 'NE'), ['CA R-7'])
    assert.deepEqual(await asking('AL', 'AL', 2), ['CA R-7', 'AA R-7'])
    assert.deepEqual(await asking('NE', 'SU'), ['AA R-7'])
    assert.deepEqual(await asking('NE', 'ER', 0), [])
    assert.deepEqual(await asking('', ''), ['AA R-7'])
    const refused = `${HEADER.replace('|P|', '|T|')}|||ER|ER`
    assert.deepEqual(await post(report(refused), 2), ['CR R-7', 'AR R-7'])
  })

  test('is not answered by a connection without acknowledgements', async () => {
    const { delivered, post } = await listen({ ...LEGACY, ack: { mode: 'none' } })
    assert.deepEqual(await post(report(HEADER), 0), [])
    assert.equal(delivered.length, 1)
  })

  test('that answers an order after its commit is recorded for that order', async () => {
    const { sender } = await listenAsLaboratory((content) => [ackTo(content, 'CA')])
    await open(LEGACY, { sender }).place(REQUISITION)
    const { post } = await listen(LEGACY)
    const [sent] = gateways.store.messages.values()
    assert.equal(sent?.answer?.state, 'committed')
    const header = HEADER.replace('ORU^R01', 'ORR^O02')
    const order = ['ORC|OK|SA00000017|FL-55^ACME', 'OBR|1|SA00000017|FL-55^ACME|5^T^L']
    // It answers another message, so it is not for this order.
    await post(message(header, 'MSA|AE|S-999', ...order), 0)
    assert.equal([...gateways.store.messages.values()][0]?.answer?.state, 'committed')
    await post(message(header, `MSA|AA|${sent?.controlId}`, ...order), 0)
    const answer = [...gateways.store.messages.values()][0]?.answer
    assert.equal(answer?.state, 'accepted')
    assert.deepEqual(answer?.fillerNumbers, ['FL-55'])
  })

  test('that is an answer is stored and not answered', async () => {
    const { delivered, post } = await listen(LEGACY)
    const ack = message(HEADER.replace('ORU^R01', 'ACK'), 'MSA|AA|S-1')
    assert.deepEqual(await post(ack, 0), [])
    assert.equal(delivered.length, 1)
  })
})

describe('a batch', () => {
  const second = SEVERAL_PATIENTS
  const batch = Buffer.concat([
    Buffer.from('FHS|^~\\&|LIS\rBHS|^~\\&|LIS\r'),
    EVERY_STATUS,
    second,
    Buffer.from('BTS|2\rFTS|1\r'),
  ])

  test('is stored as its messages, each with its answer', async () => {
    const { delivered, post } = await listen(LEGACY)
    assert.deepEqual(await post(batch, 2), ['AA R-1', 'AA R-1'])
    assert.deepEqual(
      delivered.map(({ content }) => content),
      [EVERY_STATUS, second],
    )
  })

  test('is stored at once, so that its messages can share a commit', async () => {
    const both = Promise.withResolvers<boolean>()
    let begun = 0
    const { post } = await listen(LEGACY, () => {
      begun += 1
      if (begun === 2) both.resolve(false)
      return both.promise
    })
    assert.deepEqual(await post(batch, 2), ['AA R-1', 'AA R-1'])
  })

  test('is not answered when one of its messages is not stored', async () => {
    let begun = 0
    const { post } = await listen(LEGACY, () => {
      begun += 1
      return begun === 1
    })
    assert.equal(await post(batch, 0), 'closed')
  })

  test('is not answered where the connection says so', async () => {
    const { delivered, post } = await listen({ ...LEGACY, ack: { batch: 'none' } })
    assert.deepEqual(await post(batch, 0), [])
    assert.equal(delivered.length, 2)
  })
})

describe('a stored message', () => {
  test('is read into updates', () => {
    const contentType = 'x-application/hl7-v2+er7'
    const updates = open(LEGACY).read({ contentType, content: SEVERAL_PATIENTS })
    assert.equal(updates.length, 3)
    assert.throws(() => open(LEGACY).read({ contentType: 'text/plain', content: EVERY_STATUS }))
  })
})
