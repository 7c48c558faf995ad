import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A laboratory information system that speaks HL7 v2 over MLLP. It shares no code with the gateway:
 * it frames, reads and writes messages by itself, as plainly as a test can be checked by eye.
 */
export interface Laboratory {
  /** Port on which it takes orders. */
  port: number
  /** Messages as they came, oldest first, repetitions included. */
  received: Order[]
  /** What it answers to an order; null answers nothing. */
  answer: (order: Order) => string | null
  /** What it does with a connection after an order came, instead of answering. */
  trouble: ((socket: Socket, order: Order) => void) | undefined
  /** Sends a message to a port of Salus, and returns the answer. */
  send(port: number, message: string | Buffer): Promise<Record<string, string[][]>>
  close(): Promise<void>
}

/** An order as the laboratory read it. */
export interface Order {
  raw: string
  controlId: string
  segments: string[][]
  placer: string
  tests: string[]
  control: string
}

const START = '\x0b'
const END = '\x1c\r'

export async function startLaboratory(): Promise<Laboratory> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END)) {
        const order = readOrder(text.slice(text.indexOf(START) + 1, end))
        text = text.slice(end + END.length)
        laboratory.received.push(order)
        if (laboratory.trouble !== undefined) return laboratory.trouble(socket, order)
        const answer = laboratory.answer(order)
        if (answer !== null) socket.write(START + answer + END, 'latin1')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const laboratory: Laboratory = {
    port: (server.address() as { port: number }).port,
    received: [],
    answer: (order) => acknowledge(order, 'AA'),
    trouble: undefined,
    send: (port, message) => sendMessage(port, message),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return laboratory
}

/** Reads an order as it was sent, without its frame. */
export function readOrder(raw: string): Order {
  const segments = raw
    .split('\r')
    .filter((line) => line !== '')
    .map((line) => line.split('|'))
  const named = (name: string) => segments.filter(([first]) => first === name)
  const placer = named('ORC')[0]?.[2]?.split('^')[0] ?? ''
  return {
    raw,
    segments,
    // The separator itself is the first field of MSH.
    controlId: named('MSH')[0]?.[9] ?? '',
    placer,
    control: named('ORC')[0]?.[1] ?? '',
    tests: named('OBR').map((obr) => obr[4]?.split('^').find((code) => code !== '') ?? ''),
  }
}

export function acknowledge({ controlId, segments }: Order, code: string, error = ''): string {
  const version = segments[0]?.[11] ?? '2.3'
  const head = [
    'MSH',
    '^~\\&',
    'LAB',
    'QUEST',
    'SALUS',
    '',
    '20260301090000-0500',
    '',
    'ACK',
    `A${controlId}`,
    'T',
    version,
  ]
  return [head.join('|'), `MSA|${code}|${controlId}`, ...(error === '' ? [] : [error])].join('\r')
}

/** Sends one message over a connection of its own, and returns the answer by segment. */
async function sendMessage(
  port: number,
  message: string | Buffer,
): Promise<Record<string, string[][]>> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => {})
  socket.write(
    Buffer.concat([
      Buffer.from(START),
      typeof message === 'string' ? Buffer.from(message) : message,
      Buffer.from(END),
    ]),
  )
  while (!text.endsWith(END) && !isClosed) await pause(5)
  socket.destroy()
  const answer: Record<string, string[][]> = {}
  for (const line of text.replace(START, '').replace(END, '').split('\r')) {
    const fields = line.split('|')
    const name = fields[0] ?? ''
    answer[name] = [...(answer[name] ?? []), fields]
  }
  return answer
}
