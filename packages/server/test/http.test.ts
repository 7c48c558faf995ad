import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildApp } from '../src/app.ts'
import { type Answer, createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const GZIPPED = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const NO_KEY = { 'x-service-api-key': '' }
const MEGABYTE = 1024 ** 2

const harness = useFixture(createHarness)
let userId: string

before(async () => {
  userId = await harness.makeUser('manual')
})

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)

/** An error body (docs/contract/01-conventions.md#body-shapes): a type, a message and `extra`. */
function assertError(answer: Answer, status: number, errorType: string, ...extra: string[]): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['detail'])
  const { detail } = answer.body
  assert.deepEqual(Object.keys(detail), ['error_type', 'error_message', ...extra])
  assert.equal(detail.error_type, errorType)
  assert.match(detail.error_message, /^[A-Z].+\.$/)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
}

describe('credentials', () => {
  test('a missing or wrong key is 401 without a WWW-Authenticate', async () => {
    for (const key of ['', 'sk_us_unknown', 'x'.repeat(5000)]) {
      const answer = await call('GET', '/v2/user', undefined, { 'x-service-api-key': key })
      assertError(answer, 401, 'invalid_api_key')
      assert.equal(answer.headers['www-authenticate'], undefined)
    }
  })

  test('a wrong bearer token is 401 with WWW-Authenticate: Bearer', async () => {
    const headers = { ...NO_KEY, authorization: 'Bearer abc' }
    const answer = await call('GET', '/v2/user', undefined, headers)
    assertError(answer, 401, 'invalid_token')
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  })

  test('another authentication scheme is no bearer', async () => {
    const headers = { ...NO_KEY, authorization: 'Basic dXNlcjpwYXNz' }
    const answer = await call('GET', '/v2/user', undefined, headers)
    assertError(answer, 401, 'invalid_api_key')
    assert.equal(answer.headers['www-authenticate'], undefined)
  })

  test('the header names of public clients are taken, in any case', async () => {
    const names = ['x-vital-api-key', 'X-Vital-API-Key', 'X-SERVICE-API-KEY']
    for (const name of names) {
      const request = { method: 'GET' as const, url: '/v2/user' }
      const headers = { [name]: harness.apiKey }
      assert.equal((await harness.app.inject({ ...request, headers })).statusCode, 200, name)
    }
    const { organizationId, managementKey } = harness
    const headers = { 'x-vital-org-key': managementKey }
    assert.equal((await call('GET', `/v1/org/${organizationId}`, undefined, headers)).status, 200)
  })

  test('the setting switches the header names of public clients off', async () => {
    const { dependencies, managementKey, organizationId, apiKey } = harness
    const config = { ...dependencies.config, aliasesEnabled: false }
    const app = await buildApp({ ...dependencies, config })
    const status = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ method: 'GET', url, headers })).statusCode
    const organization = `/v1/org/${organizationId}`
    assert.equal(await status('/v2/user', { 'x-vital-api-key': apiKey }), 401)
    assert.equal(await status('/v2/user', { 'x-service-api-key': apiKey }), 200)
    assert.equal(await status(organization, { 'x-vital-org-key': managementKey }), 401)
    assert.equal(await status(organization, { 'x-management-key': managementKey }), 200)
    await app.close()
  })
})

describe('addresses', () => {
  test('an unknown address and an unknown id are 404 with a text', async () => {
    const urls: [method: string, url: string][] = [
      ['GET', '/nothing'],
      ['GET', '/v2/user/00000000-0000-4000-8000-000000000000'],
      ['GET', '/v2'],
      ['GET', `/v2/user/${userId}/nothing`],
      ['POST', `/v2/user/${userId}/sdk_sync_state`],
      ['PATCH', `/v2/user/${userId}/steps`],
      ['GET', `/v2/user/${userId}/device/x/y`],
      ['POST', `/v2/timeseries/${userId}/nothing`],
    ]
    for (const [method, url] of urls) {
      const answer = await call(method, url)
      assert.equal(answer.status, 404)
      assert.deepEqual(Object.keys(answer.body), ['detail'])
      assert.match(answer.body.detail, /^[A-Z]\w+ not found\.$/)
    }
    const answer = await call('GET', `/v2/user/${userId}/fitbit`)
    assertError(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.allow, 'DELETE')
  })

  test('a wrong method is 405 and names the right ones', async () => {
    const cases: [method: string, url: string, allow: string[]][] = [
      ['PUT', '/v2/user', ['GET', 'HEAD', 'POST']],
      ['PUT', `/v2/user/${userId}/`, ['DELETE', 'GET', 'HEAD', 'PATCH']],
      ['GET', '/v2/link/provider/manual/manual', ['POST']],
      ['POST', `/v2/user/resolve/${'a'.repeat(255)}`, ['GET', 'HEAD']],
      ['DELETE', '/healthz', ['GET', 'HEAD']],
    ]
    for (const [method, url, allow] of cases) {
      const answer = await call(method, url)
      assertError(answer, 405, 'method_not_allowed')
      assert.deepEqual(String(answer.headers.allow).split(', ').sort(), allow, url)
    }
  })

  test('an address that cannot be decoded is 400', async () => {
    for (const url of ['/v2/user/%zz', '/v2/user/resolve/%ff']) {
      assertError(await call('GET', url), 400, 'invalid_url')
    }
  })

  test('a trailing slash changes nothing, and nothing redirects', async () => {
    const urls = ['/v2/user', `/v2/user/${userId}`, '/v2/providers', '/v2/user/metrics', '/healthz']
    for (const url of urls) {
      const plain = await call('GET', url)
      const slashed = await call('GET', `${url}/`)
      assert.equal(plain.status, 200)
      assert.deepEqual([slashed.status, slashed.text], [plain.status, plain.text], url)
    }
    const grouped = `/v2/timeseries/${userId}/steps/grouped`
    const query = 'start_date=2026-01-01'
    assert.equal((await call('GET', `${grouped}/?${query}`)).status, 200)
    assert.equal((await call('POST', '/v2/user/', { client_user_id: 'slashed' })).status, 200)
  })

  test('ids are taken in upper case and written in lower case', async () => {
    const answer = await call('GET', `/v2/user/${userId.toUpperCase()}`)
    assert.equal(answer.body.user_id, userId)
    const url = `/v2/link/provider/manual/omron_ble`
    const body = { user_id: userId.toUpperCase() }
    assert.equal((await call('POST', url, body)).status, 200)
    assert.equal((await call('POST', url, { user_id: userId })).status, 409)
  })
})

describe('what is on its way', () => {
  test('no cache stores what a key opens, nor its refusal', async () => {
    const management = { 'x-management-key': harness.managementKey }
    const cases: [url: string, headers: object][] = [
      ['/v2/user', {}],
      [`/v2/user/${userId}`, {}],
      [`/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`, {}],
      ['/v2/user', NO_KEY],
      ['/v2/user/42', {}],
      [`/v1/org/${harness.organizationId}/management_key`, management],
      [`/v1/org/${harness.organizationId}/team/${harness.teamId}/sandbox/webhook`, management],
    ]
    for (const [url, headers] of cases) {
      const answer = await call('GET', url, undefined, headers)
      assert.equal(answer.headers['cache-control'], 'no-store', url)
    }
    const logo = await call('GET', '/assets/providers/oura.svg', undefined, { accept: '*/*' })
    assert.equal(logo.headers['cache-control'], 'public, max-age=86400')
  })
})

describe('media types', () => {
  test('an answer that the client cannot take is 406', async () => {
    const answer = await call('GET', '/v2/user', undefined, { accept: 'text/html' })
    assertError(answer, 406, 'not_acceptable', 'available')
    for (const accept of ['application/json', '*/*', 'text/html, application/*;q=0.5']) {
      assert.equal((await call('GET', '/v2/user', undefined, { accept })).status, 200, accept)
    }
  })

  test('a body that is not JSON is 415', async () => {
    const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']
    const others = ['multipart/form-data; boundary=x', 'application/octet-stream', 'a/b/c', '']
    for (const type of [...types, ...others]) {
      const headers = { 'content-type': type }
      for (const [method, url] of [
        ['POST', '/v2/user'],
        ['PATCH', `/v2/user/${userId}`],
      ] as const) {
        const answer = await call(method, url, '{"client_user_id":"typed"}', headers)
        assertError(answer, 415, 'unsupported_media_type')
      }
    }
  })

  test('an import takes files of the types that it names', async () => {
    const url = `/v2/user/${userId}/import/apple_health`
    const document = { 'content-type': 'application/pdf' }
    assertError(await call('POST', url, 'x', document), 415, 'unsupported_media_type')
    assertError(await call('POST', url), 400, 'empty_file')
    const page = { 'content-type': 'text/html' }
    assertError(await call('POST', url, 'x', page), 415, 'unsupported_media_type')
  })

  test('JSON is taken with a character set and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      const body = JSON.stringify({ client_user_id: type })
      const answer = await call('POST', '/v2/user', body, { 'content-type': type })
      assert.equal(answer.status, 200, type)
    }
  })
})

describe('bodies', () => {
  const upload = () => `/v2/timeseries/${userId}/steps`
  const emptyUpload = { stage: 'daily', provider: 'manual', data: [] }

  test('gzip is taken on every route that takes a body', async () => {
    const body = gzipSync(JSON.stringify({ client_user_id: 'zipped' }))
    const created = await call('POST', '/v2/user', body, GZIPPED)
    assert.equal(created.body.client_user_id, 'zipped')
    const samples = gzipSync(JSON.stringify(emptyUpload))
    assert.equal((await call('POST', upload(), samples, GZIPPED)).status, 200)
    const alias = { ...GZIPPED, 'content-encoding': 'X-GZIP' }
    assert.equal((await call('POST', upload(), samples, alias)).status, 200)
    const identity = { ...JSON_TYPE, 'content-encoding': 'identity' }
    assert.equal((await call('POST', upload(), emptyUpload, identity)).status, 200)
  })

  test('broken gzip is 400', async () => {
    const whole = gzipSync(JSON.stringify(emptyUpload))
    for (const body of [whole.subarray(0, 20), Buffer.from('not gzip'), Buffer.alloc(0)]) {
      assertError(await call('POST', upload(), body, GZIPPED), 400, 'invalid_gzip')
    }
  })

  test('another encoding is 415', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'br' }
    const answer = await call('POST', '/v2/user', 'x', headers)
    assertError(answer, 415, 'unsupported_content_encoding')
  })

  test('a body over the limit is 413, by its size after decompression', async () => {
    const spaces = Buffer.alloc(2 * MEGABYTE, 32)
    assertError(await call('POST', '/v2/user', spaces, JSON_TYPE), 413, 'body_too_large')
    assertError(await call('POST', '/v2/user', gzipSync(spaces), GZIPPED), 413, 'body_too_large')
  })

  test('a gzip bomb of more than 50 MB is 413 on an upload', async () => {
    const bomb = gzipSync(Buffer.alloc(51 * MEGABYTE, 32))
    assert.ok(bomb.length < MEGABYTE)
    assertError(await call('POST', upload(), bomb, GZIPPED), 413, 'body_too_large')
  })

  test('an upload of nearly 50 MB is taken', async () => {
    const padded = JSON.stringify(emptyUpload) + ' '.repeat(49 * MEGABYTE)
    assert.equal((await call('POST', upload(), gzipSync(padded), GZIPPED)).status, 200)
  })
})

describe('the bare address', () => {
  const get = (url: string, accept?: string) =>
    harness.app.inject({ method: 'GET', url, headers: accept === undefined ? {} : { accept } })

  test('leads a browser to the docs', async () => {
    const answer = await get('/', 'text/html,application/xhtml+xml,*/*;q=0.8')
    assert.equal(answer.statusCode, 302)
    assert.equal(answer.headers.location, '/docs/')
    assert.equal(answer.headers.vary, 'accept')
  })

  test('returns the addresses to a program without a key', async () => {
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await get('/', accept)
      assert.equal(answer.statusCode, 200)
      const { name, ...urls } = answer.json()
      assert.equal(name, 'Salus')
      assert.deepEqual(Object.keys(urls), ['version', 'docs_url', 'openapi_url', 'health_url'])
      const { pathname } = new URL(urls.openapi_url)
      assert.equal((await get(pathname)).json().info.version, urls.version)
    }
    assert.equal((await get('/', 'image/png')).statusCode, 406)
  })

  test('has an icon, and the docs a title and that icon', async () => {
    const icon = await get('/favicon.ico', 'image/avif,image/webp,*/*;q=0.8')
    assert.equal(icon.statusCode, 200)
    assert.equal(icon.headers['content-type'], 'image/x-icon')
    // An icon file of at least one picture.
    assert.deepEqual([...icon.rawPayload.subarray(0, 4)], [0, 0, 1, 0])
    assert.ok(icon.rawPayload.readUInt16LE(4) > 0)
    const drawing = await get('/favicon.svg')
    assert.equal(drawing.headers['content-type'], 'image/svg+xml')
    assert.match(drawing.body, /^<svg /)
    const docs = await get('/docs/', 'text/html')
    assert.match(docs.body, /<title>Salus API<\/title>/)
    assert.match(docs.body, /favicon\.svg/)
  })
})
