import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { FrameReader, frame } from '@salus/hl7v2'

/** An address of TCP. */
export interface Address {
  host: string
  port: number
}

/** Messages are orders and acknowledgments. */
const MOST_BYTES = 10 * 1024 ** 2

/**
 * Listens for messages over MLLP. `answer` returns what is answered, each in a frame of its own;
 * null breaks the connection without an answer.
 */
export async function listenForMessages(
  { host, port }: Address,
  answer: (content: Buffer) => Promise<readonly Buffer[] | null>,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    const reader = new FrameReader(MOST_BYTES)
    sockets.add(socket)
    // A peer that goes away only ends its own connection.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    let work = Promise.resolve()
    socket.on('data', (chunk) => {
      for (const event of reader.push(chunk)) {
        if (event.kind === 'frame') work = work.then(() => respond(socket, answer(event.content)))
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function respond(socket: Socket, answers: Promise<readonly Buffer[] | null>): Promise<void> {
  const frames = await answers
  if (frames === null) socket.destroy()
  for (const content of frames ?? []) if (socket.writable) socket.write(frame(content))
}

/** How long a message waits for its answer before it is sent again. */
const ANSWER_TIMEOUT_MS = 30_000
/** How long the sender waits before it tries again. */
const RETRY_MS = 1000

/** Sends messages over MLLP, one after the other, each until it is answered. */
export class MessageSender {
  readonly #address: Address
  readonly #signal: AbortSignal
  readonly #onTrouble: (problem: string) => void
  #queue: Promise<unknown> = Promise.resolve()

  /** @param onTrouble Called with the code of each failed attempt. */
  constructor(address: Address, signal: AbortSignal, onTrouble: (problem: string) => void) {
    this.#address = address
    this.#signal = signal
    this.#onTrouble = onTrouble
  }

  /**
   * Sends a message, behind those that wait, and returns its answer.
   * @param isAnswer whether the bytes of a frame answer the message
   * @throws the reason of the signal when that fires
   */
  send(content: Buffer, isAnswer: (bytes: Buffer) => boolean): Promise<Buffer> {
    const sent = this.#queue.then(() => this.#sendUntilAnswered(content, isAnswer))
    this.#queue = sent.catch(() => undefined)
    return sent
  }

  async #sendUntilAnswered(content: Buffer, isAnswer: (bytes: Buffer) => boolean): Promise<Buffer> {
    for (;;) {
      this.#signal.throwIfAborted()
      const outcome = await exchange(this.#address, content, isAnswer, this.#signal)
      if (typeof outcome !== 'string') return outcome
      this.#signal.throwIfAborted()
      this.#onTrouble(outcome)
      await pause(RETRY_MS, undefined, { signal: this.#signal })
    }
  }
}

/** Sends one message over a connection of its own. Returns the answer, or the code of a trouble. */
function exchange(
  address: Address,
  content: Buffer,
  isAnswer: (bytes: Buffer) => boolean,
  signal: AbortSignal,
): Promise<Buffer | string> {
  const reader = new FrameReader(MOST_BYTES)
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (outcome: Buffer | string): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      resolve(outcome)
    }
    const onAbort = (): void => end('stopped')
    const timer = setTimeout(() => end('no_answer'), ANSWER_TIMEOUT_MS)
    signal.addEventListener('abort', onAbort)
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'connection'))
    socket.on('close', () => end('connection_closed'))
    socket.on('data', (chunk) => {
      for (const event of reader.push(chunk)) {
        if (event.kind === 'frame' && isAnswer(event.content)) end(event.content)
      }
    })
    socket.write(frame(content))
  })
}
