import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Time limit of the server for the headers of a request; the connection then ends with 408. */
export const SLOW_HEADERS = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 }

/**
 * Time limit of a body, with one more second for each of these bytes: a slow phone can keep up, a
 * client that sends almost nothing cannot.
 */
const BODY_MS = 20_000
const BYTES_A_SECOND = 500
const SWEEP_MS = 1_000
/** Time for which the connection stays open after an early answer, for the client to read it. */
const LINGER_MS = 500

/** A request whose body is awaited. */
interface Arriving {
  raw: IncomingMessage
  arrivedAt: number
  bytesBefore: number
  waitedMs: number
}

/**
 * Ends requests whose body arrives too slowly with 408, and does not read further data after an
 * answer, because the rest of a refused or too large request is of no use. Without this a
 * connection costs its owner nothing and keeps the process from stopping.
 */
export function registerSlowRequests(
  app: FastifyInstance,
  bodyMs = BODY_MS,
  readClock = () => performance.now(),
): void {
  const arriving = new Set<Arriving>()
  let lastSweep = readClock()
  const timer = setInterval(() => {
    const now = readClock()
    const since = lastSweep
    lastSweep = now
    for (const request of arriving) {
      // While the process was busy it read nothing; that time is not the client's.
      const passedMs = Math.min(now - Math.max(since, request.arrivedAt), SWEEP_MS)
      if (request.raw.complete || request.raw.destroyed) arriving.delete(request)
      else if (isTooSlow(request, passedMs, bodyMs)) endSlow(app, request.raw)
    }
  }, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  // After authentication, which may take its own time.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request
    const [arrivedAt, bytesBefore] = [readClock(), raw.socket.bytesRead]
    if (awaitsBody(raw)) arriving.add({ raw, arrivedAt, bytesBefore, waitedMs: 0 })
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (awaitsBody(raw)) {
      reply.header('connection', 'close')
      closeGradually(raw.socket)
      reply.raw.once('finish', () => raw.resume())
    }
    done(null, payload)
  })
}

function awaitsBody(raw: IncomingMessage): boolean {
  if (raw.complete) return false
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0
}

function isTooSlow(request: Arriving, passedMs: number, bodyMs: number): boolean {
  const { raw, bytesBefore } = request
  // Data that have arrived and were not read yet wait for us.
  if (raw.readableLength > 0) return false
  request.waitedMs += passedMs
  const received = raw.socket.bytesRead - bytesBefore
  return request.waitedMs > bodyMs + (received / BYTES_A_SECOND) * 1000
}

/** Ends a request as the server does when its headers are late. */
function endSlow(app: FastifyInstance, { socket }: IncomingMessage): void {
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  app.server.emit('clientError', error, socket)
}

/**
 * A connection that is closed while data are arriving resets, and the client may lose the answer.
 * So its end is announced first, and further data are discarded.
 */
function closeGradually(socket: Socket): void {
  // The server calls it when the answer is sent.
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
