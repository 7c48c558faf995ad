import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { after, beforeEach } from 'node:test'
import type {
  InboundMessage,
  LabConnection,
  LabConnectionConfig,
  LabGateway,
} from '@salus/contracts/lab-gateway'
import { FrameReader, frame } from '@salus/hl7v2'
import { createLogger } from '@salus/kernel/log'
import { createHl7Gateway } from '../src/hl7/hl7-gateway.ts'
import { createMllpReceiver } from '../src/transports/mllp-receiver.ts'
import { createMllpSender } from '../src/transports/mllp-sender.ts'
import type { Receiver, Sender } from '../src/transports/transport.ts'
import { configOf } from './connections.ts'
import { createMemoryStore } from './memory-connection-store.ts'
import { only, parseMessage } from './minimal-parser.ts'
import { message } from './report-messages.ts'
import { NUMBERS, REQUISITION } from './requisitions.ts'

const NOW = new Date('2026-03-10T00:00:00Z')
const clock = { now: () => NOW }
const readSecret = async (reference: string): Promise<string> => {
  throw new Error(`There is no secret ${reference}.`)
}

function connectionOf(config: LabConnectionConfig): LabConnection {
  const environmentId = REQUISITION.environmentId
  const gatewayName = `hl7:${config.connection}`
  return { id: 'c1', environmentId, environmentKind: 'production', gatewayName, config, readSecret }
}

export const LEGACY = configOf('hl7-2.3-legacy')
export const ackTo = (content: Buffer, code: string, ...more: string[]): Buffer =>
  message(
    'MSH|^~\\&|LAB|ACME|SALUS|97512345|20260301120510||ACK|L-1|P|2.3',
    `MSA|${code}|${only(parseMessage(content), 'MSH').fields[10]}`,
    ...more,
  )

/** Gateways with a store of their own in each test, which are closed at the end of the file. */
export function useHl7Gateways() {
  const closers: (() => unknown)[] = []
  after(async () => {
    for (const close of closers.reverse()) await close()
  })
  const opened = { store: createMemoryStore(NUMBERS) }
  beforeEach(() => {
    opened.store = createMemoryStore(NUMBERS)
  })
  const open = (
    config: LabConnectionConfig,
    transports: { sender?: Sender; receiver?: Receiver } = {},
  ): LabGateway => {
    const { sender = null, receiver = null } = transports
    return createHl7Gateway(connectionOf(config), opened.store, { sender, receiver }, clock)
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

  return Object.assign(opened, { open, listenAsLaboratory, listen })
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

export const report = (header: string) =>
  message(header, 'PID|1||884412||VANCE^ORLA', 'OBR|1|SA1|FL-1|5^T^L|||||||||||||||||||||F')
export const HEADER = 'MSH|^~\\&|LIS|ACME|SALUS|97512345|20260309085000||ORU^R01|R-7|P|2.3'
