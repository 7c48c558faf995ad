import assert from 'node:assert/strict'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import { frame } from '@salus/hl7v2'
import { createLogger } from '@salus/kernel/log'
import { createMllpReceiver } from './mllp-receiver.ts'
import { createMllpSender } from './mllp-sender.ts'
import type { Receive, Receiver, Sender } from './transport.ts'

type Listening = Extract<ResultTransport, { kind: 'mllp-listen' }>
type Sending = Extract<SendingTransport, { kind: 'mllp' }>

const log = createLogger('silent')
const readSecret = async () => ''
const closers: (() => unknown)[] = []
after(async () => {
  for (const close of closers.reverse()) await close()
})

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listen(
  receive: Receive,
  options: Partial<Listening> = {},
): Promise<[Receiver, number]> {
  const port = await freePort()
  const all: Listening = {
    kind: 'mllp-listen',
    bind: '127.0.0.1',
    port,
    peers: ['127.0.0.1'],
    ...options,
  }
  const receiver = createMllpReceiver(all, readSecret, log)
  await receiver.open(receive)
  closers.push(() => receiver.close())
  return [receiver, port]
}

function sendTo(port: number, options: Partial<Sending> = {}): Sender {
  const all: Sending = { kind: 'mllp', host: '127.0.0.1', port, ack_timeout_seconds: 1, ...options }
  const sender = createMllpSender(all, readSecret)
  closers.push(() => sender.close())
  return sender
}

const messageOf = (id: string, size = 0) => ({
  content: Buffer.from(`MSH|${id}|${'x'.repeat(size)}`),
  controlId: id,
  requisition: null,
  isAnswer: (content: Buffer) => content.toString() === `ACK ${id}`,
})

const acknowledge: Receive = async (content) => [
  Buffer.from(`ACK ${content.toString().split('|')[1]}`),
]

/** Serves a peer that does what the test says with each frame. */
async function servePeer(onData: (socket: Socket, chunk: Buffer) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => onData(socket, chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return (server.address() as { port: number }).port
}

describe('MLLP', () => {
  test('passes messages of any size and returns their answers, over one connection', async () => {
    const received: number[] = []
    const [, port] = await listen(async (content) => {
      received.push(content.length)
      return acknowledge(content)
    })
    const sender = sendTo(port, { ack_timeout_seconds: 30 })
    for (const [index, size] of [0, 10, 5_000_000].entries()) {
      const answer = await sender.send(messageOf(`M${index}`, size))
      assert.equal(answer?.toString(), `ACK M${index}`)
    }
    assert.deepEqual(received, [7, 17, 5_000_007])
  })

  test('gives up after the time limit, and does not take the late answer for the next message', async () => {
    let first: Socket | undefined
    const port = await servePeer((socket, chunk) => {
      const id = chunk.toString().split('|')[1]
      if (first === undefined) {
        first = socket
        return
      }
      first.destroy()
      socket.write(Buffer.concat([frame(Buffer.from('ACK M1')), frame(Buffer.from(`ACK ${id}`))]))
    })
    const sender = sendTo(port)
    await assert.rejects(sender.send(messageOf('M1')), { code: 'ack_timeout' })
    assert.equal((await sender.send(messageOf('M2')))?.toString(), 'ACK M2')
  })

  test('reports a connection that ends after the message was received', async () => {
    const port = await servePeer((socket) => socket.destroy())
    await assert.rejects(sendTo(port).send(messageOf('M1')), { code: 'connection_lost' })
  })

  test('reports that nothing listens, with the code of the system', async () => {
    await assert.rejects(sendTo(await freePort()).check(), { code: 'ECONNREFUSED' })
  })

  test('opens a new connection after the peer closed an idle one', async () => {
    const [receiver, port] = await listen(acknowledge)
    const sender = sendTo(port)
    await sender.send(messageOf('M1'))
    await receiver.close()
    await pause(50)
    await receiver.open(acknowledge)
    assert.equal((await sender.send(messageOf('M2')))?.toString(), 'ACK M2')
  })

  test('reads what comes in pieces, doubled frame bytes and noise between frames', async () => {
    const received: string[] = []
    const [, port] = await listen(async (content) => {
      received.push(content.toString())
      return []
    })
    const socket = connect(port, '127.0.0.1')
    closers.push(() => socket.destroy())
    const bytes = Buffer.concat([
      Buffer.from('noise\r\n'),
      Buffer.of(0x0b),
      frame(Buffer.from('MSH|one')),
      Buffer.from('\r\n'),
      frame(Buffer.from('MSH|two')),
    ])
    for (const byte of bytes) socket.write(Buffer.of(byte))
    while (received.length < 2) await pause(5)
    assert.deepEqual(received, ['MSH|one', 'MSH|two'])
  })

  for (const [name, bytes, options] of [
    ['stays unfinished', Buffer.from('\x0bMSH|half'), { frame_timeout_seconds: 1 }],
    ['is too large', frame(Buffer.alloc(1024 ** 2 + 1, 'x')), { max_message_megabytes: 1 }],
  ] as const) {
    test(`closes a connection whose message ${name}, and takes nothing of it`, async () => {
      const received: Buffer[] = []
      const [, port] = await listen(async (content) => {
        received.push(content)
        return []
      }, options)
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(bytes)
      await new Promise((resolve) => socket.on('close', resolve))
      assert.deepEqual(received, [])
    })
  }

  test('closes the connection without an answer when a message cannot be stored', async () => {
    const [, port] = await listen(() => Promise.reject(new Error('the database is down')))
    await assert.rejects(sendTo(port).send(messageOf('M1')), { code: 'connection_lost' })
  })

  test('answers the message in work before it closes', async () => {
    let store: () => void = () => {}
    const stored = new Promise<void>((resolve) => {
      store = resolve
    })
    let isReceived = false
    const [receiver, port] = await listen(async (content) => {
      isReceived = true
      await stored
      return acknowledge(content)
    })
    const answer = sendTo(port, { ack_timeout_seconds: 10 }).send(messageOf('M1'))
    while (!isReceived) await pause(5)
    const closed = receiver.close()
    store()
    assert.equal((await answer)?.toString(), 'ACK M1')
    await closed
  })
})
