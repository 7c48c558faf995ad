import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A real server on this machine, as the remote side of an attempt. */
export interface LocalSink {
  readonly port: number
  /** By its IPv4 address, without a slash at the end. */
  readonly url: string
  /** Connections that it got so far. */
  readonly connectionCount: number
  /** Settles when all its connections are closed, by whichever side. */
  waitUntilDisconnected(): Promise<void>
  close(): Promise<void>
}

/** Where a sink leaves what ends it: the context of a test, or `{ after }` of its file. */
export interface SinkOwner {
  after(end: () => Promise<void>): void
}

async function listen(owner: SinkOwner, server: Server): Promise<LocalSink> {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  server.on('connection', (socket: Socket) => {
    connectionCount += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side may break off; that is what many tests are about.
    socket.on('error', () => undefined)
  })
  // No host: also over IPv6, where there is one.
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  owner.after(close)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get connectionCount() {
      return connectionCount
    },
    async waitUntilDisconnected() {
      for (const socket of sockets) await new Promise((resolve) => socket.on('close', resolve))
    },
    close,
  }
}

/** A sink that speaks HTTP as it should. */
export function openHttpSink(owner: SinkOwner, listener: RequestListener): Promise<LocalSink> {
  return listen(owner, createHttpServer(listener))
}

/** A sink that may answer with anything; `answer` is called for each request. */
export function openRawSink(
  owner: SinkOwner,
  answer: (socket: Socket) => void,
): Promise<LocalSink> {
  // A small request comes in one piece.
  return listen(
    owner,
    createServer((socket) => socket.on('data', () => answer(socket))),
  )
}
