import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SendingTransport } from '@salus/contracts/lab-gateway'
import { FrameReader, frame } from '@salus/hl7v2'
import { isEncrypted, type ReadSecret, readTls } from './tls-options.ts'
import { type OutgoingContent, type Sender, TransportError } from './transport.ts'

type Options = Extract<SendingTransport, { kind: 'mllp' }>

const ACK_TIMEOUT_SECONDS = 60
const CONNECT_TIMEOUT_SECONDS = 10
/** Acknowledgements are short. */
const MOST_ANSWER_BYTES = 1024 ** 2

/**
 * Sends messages over MLLP. The connection stays open between messages unless the options say
 * otherwise. After a timeout it is closed, because an answer that comes later could be taken for
 * the answer to the next message.
 */
export function createMllpSender(options: Options, readSecret: ReadSecret): Sender {
  let open: Socket | undefined
  const drop = (socket: Socket): void => {
    if (open === socket) open = undefined
    socket.destroy()
  }
  const getSocket = async (): Promise<Socket> => {
    if (open !== undefined && !open.destroyed && open.writable) return open
    const socket = await openSocket(options, readSecret)
    socket.setKeepAlive(true, 30_000)
    // Between messages nothing else notices that the peer closed the connection.
    socket.on('error', () => drop(socket))
    socket.on('end', () => drop(socket))
    socket.on('close', () => drop(socket))
    open = socket
    return socket
  }
  return {
    async send(message) {
      const socket = await getSocket()
      try {
        return await exchange(socket, message, options.ack_timeout_seconds ?? ACK_TIMEOUT_SECONDS)
      } catch (error) {
        drop(socket)
        throw error
      } finally {
        if (options.keep_open === false) drop(socket)
      }
    },
    async check() {
      const socket = await getSocket()
      if (options.keep_open === false) drop(socket)
    },
    async close() {
      if (open !== undefined) drop(open)
    },
  }
}

async function openSocket(options: Options, readSecret: ReadSecret): Promise<Socket> {
  const { host, port, tls } = options
  const material = await readTls(tls, readSecret)
  const socket = isEncrypted(tls)
    ? // An address is no name of a server (RFC 6066); the certificate has to have it anyway.
      connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...material })
    : connect({ host, port })
  const opened = isEncrypted(tls) ? 'secureConnect' : 'connect'
  const seconds = options.connect_timeout_seconds ?? CONNECT_TIMEOUT_SECONDS
  return new Promise((resolve, reject) => {
    const fail = (code: string, cause?: unknown): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(new TransportError(code, { cause }))
    }
    const timer = setTimeout(() => fail('connect_timeout'), seconds * 1000)
    const onError = (error: NodeJS.ErrnoException): void => fail(error.code ?? 'connect', error)
    socket.once('error', onError)
    socket.once(opened, () => {
      clearTimeout(timer)
      socket.off('error', onError)
      resolve(socket)
    })
  })
}

/** Writes a message, and waits for the frame that answers it. */
function exchange(
  socket: Socket,
  { content, isAnswer }: OutgoingContent,
  timeoutSeconds: number,
): Promise<Buffer> {
  const reader = new FrameReader(MOST_ANSWER_BYTES)
  return new Promise((resolve, reject) => {
    const end = (work: () => void): void => {
      clearTimeout(timer)
      socket.off('data', onData)
      socket.off('close', onClose)
      work()
    }
    const fail = (code: string): void => end(() => reject(new TransportError(code)))
    const timer = setTimeout(() => fail('ack_timeout'), timeoutSeconds * 1000)
    const onClose = (): void => fail('connection_lost')
    const onData = (chunk: Buffer): void => {
      const events = reader.push(chunk)
      // An answer to an earlier message may come late; it is not this one's.
      const answer = events.find((event) => event.kind === 'frame' && isAnswer(event.content))
      if (answer?.kind === 'frame') end(() => resolve(answer.content))
      else if (events.some(({ kind }) => kind === 'too_large')) fail('answer_too_large')
    }
    socket.on('data', onData)
    socket.on('close', onClose)
    socket.write(frame(content))
  })
}
