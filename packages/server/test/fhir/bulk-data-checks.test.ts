import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { makeSearchedPeople } from './searched-people.ts'
import { makeAssertion, makeClientKey, tokenRequest } from './smart-client.ts'
import { type AnyResource, findProblems } from './validate-resource.ts'

/**
 * The checks of the test kits of Bulk Data 2.0 (Inferno, commit 5bd61db) and of SMART App Launch
 * (commit 9a219bd), by the ids of the kits, with a client that signs in as they do.
 */

const fixture = useFixture(createFhirFixture)
const TOKEN = '/fhir/R4/auth/token'
const key = makeClientKey()
let clientId: string
let bearer: { authorization: string; 'x-service-api-key': string }
let manifest: AnyResource

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

async function send(method: string, url: string, headers: object = {}): Promise<Answer> {
  const {
    statusCode,
    headers: sent,
    body,
  } = await fixture.app.inject({
    method: method as 'GET',
    url: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: { ...headers },
  })
  return { status: statusCode, headers: sent, text: body }
}

async function requestToken(changes: Record<string, string> = {}, claims: object = {}) {
  const audience = `http://localhost:80${TOKEN}`
  const about = { clientId, audience, now: fixture.clock.now() }
  // Assertions of the kit are good for five minutes.
  const exp = Math.floor(about.now.getTime() / 1000) + 300
  const assertion = makeAssertion(key, about, { exp, ...claims })
  const { statusCode, body } = await fixture.app.inject({
    method: 'POST',
    url: TOKEN,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    payload: `${new URLSearchParams({ ...tokenRequest(assertion, 'system/*.read'), ...changes })}`,
  })
  return { status: statusCode, body: JSON.parse(body) }
}

const kickOff = (path: string, headers: object = bearer) =>
  send('GET', `/fhir/R4/${path}`, {
    ...headers,
    accept: 'application/fhir+json',
    prefer: 'respond-async',
  })
const json = () => ({ ...bearer, accept: 'application/json' })
const locationOf = ({ headers }: Answer) => String(headers['content-location'])

async function cancel(started: Answer): Promise<string> {
  assert.equal(started.status, 202, started.text)
  const location = locationOf(started)
  assert.match(location, /^https?:\/\//)
  assert.equal((await send('DELETE', location, json())).status, 202)
  return location
}

before(async () => {
  await makeSearchedPeople(fixture)
  const path = `/team/${fixture.teamId}/sandbox/smart_client`
  const body = { label: 'Kit', jwks: { keys: [key.jwk] }, scopes: ['system/*.read'] }
  clientId = (await fixture.manage('POST', path, body)).body.id
})

describe('SMART backend services', () => {
  test('bulk_data_smart_discovery_v101_contents', async () => {
    const { status, headers, text } = await send('GET', '/fhir/R4/.well-known/smart-configuration')
    const config = JSON.parse(text)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.ok(URL.canParse(config.token_endpoint))
    assert.ok(config.token_endpoint_auth_methods_supported.includes('private_key_jwt'))
    assert.ok(config.token_endpoint_auth_signing_alg_values_supported.includes('RS384'))
    assert.ok(config.scopes_supported.length > 0)
  })

  test('smart_backend_services_invalid_grant_type', async () => {
    assert.equal((await requestToken({ grant_type: 'not_a_grant_type' })).status, 400)
  })

  test('smart_backend_services_invalid_client_assertion', async () => {
    const answer = await requestToken({ client_assertion_type: 'not_an_assertion_type' })
    assert.equal(answer.status, 400)
  })

  test('smart_backend_services_invalid_jwt', async () => {
    for (const claims of [{ iss: 'another' }, { aud: 'another' }, { exp: 1 }, { exp: 'soon' }]) {
      const { status } = await requestToken({}, claims)
      assert.ok(status === 400 || status === 401, JSON.stringify(claims))
    }
  })

  test('smart_backend_services_auth_request_success, auth_response_body', async () => {
    const { status, body } = await requestToken()
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.token_type, body.scope], ['bearer', 'system/*.read'])
    assert.equal(typeof body.expires_in, 'number')
    bearer = { authorization: `Bearer ${body.access_token}`, 'x-service-api-key': '' }
  })
})

describe('bulk data', () => {
  test('bulk_data_export_operation_support', async () => {
    const { body } = await fixture.get('metadata')
    assert.ok(
      body.instantiates.includes('http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data'),
    )
    for (const type of ['Patient', 'Group']) {
      const { operation } = body.rest[0].resource.find((one: AnyResource) => one.type === type)
      const { definition } = operation.find(({ name }: AnyResource) => name === 'export')
      const base = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition'
      assert.equal(definition, `${base}/${type.toLowerCase()}-export`)
    }
  })

  test('bulk_data_no_auth_reject, bulk_data_group_no_auth_reject', async () => {
    for (const path of ['Patient/$export', `Group/${fixture.teamId}/$export`]) {
      assert.equal((await kickOff(path, {})).status, 401, path)
    }
  })

  test('bulk_data_export_cancel, bulk_data_export_cancel_stu2', async () => {
    for (const path of ['Patient/$export', `Group/${fixture.teamId}/$export`]) {
      const location = await cancel(await kickOff(path))
      const gone = await send('GET', location, json())
      assert.equal(gone.status, 404, path)
      const outcome = JSON.parse(gone.text)
      assert.equal(outcome.resourceType, 'OperationOutcome')
      assert.deepEqual(findProblems(outcome), [])
      assert.equal((await send('DELETE', location, json())).status, 404, path)
    }
  })

  test('output_format_in_export_response, since_in_export_response, and those of a group', async () => {
    for (const path of ['Patient/$export', `Group/${fixture.teamId}/$export`]) {
      for (const format of ['application/fhir+ndjson', 'application/ndjson', 'ndjson']) {
        await cancel(await kickOff(`${path}?${new URLSearchParams({ _outputFormat: format })}`))
      }
      for (const since of ['2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00+05:00']) {
        await cancel(await kickOff(`${path}?${new URLSearchParams({ _since: since })}`))
      }
      await cancel(await kickOff(`${path}?_type=Patient&_type=Coverage,Observation`))
    }
  })

  test('an error of a kick-off is an OperationOutcome', async () => {
    for (const query of [
      '_type=Shoe',
      '_type=Provenance',
      '_since=yesterday',
      '_outputFormat=csv',
    ]) {
      const { status, text } = await kickOff(`Patient/$export?${query}`)
      assert.deepEqual([status, JSON.parse(text).resourceType], [400, 'OperationOutcome'], query)
    }
  })

  test('bulk_data_group_kick_off, bulk_data_status_check, bulk_data_output_check', async () => {
    const started = await kickOff(`Group/${fixture.teamId}/$export`)
    assert.equal(started.status, 202, started.text)
    const worker = await fixture.startJobs()
    try {
      for (let attempt = 0; manifest === undefined && attempt < 600; attempt += 1) {
        const { status, headers, text } = await send('GET', locationOf(started), json())
        assert.ok(status === 202 || status === 200, text)
        if (status === 202) assert.ok(Number(headers['retry-after']) > 0)
        else {
          assert.match(String(headers['content-type']), /application\/json/)
          assert.ok(Date.parse(String(headers.expires)) > fixture.clock.now().getTime())
          manifest = JSON.parse(text)
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    } finally {
      await worker.stop()
    }
    for (const name of ['transactionTime', 'request', 'requiresAccessToken', 'output', 'error']) {
      assert.ok(name in manifest, name)
    }
    assert.ok(manifest.output.length > 0)
    for (const { type, url } of manifest.output) {
      assert.match(url, /^https?:\/\//)
      assert.match(type, /^[A-Z]\w+$/)
    }
  })

  test('bulk_data_ndjson_download, bulk_data_valid_resources, bulk_data_multiple_patients', async () => {
    assert.equal(manifest.requiresAccessToken, true)
    for (const { type, url, count } of manifest.output) {
      assert.equal((await send('GET', url, { accept: 'application/fhir+ndjson' })).status, 401, url)
      const file = await send('GET', url, { ...bearer, accept: 'application/fhir+ndjson' })
      assert.equal(file.status, 200, url)
      assert.match(String(file.headers['content-type']), /^application\/fhir\+ndjson/)
      const lines = file.text.trimEnd().split('\n')
      assert.equal(lines.length, count, type)
      for (const line of lines) assert.deepEqual(findProblems(JSON.parse(line)), [], line)
      if (type === 'Patient') assert.ok(lines.length > 1)
    }
  })
})
