import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { App } from '@salus/kernel/http/app-types'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { assertRefusal } from '../assert-refusal.ts'
import { answerOf, createHarness, type Harness } from '../harness.ts'

const PAGES = ['/metrics', '/docs/', '/docs/js/scalar.js', '/openapi.json']
const METRICS_KEY = 'a-key-for-metrics'
const DOCS_KEY = 'another-key-for-docs'

let salus: Harness
const apps: App[] = []
before(async () => {
  salus = await createHarness()
})
after(async () => {
  for (const app of apps) await app.close()
  await salus.close()
})

async function appWith(settings: Partial<Config>) {
  const app = await buildApp({ ...salus.dependencies, config: { ...salus.config, ...settings } })
  apps.push(app)
  return async (url: string, headers = {}) => answerOf(await app.inject({ url, headers }))
}

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`any-user:${password}`).toString('base64')}`,
})

test('pages that are not offered are as unknown as any path, and nothing leads there', async () => {
  const get = await appWith({ metricsOffered: false, docsOffered: false })
  const unknown = await get('/nowhere')
  for (const page of PAGES) {
    const answer = await get(page)
    assert.deepEqual([answer.status, answer.text], [404, unknown.text], page)
  }
  const { body } = await get('/', { accept: 'application/json' })
  assert.deepEqual([body.docs_url, body.openapi_url], [undefined, undefined])
  assert.equal((await get('/', { accept: 'text/html' })).headers.location, '/console')
  assert.equal((await get('/health/live')).status, 200)
})

describe('with a key', () => {
  let get: Awaited<ReturnType<typeof appWith>>
  before(async () => {
    get = await appWith({ metricsKey: METRICS_KEY, docsKey: DOCS_KEY })
  })
  const keyOf = (page: string) => (page === '/metrics' ? METRICS_KEY : DOCS_KEY)
  const otherKeyOf = (page: string) => (page === '/metrics' ? DOCS_KEY : METRICS_KEY)

  test('each page opens with its own, as bearer token or as a password', async () => {
    for (const page of PAGES) {
      const bearer = await get(page, { authorization: `Bearer ${keyOf(page)}` })
      assert.equal(bearer.status, 200, page)
      assert.equal((await get(page, basic(keyOf(page)))).status, 200, page)
    }
  })

  test('without it, or with another one, the answer is 401 and a browser asks', async () => {
    for (const page of PAGES) {
      const wrong = [
        {},
        { authorization: `Bearer ${otherKeyOf(page)}` },
        { authorization: `Bearer ${keyOf(page)} ` },
        { authorization: `Bearer ${keyOf(page)}x` },
        { authorization: 'Basic nonsense' },
        { authorization: keyOf(page) },
        { 'x-service-api-key': salus.apiKey },
        basic(otherKeyOf(page)),
      ]
      for (const headers of wrong) {
        const answer = await get(page, headers)
        assertRefusal(answer, 401, 'invalid_api_key')
        assert.match(String(answer.headers['www-authenticate']), /^Basic /)
      }
    }
  })
})

describe('metrics', () => {
  type Request = { ip?: string; headers?: Record<string, string> }
  const readWith = async (settings: Partial<Config>) => {
    const app = await buildApp({ ...salus.dependencies, config: { ...salus.config, ...settings } })
    apps.push(app)
    return async ({ ip, headers = {} }: Request = {}) =>
      answerOf(await app.inject({ url: '/metrics', headers, remoteAddress: ip ?? '127.0.0.1' }))
  }
  const isRefused = async (answer: Promise<Awaited<ReturnType<typeof answerOf>>>) =>
    assertRefusal(await answer, 403, 'address_not_allowed')

  test('open to the machine itself alone, where no setting says more', async () => {
    const read = await readWith({})
    assert.equal((await read()).status, 200)
    assert.equal((await read({ ip: '::1' })).status, 200)
    await isRefused(read({ ip: '192.0.2.7' }))
    // A proxy on the same machine brings the world.
    await isRefused(read({ headers: { 'x-forwarded-for': '127.0.0.1' } }))
    await isRefused(read({ headers: { forwarded: 'for=127.0.0.1' } }))
  })

  test('open to listed addresses, of which a proxy that is not trusted proves nothing', async () => {
    const read = await readWith({ metricsAddresses: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'] })
    for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '192.0.2.7', '127.0.0.1']) {
      assert.equal((await read({ ip })).status, 200, ip)
    }
    await isRefused(read({ ip: '10.2.0.1' }))
    await isRefused(read({ ip: '10.1.2.3', headers: { 'x-forwarded-for': '10.1.2.3' } }))
    await isRefused(read({ ip: '203.0.113.1', headers: { 'x-forwarded-for': '10.1.2.3' } }))
  })

  test('through a trusted proxy the address is the one that it names', async () => {
    const read = await readWith({
      trustedProxies: ['127.0.0.1'],
      metricsAddresses: ['10.1.0.0/16'],
    })
    assert.equal((await read({ headers: { 'x-forwarded-for': '10.1.2.3' } })).status, 200)
    await isRefused(read({ headers: { 'x-forwarded-for': '203.0.113.1' } }))
    await isRefused(read({ headers: { 'x-forwarded-for': '127.0.0.1, 203.0.113.1' } }))
  })

  test('a key opens them from anywhere, and listed addresses need none', async () => {
    const read = await readWith({ metricsKey: METRICS_KEY, metricsAddresses: ['10.1.0.0/16'] })
    const headers = { authorization: `Bearer ${METRICS_KEY}` }
    assert.equal((await read({ ip: '203.0.113.1', headers })).status, 200)
    assert.equal((await read({ ip: '10.1.2.3' })).status, 200)
    assertRefusal(await read(), 401, 'invalid_api_key')
  })

  test('invented paths and methods make no series', async () => {
    const { app } = salus
    for (let n = 0; n < 200; n++) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
        await app.inject({ method, url: `/invented-${n}/path` })
        await app.inject({ method, url: `/v2/user/invented-${n}`, headers: { 'x-n': `${n}` } })
      }
    }
    const text = await salus.dependencies.registry.metrics()
    const series = text.match(/^salus_http_request_duration_seconds_count.*$/gm) ?? []
    assert.ok(series.length < 20, series.join('\n'))
    assert.ok(!text.includes('invented'))
  })

  test('all who read within seconds share one text', async () => {
    const read = await readWith({})
    const texts = await Promise.all(Array.from({ length: 8 }, () => read()))
    await salus.call('GET', '/v2/user')
    texts.push(await read())
    assert.equal(new Set(texts.map(({ text }) => text)).size, 1)
  })
})

test('an answer is no page: its policy lets nothing be loaded, run, sent or framed', async () => {
  for (const url of ['/v2/providers', '/v2/nowhere', '/healthz']) {
    const policy = String((await salus.call('GET', url)).headers['content-security-policy'])
    assert.deepEqual(policy.split(';').sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  }
  const { headers } = await salus.call('GET', '/docs/')
  const [, scripts = ''] =
    /script-src ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
  assert.match(scripts, /^'self'( 'sha256-[\w+/]{43}=')+$/)
})

test('a page of another site, or one whose name leads here, asks nothing as an assistant', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const ask = (headers: object) =>
    salus.call('POST', '/mcp', list, {
      accept: 'application/json, text/event-stream',
      host: 'salus.example.com',
      ...headers,
    })
  for (const origin of ['https://evil.example', 'null', 'http://salus.example.com:81']) {
    assertRefusal(await ask({ origin }), 403, 'cross_site_request')
  }
  assert.equal((await ask({ origin: 'http://salus.example.com' })).status, 200)
  assert.equal((await ask({})).status, 200)
})

test('a key that is short stops the start, and is not shown', () => {
  for (const [name, value] of [
    ['SALUS_METRICS_KEY', 'secret'],
    ['SALUS_DOCS_KEY', 'secret with spaces in it'],
    ['SALUS_DOCS_KEY', 'secret:with:colons:in:it'],
  ] as const) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error.message.startsWith(name) && !error.message.includes('secret'),
    )
  }
})

test('settings of OpenTelemetry that cannot be are named', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no-value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%E0%A4%A'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_METRIC_EXPORT_INTERVAL', 'often'],
    ['SALUS_SLOW_QUERY_MS', '-1'],
    ['SALUS_LOG_FORMAT', 'xml'],
  ] as const) {
    assert.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name} must`) })
  }
  const { otlpHeaders } = readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d = e=f ,' })
  assert.deepEqual(otlpHeaders, { a: 'b c', d: 'e=f' })
})
