import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import type { App } from '../src/platform/http/app-types.ts'
import type { ReadinessCheck } from '../src/platform/http/health.ts'
import { createLogger } from '../src/platform/log.ts'
import { createHarness, type Harness } from './harness.ts'
import { ROUTE_CASES, requestOf } from './route-cases.ts'
import { makeSubjects, ownIds } from './subject.ts'

/** What people who run the service see of it: health, metrics, logs and request ids. */

let harness: Harness

before(async () => {
  harness = await createHarness()
})
after(() => harness?.close())

interface Parts {
  readinessChecks?: ReadinessCheck[]
  isStopping?: () => boolean
  write?: (line: string) => void
}

/** A second application on the same stores, with other checks or a log that is kept. */
function buildWith({ readinessChecks = [], isStopping = () => false, write }: Parts): Promise<App> {
  const log = write === undefined ? createLogger('silent') : createLogger('debug', { write })
  return buildApp({ ...harness.dependencies, readinessChecks, isStopping, log })
}

async function get(app: App, url: string) {
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url })
  return { status: statusCode, headers, body: JSON.parse(body) }
}

describe('health', () => {
  test('live and ready answer 200 without a key, under both names', async () => {
    for (const url of ['/health/live', '/healthz']) {
      const { status, body } = await get(harness.app, url)
      assert.deepEqual([status, body], [200, { status: 'ok' }], url)
    }
    for (const url of ['/health/ready', '/readyz']) {
      const { status, body } = await get(harness.app, url)
      const stores = { postgres: 'ok', clickhouse: 'ok', files: 'ok' }
      assert.deepEqual([status, body], [200, { status: 'ok', stores }], url)
    }
  })

  test('a store that is down makes it alive but not ready', async () => {
    const checks = [
      { name: 'postgres', check: () => Promise.reject(new Error('connection refused')) },
      { name: 'clickhouse', check: () => harness.clickhouse.ping() },
    ]
    const app = await buildWith({ readinessChecks: checks })
    for (const url of ['/health/ready', '/readyz']) {
      const { status, headers, body } = await get(app, url)
      assert.equal(status, 503)
      const stores = { postgres: 'down', clickhouse: 'ok' }
      assert.deepEqual(body, { status: 'unavailable', stores })
      assert.equal(headers['retry-after'], '5')
    }
    assert.equal((await get(app, '/health/live')).status, 200)
    await app.close()
  })

  test('a store that hangs counts as down', async () => {
    const hanging = { name: 'postgres', check: () => new Promise(() => {}) }
    const app = await buildWith({ readinessChecks: [hanging] })
    assert.equal((await get(app, '/readyz')).status, 503)
    await app.close()
  })

  test('a process that stops is not ready', async () => {
    const app = await buildWith({ isStopping: () => true })
    const { status, body } = await get(app, '/readyz')
    assert.deepEqual([status, body.status], [503, 'stopping'])
    await app.close()
  })
})

describe('request ids', () => {
  const ask = async (sent?: string) => {
    const headers = sent === undefined ? {} : { 'x-request-id': sent }
    const response = await harness.app.inject({ method: 'GET', url: '/healthz', headers })
    return response.headers['x-request-id']
  }

  test('one that is sent comes back, else one is made', async () => {
    assert.equal(await ask('trace-1:a.b_c'), 'trace-1:a.b_c')
    assert.match(String(await ask()), /^[0-9a-f-]{36}$/)
  })

  test('one that is no plain short text is replaced', async () => {
    for (const sent of ['has blanks', '<script>', 'x'.repeat(129), '']) {
      assert.match(String(await ask(sent)), /^[0-9a-f-]{36}$/, sent)
    }
  })
})

describe('what is kept of requests', () => {
  const lines: string[] = []
  let metrics: string
  let personal: string[]

  before(async () => {
    const app = await buildWith({ write: (line) => lines.push(line) })
    const subjects = await makeSubjects(harness)
    for (const [entry, subject] of subjects) {
      const { url, payload, headers } = requestOf(entry, subject)
      const keys = {
        'x-service-api-key': harness.apiKey,
        'x-management-key': harness.managementKey,
      }
      const request = { method: entry.method as 'GET', payload, headers: { ...headers, ...keys } }
      await app.inject({ ...request, url })
      // Refusals are logged too: a wrong id, a wrong key, a broken address.
      await app.inject({ ...request, url: `${url}%zz` })
      await app.inject({ ...request, url, headers: { 'x-service-api-key': 'sk_us_a-wrong-key' } })
    }
    const email = { client_user_id: 'someone@example.com' }
    const keys = { 'x-service-api-key': harness.apiKey }
    await app.inject({ method: 'POST', url: '/v2/user', payload: email, headers: keys })
    await app.inject({ method: 'GET', url: '/v2/nowhere/someone@example.com' })
    metrics = (await app.inject({ method: 'GET', url: '/metrics' })).body
    await app.close()
    const ofSubjects = [...subjects.values()].flatMap((subject) =>
      ownIds(subject)
        .filter(([name]) => name !== 'organizationId' && name !== 'teamId')
        .map(([, value]) => value),
    )
    // Digits alone also turn up in request ids, times and counts: each of these holds more.
    const ofPlace = ['Main St', '85001-2345', '+15550100']
    const ofDemographics = ['Moreau', 'ada.moreau', '1990-04-12', ...ofPlace]
    const keysAndNames = [harness.apiKey, harness.managementKey, 'a-wrong-key', 'someone']
    personal = [...ofSubjects, ...ofSubjects.map(encodeURIComponent), ...ofDemographics]
    personal.push(...keysAndNames, 'Europe/Vienna', 'After a walk', 'Watch7,5')
  })

  test('metrics count by route pattern and hold no id', () => {
    assert.match(metrics, /route="\/v2\/user\/:user_id",status="200"/)
    for (const text of personal) assert.ok(!metrics.includes(text), text)
    assert.doesNotMatch(metrics, /[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  test('each request leaves one line with its pattern, status and time', () => {
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    assert.ok(requests.length > ROUTE_CASES.length)
    for (const { level, time, method, route, status, ms, reqId } of requests) {
      assert.equal(level, 'info')
      assert.match(time, /^\d{4}-.*Z$/)
      assert.match(method, /^[A-Z]+$/)
      assert.match(route, /^(\/[\w:./]*|unknown)$/)
      assert.equal(typeof status, 'number')
      assert.equal(typeof ms, 'number')
      assert.equal(typeof reqId, 'string')
    }
  })

  test('logs hold no id of a person, no personal data and no key', () => {
    const all = lines.join('')
    for (const text of personal) assert.ok(!all.includes(text), text)
  })

  test('a client_user_id that looks like an e-mail address is warned of, and not quoted', () => {
    const warnings = lines
      .map((line) => JSON.parse(line))
      .filter(({ level, msg }) => level === 'warn' && /looks like an e-mail address/.test(msg))
    assert.equal(warnings.length, 1)
  })

  test('no request failed in an unexpected way', () => {
    assert.deepEqual(
      lines.filter((line) => line.includes('"level":"error"')),
      [],
    )
  })

  test('an unexpected error is logged by its kind and place, without its words', async () => {
    const kept: string[] = []
    const app = await buildWith({ write: (line) => kept.push(line) })
    app.get('/fails', { schema: { hide: true } }, async () => {
      throw Object.assign(new Error('value someone@example.com is too long'), {
        code: '22001',
        detail: 'Row (someone@example.com)',
      })
    })
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/fails' })
    assert.equal(statusCode, 500)
    assert.equal(JSON.parse(body).detail.error_type, 'internal_error')
    const failure = kept.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
    assert.equal(failure.err.code, '22001')
    assert.match(failure.err.stack, /operations\.test\.ts/)
    assert.ok(![...kept, body].join('').includes('someone'))
    await app.close()
  })
})
