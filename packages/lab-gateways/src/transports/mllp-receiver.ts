import { BlockList, createServer, isIPv4, isIPv6, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { ResultTransport } from '@salus/contracts/lab-gateway'
import { type FrameEvent, FrameReader, frame } from '@salus/hl7v2'
import type { Log } from '@salus/kernel/log'
import { isEncrypted, type ReadSecret, readTls } from './tls-options.ts'
import { type Receive, type Receiver, TransportError } from './transport.ts'

type Options = Extract<ResultTransport, { kind: 'mllp-listen' }>

const MEBIBYTE = 1024 ** 2
const MOST_MESSAGE_MEGABYTES = 50
const FRAME_TIMEOUT_SECONDS = 30
const MOST_CONNECTIONS = 20

/**
 * Listens for messages over MLLP from the peers of an allow-list. Each connection has one message
 * in work: the next one is read when it is answered. A connection ends without an answer when a
 * message cannot be stored, so that the peer repeats it, and when a message stays unfinished.
 */
export function createMllpReceiver(options: Options, readSecret: ReadSecret, log: Log): Receiver {
  const sockets = new Map<Socket, Served>()
  let server: Server | undefined
  return {
    async open(receive) {
      const peers = readPeers(options.peers)
      const onConnection = (socket: Socket): void => {
        const address = socket.remoteAddress ?? ''
        const most = options.max_connections ?? MOST_CONNECTIONS
        if (!isAllowed(peers, address) || sockets.size >= most) {
          log.warn({ reason: 'peer_refused' }, 'a connection of a laboratory was refused')
          socket.destroy()
          return
        }
        socket.setKeepAlive(true, 30_000)
        // The second of two answers to a message must not wait for the peer.
        socket.setNoDelay(true)
        sockets.set(socket, serve(socket, options, receive, log))
        socket.on('close', () => sockets.delete(socket))
      }
      server = await listen(options, readSecret, onConnection)
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        if (server === undefined) resolve()
        else server.close(() => resolve())
      })
      await Promise.all([...sockets.values()].map((served) => served.finish()))
      await closed
    },
    async check() {
      readPeers(options.peers)
      await readTls(options.tls, readSecret)
    },
  }
}

/** Networks by family: to one list alone, a wide network of IPv6 has all of IPv4 in it. */
type Peers = Record<'ipv4' | 'ipv6', BlockList>

/** @throws TransportError `wrong_peer` for what is no network */
export function readPeers(texts: readonly string[]): Peers {
  const peers: Peers = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const [given = '', bits] = text.toLowerCase().split('/')
    const address = withoutMapping(given)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    // A mapped network counts the bits of the mapping too.
    const mapped = address === given ? 0 : MAPPED_BITS
    try {
      const prefix = bits === undefined ? undefined : Number(bits) - mapped
      peers[family].addSubnet(address, prefix ?? (family === 'ipv6' ? 128 : 32), family)
    } catch (cause) {
      throw new TransportError('wrong_peer', { cause })
    }
  }
  return peers
}

const MAPPED = '::ffff:'
const MAPPED_BITS = 96

/** Returns the address of IPv4 that one of IPv6 stands for, as sockets of both kinds give it. */
const withoutMapping = (address: string): string =>
  address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length))
    ? address.slice(MAPPED.length)
    : address

function isAllowed(peers: Peers, address: string): boolean {
  const plain = withoutMapping(address)
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  return plain !== '' && peers[family].check(plain, family)
}

async function listen(
  options: Options,
  readSecret: ReadSecret,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const material = await readTls(options.tls, readSecret)
  const isMutual = options.tls?.mode === 'mutual'
  const server = isEncrypted(options.tls)
    ? createTlsServer(
        { ...material, requestCert: isMutual, rejectUnauthorized: isMutual },
        onConnection,
      )
    : createServer(onConnection)
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new TransportError(cause.code ?? 'listen', { cause })),
    )
    server.listen({ host: options.bind, port: options.port }, () => resolve(server))
  })
}

interface Served {
  /** Answers the message in work, reads no other, and ends the connection. */
  finish(): Promise<void>
}

/** Answers the messages of a connection until it ends. */
function serve(socket: Socket, options: Options, receive: Receive, log: Log): Served {
  const megabytes = options.max_message_megabytes ?? MOST_MESSAGE_MEGABYTES
  const reader = new FrameReader(megabytes * MEBIBYTE)
  const timeoutMs = (options.frame_timeout_seconds ?? FRAME_TIMEOUT_SECONDS) * 1000
  let timer: NodeJS.Timeout | undefined
  const giveUp = (reason: string): void => {
    log.warn({ reason }, 'a connection of a laboratory was closed')
    socket.destroy()
  }
  const answerAll = async (events: FrameEvent[]): Promise<void> => {
    for (const event of events) {
      if (event.kind === 'too_large') return giveUp('too_large')
      if (event.kind !== 'frame') continue
      const answers = await receive(event.content)
      // The answers of a batch leave together.
      socket.cork()
      for (const answer of answers) if (socket.writable) socket.write(frame(answer))
      socket.uncork()
    }
  }
  let work = Promise.resolve()
  let isFinishing = false
  socket.on('data', (chunk) => {
    clearTimeout(timer)
    const events = reader.push(chunk)
    if (reader.isInsideFrame) timer = setTimeout(() => giveUp('frame_timeout'), timeoutMs)
    if (events.length === 0) return
    socket.pause()
    work = answerAll(events).then(
      () => {
        if (!isFinishing) socket.resume()
      },
      // The cause is logged where it happened; here only the peer has to repeat its message.
      () => giveUp('not_stored'),
    )
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => clearTimeout(timer))
  return {
    async finish() {
      isFinishing = true
      socket.pause()
      await work
      socket.end(() => socket.destroy())
    },
  }
}
