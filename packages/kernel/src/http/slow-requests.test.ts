import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { registerSlowRequests, SLOW_HEADERS } from './slow-requests.ts'

const BODY_MS = 1000
const LIMIT = 1000

let app: FastifyInstance
let port: number
before(async () => {
  app = Fastify({
    http: { ...SLOW_HEADERS, headersTimeout: 1500, connectionsCheckingInterval: 100 },
  })
  registerSlowRequests(app, BODY_MS)
  app.post('/echo', { bodyLimit: LIMIT }, async (request) => request.body)
  app.post(
    '/refused',
    { onRequest: async (_, reply) => reply.code(401).send('no') },
    async () => '',
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
after(() => app.close())

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`

/**
 * Sends a beginning, then a byte now and then until the other side ends; what came back, and when.
 */
async function drip(beginning: string): Promise<{ answer: string; ms: number }> {
  const startedAt = performance.now()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => undefined)
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.write(beginning)
  const timer = setInterval(() => socket.writable && socket.write('a'), 50)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return { answer, ms: performance.now() - startedAt }
}

test('a body that drips in is ended with 408', async () => {
  const { answer, ms } = await drip(head('/echo', 900))
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.ok(ms < 4000, `${ms} ms`)
})

test('headers that drip in are ended with 408', async () => {
  const { answer } = await drip('POST /echo HTTP/1.1\r\nx-')
  assert.match(answer, /^HTTP\/1\.1 408 /)
})

for (const [why, path, status] of [
  ['refused', '/refused', 401],
  ['too large', '/echo', 413],
] as const) {
  test(`a body that is ${why} is not awaited: the connection ends after the answer`, async () => {
    const { answer, ms } = await drip(head(path, 100_000))
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(answer, /connection: close/i)
    assert.ok(ms < 4000, `${ms} ms`)
  })

  test(`a large body that is ${why} does not cost its sender the answer`, async () => {
    for (let time = 0; time < 5; time += 1) {
      const body = Buffer.alloc(20_000_000, 'a')
      const headers = { 'content-type': 'text/plain' }
      const url = `http://127.0.0.1:${port}${path}`
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, status)
    }
  })
}

/** Sends pieces of a body, each within a second of a clock that only the test moves. */
async function sendEachSecond(t: TestContext, pieceBytes: number): Promise<string> {
  const pieces = 20
  let now = 0
  t.mock.timers.enable({ apis: ['setInterval'] })
  const server = Fastify()
  registerSlowRequests(server, BODY_MS, () => now)
  const arriving = Promise.withResolvers<Socket>()
  const onRequest = async ({ raw }: FastifyRequest) => arriving.resolve(raw.socket)
  server.post('/echo', { onRequest }, async (request) => request.body)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  const closed = once(socket, 'close')
  const beginning = head('/echo', pieces * pieceBytes)
  socket.write(beginning)
  const received = await arriving.promise
  for (let sent = 1; sent <= pieces && socket.writable; sent += 1) {
    socket.write('a'.repeat(pieceBytes))
    const bytes = beginning.length + sent * pieceBytes
    while (received.bytesRead < bytes && !received.destroyed) await nextTurn()
    now += 1000
    t.mock.timers.tick(1000)
    await nextTurn()
  }
  socket.end()
  await closed
  await server.close()
  return answer
}

test('a body that comes in pieces but keeps its pace is taken', async (t) => {
  assert.match(await sendEachSecond(t, 550), /^HTTP\/1\.1 200 /)
})

test('a body that comes in pieces and falls behind is ended with 408', async (t) => {
  assert.match(await sendEachSecond(t, 400), /^HTTP\/1\.1 408 /)
})
