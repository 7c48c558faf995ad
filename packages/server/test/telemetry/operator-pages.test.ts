import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { App } from '../../src/platform/http/app-types.ts'
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
  authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`,
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
