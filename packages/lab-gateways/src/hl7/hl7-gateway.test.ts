import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { after, beforeEach, describe, test } from 'node:test'
import type {
  InboundMessage,
  LabConnection,
  LabConnectionConfig,
  LabGateway,
} from '@salus/contracts/lab-gateway'
import { FrameReader, frame } from '@salus/hl7v2'
import { createLogger } from '@salus/kernel/log'
import { configOf } from '../../test/connections.ts'
import { createMemoryStore, type MemoryStore } from '../../test/memory-connection-store.ts'
import { only, parseMessage } from '../../test/minimal-parser.ts'
import { EVERY_STATUS, message, SEVERAL_PATIENTS } from '../../test/report-messages.ts'
import { NUMBERS, REQUISITION } from '../../test/requisitions.ts'
import { createMllpReceiver } from '../transports/mllp-receiver.ts'
import { createMllpSender } from '../transports/mllp-sender.ts'
import type { Receiver, Sender } from '../transports/transport.ts'
import { createHl7Gateway } from './hl7-gateway.ts'

const NOW = new Date('2026-03-10T00:00:00Z')
const clock = { now: () => NOW }
const closers: (() => unknown)[] = []
after(async () => {
  for (const close of closers.reverse()) await close()
})
const readSecret = async (reference: string): Promise<string> => {
  throw new Error(`There is no secret ${reference}.`)
}

function connectionOf(config: LabConnectionConfig): LabConnection {
  const environmentId = REQUISITION.environmentId
  const gatewayName = `hl7:${config.connection}`
  return { id: 'c1', environmentId, environmentKind: 'production', gatewayName, config, readSecret }
}

const LEGACY = configOf('hl7-2.3-legacy')
let store: MemoryStore
beforeEach(() => {
  store = createMemoryStore(NUMBERS)
})

const open = (
  config: LabConnectionConfig,
  transports: { sender?: Sender; receiver?: Receiver } = {},
): LabGateway => {
  const { sender = null, receiver = null } = transports
  return createHl7Gateway(connectionOf(config), store, { sender, receiver }, clock)
}

/** A laboratory that listens and answers each message by `answer`; null is no answer. */
async function listenAsLaboratory(answer: (content: Buffer) => Buffer[]): Promise<{
  sender: Sender
  received: Buffer[]
}> {
  const received: Buffer[] = []
  const server: Server = createServer((socket) => {
    const reader = new FrameReader(1_000_000)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      for (const event of reader.push(chunk)) {
        if (event.kind !== 'frame') continue
        received.push(event.content)
        for (const content of answer(event.content)) socket.write(frame(content))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sender = createMllpSender(
    { kind: 'mllp', host: '127.0.0.1', port, ack_timeout_seconds: 1 },
    readSecret,
  )
  closers.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => sender.close(),
  )
  return { sender, received }
}

const ackTo = (content: Buffer, code: string, ...more: string[]): Buffer =>
  message(
    'MSH|^~\\&|LAB|ACME|SALUS|97512345|20260301120510||ACK|L-1|P|2.3',
    `MSA|${code}|${only(parseMessage(content), 'MSH').fields[10]}`,
    ...more,
  )

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
    store = createMemoryStore({ ...NUMBERS, requisition: null })
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
      store.attempts.map(([, problem]) => problem),
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
    assert.equal(received.length + store.messages.size, 0)
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

/** Opens a gateway that listens, and returns what sends to it as the laboratory does. */
async function listen(
  config: LabConnectionConfig,
  fails: () => boolean | Promise<boolean> = () => false,
) {
  const port = await freePort()
  const options = { kind: 'mllp-listen' as const, bind: '127.0.0.1', port, peers: ['127.0.0.1'] }
  const receiver = createMllpReceiver(options, readSecret, createLogger('silent'))
  const gateway = open(config, { receiver })
  const delivered: InboundMessage[] = []
  await gateway.open(async (inbound) => {
    if (await fails()) throw new Error('The database is away.')
    delivered.push(inbound)
    return { messageId: String(delivered.length), isNew: true }
  })
  closers.push(() => gateway.close())
  return { delivered, post: (content: Buffer, count = 1) => post(port, content, count) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Sends a frame, and returns MSA-1 and MSA-2 of each framed answer; `closed` when the connection
 * ended. After `count` answers it waits a little for one too many.
 */
function post(port: number, content: Buffer, count: number): Promise<string[] | 'closed'> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(frame(content)))
    const reader = new FrameReader(1_000_000)
    const codes: string[] = []
    const end = (outcome: string[] | 'closed') => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    let timer = setTimeout(() => end(codes), count === 0 ? 200 : 5000)
    socket.on('data', (chunk) => {
      for (const event of reader.push(chunk)) {
        if (event.kind !== 'frame') continue
        const acks = parseMessage(event.content).filter(({ name }) => name === 'MSA')
        codes.push(acks.map(({ fields }) => `${fields[1]} ${fields[2]}`).join('+'))
        if (codes.length !== count) continue
        clearTimeout(timer)
        timer = setTimeout(() => end(codes), 40)
      }
    })
    socket.on('close', () => end('closed'))
  })
}

const report = (header: string) =>
  message(header, 'PID|1||884412||VANCE^ORLA', 'OBR|1|SA1|FL-1|5^T^L|||||||||||||||||||||F')
const HEADER = 'MSH|^~\\&|LIS|ACME|SALUS|97512345|20260309085000||ORU^R01|R-7|P|2.3'

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
    const [sent] = store.messages.values()
    assert.equal(sent?.answer?.state, 'committed')
    const header = HEADER.replace('ORU^R01', 'ORR^O02')
    const order = ['ORC|OK|SA00000017|FL-55^ACME', 'OBR|1|SA00000017|FL-55^ACME|5^T^L']
    // It answers another message, so it is not for this order.
    await post(message(header, 'MSA|AE|S-999', ...order), 0)
    assert.equal([...store.messages.values()][0]?.answer?.state, 'committed')
    await post(message(header, `MSA|AA|${sent?.controlId}`, ...order), 0)
    const answer = [...store.messages.values()][0]?.answer
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
