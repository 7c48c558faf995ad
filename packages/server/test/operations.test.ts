import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { App } from '@salus/kernel/http/app-types'
import type { ReadinessCheck } from '@salus/kernel/http/health'
import { createLogger } from '@salus/kernel/log'
import { Gauge } from 'prom-client'
import { buildApp } from '../src/app.ts'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

/** What people who run the service see of it: health, logs of failures and request ids. */

const harness = useFixture(createHarness)

before(async () => {
  // A check waits for no engine that has yet to be opened.
  await harness.clickhouse.ping()
})

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

  test('a store that serves some requests leaves it ready, and degraded', async () => {
    const checks = [
      { name: 'postgres', check: async () => undefined },
      { name: 'clickhouse', check: async () => 'degraded' },
    ]
    const app = await buildWith({ readinessChecks: checks })
    const stores = { postgres: 'ok', clickhouse: 'degraded' }
    const { status, body } = await get(app, '/readyz')
    assert.deepEqual([status, body], [200, { status: 'degraded', stores }])
    await app.close()
  })

  test('a process that stops is not ready', async () => {
    const app = await buildWith({ isStopping: () => true })
    const { status, body } = await get(app, '/readyz')
    assert.deepEqual([status, body.status], [503, 'stopping'])
    await app.close()
  })
})

test('metrics whose store does not answer are left out, and the others are served', async () => {
  const { registry } = harness.dependencies
  const registers = [registry]
  const collect = () => Promise.reject(new Error('connection refused'))
  new Gauge({ name: 'salus_of_a_store', help: 'It is down.', registers, collect })
  const { status, text } = await harness.call('GET', '/metrics', undefined, {})
  registry.removeSingleMetric('salus_of_a_store')
  assert.equal(status, 200)
  assert.doesNotMatch(text, /salus_of_a_store/)
  assert.match(text, /^salus_store_up\{store="postgres"\} 1$/m)
  assert.match(text, /^process_cpu_seconds_total /m)
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

describe('what is kept of failures', () => {
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
