import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { buildApp } from '../src/app.ts'
import type { Document } from './contract-check.ts'
import { callerOf, createHarness } from './harness.ts'
import { collectRoutes } from './route-table.ts'
import { useFixture } from './use-fixture.ts'

const harness = useFixture(createHarness)
const GZIP = { 'accept-encoding': 'gzip' }

test('the document of the API and a long read are compressed, and the same', async () => {
  const { call } = harness
  const userId = await harness.makeUser('manual')
  const data = Array.from({ length: 500 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 1, 10, 8, index)).toISOString()
    return { value: 60 + (index % 9), unit: 'bpm', start_date: at, end_date: at }
  })
  await call('POST', `/v2/timeseries/${userId}/heartrate`, {
    stage: 'daily',
    provider: 'manual',
    data,
  })
  const range = 'start_date=2026-02-10&end_date=2026-02-11'
  for (const url of ['/openapi.json', `/v2/timeseries/${userId}/heartrate/grouped?${range}`]) {
    const plain = await call('GET', url)
    const headers = { ...GZIP, 'x-service-api-key': harness.apiKey }
    const { statusCode, rawPayload, ...small } = await harness.app.inject({ url, headers })
    assert.deepEqual([plain.status, statusCode], [200, 200])
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(small.headers['content-encoding'], 'gzip')
    assert.ok(rawPayload.length < plain.bytes.length / 8, url)
    assert.ok(gunzipSync(rawPayload).equals(plain.bytes), url)
    assert.equal(small.headers.etag, plain.headers.etag)
  }
})

/** Names of fields that are, or contain, what opens something. */
const SECRET = /secret|token|password|credential|(?:^|_)key$|continuation|oauth_url/i
const SLOT = 'the key of a slot is worth nothing without that of the team'
/** Fields with such names that open nothing. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'POST /v3/order/phlebotomy/appointment/availability': SLOT,
  'POST /v3/order/psc/appointment/availability': SLOT,
  'GET /receipt_keys': 'keys that check signatures are public',
  'GET /v3/physician/{npi}': 'the credential of a physician is a degree',
  'GET /fhir/R4/.well-known/smart-configuration': 'names of methods, for everybody',
}

function* namesIn(document: Document, schema: Document, seen: Set<Document>): Generator<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  if (typeof schema.$ref === 'string') {
    const keys: string[] = schema.$ref.slice(2).split('/')
    yield* namesIn(
      document,
      keys.reduce((part: Document, key) => part[key], document),
      seen,
    )
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (JSON.stringify(inner).includes('"string"')) yield name
    yield* namesIn(document, inner, seen)
  }
  for (const inner of [schema.items, schema.additionalProperties])
    yield* namesIn(document, inner, seen)
  for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flat()) {
    yield* namesIn(document, inner, seen)
  }
}

test('a read that may answer a secret is not compressed', async () => {
  const { result: app, routes } = await collectRoutes(() => buildApp(harness.dependencies))
  await app.ready()
  const document: Document = (await callerOf(app, harness.apiKey)('GET', '/openapi.json')).body
  const secret: string[] = []
  const open: string[] = []
  for (const { method, path, config } of routes) {
    const schema =
      document.paths[path]?.[method.toLowerCase()]?.responses?.['200']?.content?.[
        'application/json'
      ]
    const isRead = method === 'GET' || config?.isRead === true
    if (!isRead || schema === undefined) continue
    const name = `${method} ${path}`
    const hasSecret = [...namesIn(document, schema.schema, new Set())].some((one) =>
      SECRET.test(one),
    )
    if (!hasSecret || name in NO_SECRETS) continue
    secret.push(name)
    if (config?.hasSecrets !== true) open.push(name)
  }
  await app.close()
  assert.deepEqual(open, [], 'these may answer a secret')
  assert.ok(secret.length > 8, secret.join(', '))
})
