import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import type { App } from './app-types.ts'
import { keepUncompressed, registerCompression } from './compression.ts'
import { registerBodyTags } from './entity-tags.ts'

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, text: 'ü'.repeat(index % 7) }))
const SHORT = JSON.stringify(rows(20))
const MIDDLE = JSON.stringify(rows(400))
const LONG = Buffer.from(JSON.stringify(rows(4000)))
const JSON_TYPE = 'application/json; charset=utf-8'

/** The second piece of a stream comes when a test says so. */
let next: PromiseWithResolvers<void>
let isSourceClosed = false

function createApp(isOn = true): App {
  const app = Fastify() as unknown as App
  registerBodyTags(app)
  registerCompression(app, { config: { compression: isOn } })
  const answers: Record<string, [type: string, body: () => unknown]> = {
    short: [JSON_TYPE, () => SHORT],
    middle: [JSON_TYPE, () => MIDDLE],
    long: [JSON_TYPE, () => LONG],
    fhir: ['application/fhir+json', () => MIDDLE],
    script: ['application/javascript; charset=utf-8', () => MIDDLE],
    archive: ['application/vnd.service.tar+gzip+parquet', () => LONG],
    lines: ['application/x-ndjson', () => Readable.from([MIDDLE])],
    events: ['text/event-stream', () => Readable.from([MIDDLE])],
    stream: [JSON_TYPE, () => Readable.from([MIDDLE, MIDDLE])],
    waiting: [JSON_TYPE, () => Readable.from(pieces(), { objectMode: false })],
  }
  for (const [name, [type, body]] of Object.entries(answers)) {
    app.get(`/${name}`, async (_request, reply) => reply.type(type).send(body()))
  }
  app.get('/tagged', { config: { hasBodyTag: true } }, async (_request, reply) =>
    reply.type(JSON_TYPE).send(MIDDLE),
  )
  app.get('/failing', async (_request, reply) => reply.code(400).type(JSON_TYPE).send(MIDDLE))
  app.post('/changing', async (_request, reply) => reply.type(JSON_TYPE).send(MIDDLE))
  app.post('/asking', { config: { isRead: true } }, async (_request, reply) =>
    reply.type(JSON_TYPE).send(MIDDLE),
  )
  app.get('/encoded', async (_request, reply) =>
    reply.type(JSON_TYPE).header('content-encoding', 'x-own').send(MIDDLE),
  )
  app.register(async (secrets: App) => {
    keepUncompressed(secrets)
    secrets.get('/secret', async (_request, reply) => reply.type(JSON_TYPE).send(MIDDLE))
  })
  return app
}

async function* pieces() {
  try {
    yield LONG
    await next.promise
    yield LONG
  } finally {
    isSourceClosed = true
  }
}

const app = createApp()
let address: string
before(async () => {
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => app.close())

const get = (url: string, accepted?: string, headers: Record<string, string> = {}) =>
  app.inject({
    url,
    headers: { ...headers, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
  })

test('a client gets the encoding that it accepts, and the same body', async () => {
  const cases: [accepted: string, encoding: string | undefined][] = [
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.1, gzip', 'gzip'],
    ['br;q=0, zstd;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
  ]
  for (const [accepted, encoding] of cases) {
    for (const [url, body] of Object.entries({ middle: MIDDLE, long: `${LONG}` })) {
      const answer = await get(`/${url}`, accepted)
      const { headers, rawPayload } = answer
      assert.equal(headers['content-encoding'], encoding, accepted)
      assert.equal(headers.vary, 'accept-encoding')
      assert.equal(Number(headers['content-length']), rawPayload.length)
      const decode = DECODERS[encoding ?? ''] ?? ((bytes: Buffer) => bytes)
      assert.equal(decode(rawPayload).toString(), body)
      if (encoding !== undefined) assert.ok(rawPayload.length < body.length / 5)
    }
  }
})

test('FHIR and scripts are compressed, and reads by POST', async () => {
  for (const url of ['/fhir', '/script']) {
    assert.equal((await get(url, 'gzip')).headers['content-encoding'], 'gzip', url)
  }
  const options = { method: 'POST' as const, headers: { 'accept-encoding': 'gzip' } }
  const asking = await app.inject({ ...options, url: '/asking' })
  assert.equal(asking.headers['content-encoding'], 'gzip')
  const changing = await app.inject({ ...options, url: '/changing' })
  assert.equal(changing.headers['content-encoding'], undefined)
})

test('short answers, errors, archives, lines and events are sent as they are', async () => {
  const urls = ['/short', '/failing', '/archive', '/lines', '/events']
  for (const url of urls) {
    const { headers } = await get(url, 'gzip')
    assert.equal(headers['content-encoding'], undefined, url)
    assert.equal(headers.vary, undefined, url)
  }
  assert.equal((await get('/encoded', 'gzip')).headers['content-encoding'], 'x-own')
  assert.equal((await get('/middle')).headers['content-encoding'], undefined)
})

test('answers with secrets, and answers to a cookie, are sent as they are', async () => {
  assert.equal((await get('/secret', 'gzip')).headers['content-encoding'], undefined)
  const answer = await get('/middle', 'gzip', { cookie: 'session=1' })
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.equal(answer.body, MIDDLE)
})

test('the setting switches compression off', async () => {
  const off = createApp(false)
  const answer = await off.inject({ url: '/middle', headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual(
    [answer.headers['content-encoding'], answer.headers.vary],
    [undefined, undefined],
  )
  await off.close()
})

test('HEAD has the headers of the answer', async () => {
  const [full, head] = await Promise.all(
    (['GET', 'HEAD'] as const).map((method) =>
      app.inject({ method, url: '/middle', headers: { 'accept-encoding': 'gzip' } }),
    ),
  )
  for (const name of ['content-encoding', 'content-length', 'vary']) {
    assert.equal(head?.headers[name], full?.headers[name], name)
  }
  assert.equal(head?.body, '')
})

test('a tag is of the content, whatever its encoding, and 304 has no body', async () => {
  const plain = await get('/tagged')
  const { etag } = plain.headers
  assert.match(String(etag), /^W\/"[\w-]{32}"$/)
  assert.equal((await get('/tagged', 'gzip')).headers.etag, etag)
  for (const header of [String(etag), `"other", ${etag}`, '*', String(etag).slice(2)]) {
    const { statusCode, headers, body } = await get('/tagged', 'gzip', { 'if-none-match': header })
    assert.deepEqual([statusCode, body], [304, ''])
    assert.deepEqual([headers.etag, headers.vary], [etag, 'accept-encoding'])
    for (const name of ['content-encoding', 'content-length', 'content-type']) {
      assert.equal(headers[name], undefined, name)
    }
  }
  const other = await get('/tagged', 'gzip', { 'if-none-match': 'W/"other"' })
  assert.equal(other.statusCode, 200)
})

async function open(path: string): Promise<IncomingMessage> {
  const request = httpRequest(`${address}${path}`, { headers: { 'accept-encoding': 'gzip' } })
  request.end()
  const [response] = await once(request, 'response')
  return response
}

test('a stream of JSON is compressed, and stays a stream', async () => {
  next = Promise.withResolvers()
  const response = await open('/waiting')
  assert.equal(response.headers['content-encoding'], 'gzip')
  const text = response.pipe(createGunzip()).setEncoding('utf8')
  // Most of the first piece is there before the second exists.
  let received = ''
  for await (const part of text) {
    received += part
    if (received.length > LONG.length / 2) next.resolve()
  }
  assert.equal(received, `${LONG}${LONG}`)
})

test('a client that leaves ends the source of a stream', async () => {
  next = Promise.withResolvers()
  isSourceClosed = false
  const response = await open('/waiting')
  await once(response, 'data')
  response.destroy()
  next.resolve()
  for (let time = 0; time < 100 && !isSourceClosed; time++) await wait(20)
  assert.ok(isSourceClosed)
})
