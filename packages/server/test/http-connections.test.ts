import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

const harness = useFixture(createHarness)

/** Everything that comes back for some bytes, until the connection ends. */
async function exchange(port: number, ...pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const ended = text(socket)
  for (const piece of pieces) socket.write(piece)
  return ended.finally(() => socket.destroy())
}

function assertAnswer(answer: string, status: number, errorType: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
  assert.match(head, /content-type: application\/json/i)
  assert.match(head, /connection: close/i)
  const { detail } = JSON.parse(body)
  assert.deepEqual(Object.keys(detail), ['error_type', 'error_message'])
  assert.equal(detail.error_type, errorType)
}

test('what is no request is refused with the body of every other refusal', async (t) => {
  const app = await buildApp(harness.dependencies)
  t.after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const start = 'GET /v2/user HTTP/1.1\r\nhost: x\r\n'
  assertAnswer(await exchange(port, 'nonsense\r\n\r\n'), 400, 'malformed_request')
  assertAnswer(await exchange(port, `${start}a b: c\r\n\r\n`), 400, 'malformed_request')
  const long = 'x'.repeat(300_000)
  const header = `${start}x-long: ${long}\r\n\r\n`
  assertAnswer(await exchange(port, header), 431, 'headers_too_large')
  const address = `GET /v3/orders?order_ids=${long} HTTP/1.1\r\nhost: x\r\n\r\n`
  assertAnswer(await exchange(port, address), 431, 'headers_too_large')
})

test('a request that comes while the server stops is 503, and one from before is answered', async (t) => {
  let isStopping = false
  const app = await buildApp({ ...harness.dependencies, isStopping: () => isStopping })
  t.after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const ended = text(socket)
  const head = `host: x\r\nx-service-api-key: ${harness.apiKey}\r\n`
  const body = JSON.stringify({ client_user_id: 'in flight' })
  const sized = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  socket.write(`POST /v2/user HTTP/1.1\r\n${head}${sized}`)
  await once(app.server, 'request')
  isStopping = true
  socket.write(`${body}GET /v2/user HTTP/1.1\r\n${head}\r\n`)
  const [, first = '', second = ''] = (await ended).split('HTTP/1.1 ')
  assert.match(first, /^200 OK/)
  assertAnswer(`HTTP/1.1 ${second}`, 503, 'shutting_down')
  assert.match(second, /retry-after: 1/i)
  const ready = await app.inject({ method: 'GET', url: '/health/ready' })
  assert.deepEqual([ready.statusCode, ready.json().status], [503, 'stopping'])
  assert.equal((await app.inject({ method: 'GET', url: '/healthz' })).statusCode, 200)
})
