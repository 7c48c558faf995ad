import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { TokenGrants } from '@salus/fhir/clients'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { type ClientKey, makeAssertion, makeClientKey, tokenRequest } from './smart-client.ts'

const fixture = useFixture(createFhirFixture)
const AUDIENCE = 'http://localhost:80/fhir/R4/auth/token'
let patientId: string
let orderId: string

before(async () => {
  patientId = await fixture.makePatient()
  orderId = (await fixture.makeReport(patientId)).id
})

const clientsPath = () => `/team/${fixture.teamId}/sandbox/smart_client`

async function register(scopes: string[], alg: ClientKey['alg'] = 'ES384') {
  const key = makeClientKey(alg)
  const body = { label: 'Records', jwks: { keys: [key.jwk] }, scopes }
  const answer = await fixture.manage('POST', clientsPath(), body)
  assert.equal(answer.status, 200, answer.text)
  return { key, id: answer.body.id as string }
}

type Client = Awaited<ReturnType<typeof register>>

const assertionOf = ({ key, id }: Client, changes: object = {}, header: object = {}) =>
  makeAssertion(
    key,
    { clientId: id, audience: AUDIENCE, now: fixture.clock.now() },
    { ...changes },
    { ...header },
  )

async function ask(fields: Record<string, string>) {
  const { statusCode: status, body } = await fixture.app.inject({
    method: 'POST',
    url: '/fhir/R4/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
  return { status, body: JSON.parse(body) }
}

async function tokenOf(client: Client, scope = 'system/*.rs'): Promise<object> {
  const { status, body } = await ask(tokenRequest(assertionOf(client), scope))
  assert.equal(status, 200, JSON.stringify(body))
  return { authorization: `Bearer ${body.access_token}`, 'x-service-api-key': '' }
}

const seconds = (offset: number) => Math.floor(fixture.clock.now().getTime() / 1000) + offset

describe('the token endpoint', () => {
  test('is described by the SMART configuration', async () => {
    const { body } = await fixture.call('GET', '/fhir/R4/.well-known/smart-configuration')
    assert.equal(body.token_endpoint, AUDIENCE)
    assert.ok(body.token_endpoint_auth_signing_alg_values_supported.includes('ES384'))
  })

  test('grants a token for either kind of key, which ends after five minutes', async () => {
    for (const alg of ['ES384', 'RS384'] as const) {
      const client = await register(['system/*.rs'], alg)
      const { status, body } = await ask(tokenRequest(assertionOf(client)))
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(
        [body.token_type, body.expires_in, body.scope],
        ['bearer', 300, 'system/*.rs'],
      )
      const headers = { authorization: `Bearer ${body.access_token}`, 'x-service-api-key': '' }
      assert.equal((await fixture.get(`Patient/${patientId}`, headers)).status, 200)
      fixture.clock.advance(300)
      const late = await fixture.get(`Patient/${patientId}`, headers)
      assert.equal(late.status, 401)
      assert.equal(late.body.issue[0].details.coding[0].code, 'invalid_token')
    }
  })

  test('refuses an assertion that was used, and each that says something else', async () => {
    const client = await register(['system/*.rs'])
    const used = assertionOf(client)
    assert.equal((await ask(tokenRequest(used))).status, 200)
    const stranger = { key: makeClientKey(), id: client.id }
    const other = await register(['system/*.rs'])
    const wrong = [
      used,
      '',
      'a.b.c',
      assertionOf(client, { exp: seconds(-60) }),
      assertionOf(client, { exp: seconds(900) }),
      assertionOf(client, { exp: undefined }),
      assertionOf(client, { jti: undefined }),
      assertionOf(client, { aud: 'http://localhost/another' }),
      assertionOf(client, { sub: other.id }),
      assertionOf(client, { iss: other.id, sub: other.id }),
      assertionOf(client, { iss: '00000000-0000-4000-8000-000000000000' }),
      assertionOf(client, {}, { alg: 'none' }),
      assertionOf(client, {}, { alg: 'HS384' }),
      assertionOf(stranger),
      assertionOf(stranger, {}, { jwk: stranger.key.jwk }),
      assertionOf(stranger, {}, { jku: 'https://keys.example.com', kid: client.key.jwk.kid }),
      assertionOf(client, {}, { crit: ['other'], other: 1 }),
      assertionOf(client, { nbf: seconds(60) }),
      assertionOf(client, { exp: 'soon' }),
      assertionOf(client, { jti: { $ne: '' } }),
    ]
    for (const [index, assertion] of wrong.entries()) {
      const { status, body } = await ask(tokenRequest(assertion))
      assert.deepEqual([status, body.error], [401, 'invalid_client'], String(index))
    }
  })

  test('refuses other grants and scopes that the client does not have', async () => {
    const client = await register(['system/Patient.rs'])
    const form = () => tokenRequest(assertionOf(client), 'system/Observation.rs system/*.read')
    const { status, body } = await ask(form())
    assert.deepEqual([status, body.error], [400, 'invalid_scope'])
    const password = await ask({ ...form(), grant_type: 'password' })
    assert.deepEqual([password.status, password.body.error], [400, 'unsupported_grant_type'])
    const both = await ask(
      tokenRequest(assertionOf(client), 'system/Patient.read system/Observation.rs'),
    )
    assert.equal(both.body.scope, 'system/Patient.read')
  })
})

test('a registered key that is not usable is refused like a wrong signature', async () => {
  const { key, id } = await register(['system/*.rs'])
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const sets = [
    { keys: [null] },
    { keys: [1, 'x'] },
    { keys: {} },
    { keys: [{ kty: 'EC', kid: key.jwk.kid, crv: 'P-384', x: 'AQ', y: 'AQ' }] },
    { keys: [{ ...weak.publicKey.export({ format: 'jwk' }), alg: 'RS384', kid: key.jwk.kid }] },
    { keys: [{ kty: 'oct', k: 'AQ', alg: 'HS384', kid: key.jwk.kid }] },
  ]
  for (const set of sets) {
    await fixture.database.pool.query('update smart_clients set jwks = $2 where id = $1', [
      id,
      JSON.stringify(set),
    ])
    const { status, body } = await ask(tokenRequest(assertionOf({ key, id })))
    assert.deepEqual([status, body.error], [401, 'invalid_client'], JSON.stringify(set))
  }
})

test('a client may publish its keys, which are read once in five minutes', async () => {
  const key = makeClientKey()
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end(JSON.stringify({ keys: [key.jwk] }))
  }).listen(0, '127.0.0.1')
  const agent = createOutboundAgent({ allowPrivate: true })
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { id } = await register(['system/*.rs'])
    await fixture.database.pool.query(
      'update smart_clients set jwks = null, jwks_url = $2 where id = $1',
      [id, `http://127.0.0.1:${port}/keys`],
    )
    const grants = new TokenGrants({ db: fixture.database.db, clock: fixture.clock }, agent)
    const grant = () =>
      grants.grant(new URLSearchParams(tokenRequest(assertionOf({ key, id }))), AUDIENCE)
    assert.equal((await grant()).expires_in, 300)
    assert.equal((await grant()).expires_in, 300)
    assert.equal(requests, 1)
    fixture.clock.advance(300)
    await grant()
    assert.equal(requests, 2)
    server.close()
    server.closeAllConnections()
    fixture.clock.advance(300)
    await assert.rejects(grant(), { errorType: 'invalid_client' })
  } finally {
    server.close()
    await agent.close()
  }
})

describe('the scopes of a token', () => {
  const codeOf = ({ body }: { body: { issue?: { details: { coding: { code: string }[] } }[] } }) =>
    body.issue?.[0]?.details.coding[0]?.code

  test('open what they name, and nothing else', async () => {
    const client = await register(['system/DiagnosticReport.rs', 'system/Patient.r'])
    const headers = await tokenOf(client, 'system/DiagnosticReport.rs system/Patient.r')
    const open = [
      ...['DiagnosticReport', `DiagnosticReport/${orderId}`, `Patient/${patientId}`],
      ...[`DiagnosticReport/${orderId}/_history`, `DiagnosticReport/${orderId}/_history/1`],
    ]
    for (const path of open) assert.equal((await fixture.get(path, headers)).status, 200, path)
    const closed = [
      'Patient',
      'Observation',
      `Specimen/${orderId}`,
      `Binary/${orderId}`,
      'DiagnosticReport?_include=DiagnosticReport:result',
      'DiagnosticReport?_revinclude=Provenance:target',
      'DocumentReference/$docref',
      `Provenance/R.${orderId}`,
      `Patient/${patientId}/$everything`,
      'Patient/$export',
      'Patient/$export?_type=Observation',
    ]
    for (const path of closed) {
      const answer = await fixture.get(path, headers)
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'insufficient_scope'], path)
    }
    const order = await fixture.send(
      'POST',
      'ServiceRequest',
      { resourceType: 'ServiceRequest' },
      headers,
    )
    assert.deepEqual([order.status, codeOf(order)], [403, 'insufficient_scope'])
  })

  test('of all types open everything about a patient, but no order', async () => {
    const headers = await tokenOf(await register(['system/*.rs']))
    assert.equal((await fixture.get(`Patient/${patientId}/$everything`, headers)).status, 200)
    const change = { resourceType: 'ServiceRequest', id: orderId, status: 'revoked' }
    const answer = await fixture.send('PUT', `ServiceRequest/${orderId}`, change, headers)
    assert.equal(codeOf(answer), 'insufficient_scope')
    const writer = await tokenOf(
      await register(['system/ServiceRequest.cu']),
      'system/ServiceRequest.cu',
    )
    const refused = await fixture.send('PUT', `ServiceRequest/${orderId}`, change, writer)
    assert.equal(codeOf(refused), 'transition_not_allowed')
  })

  test('do not reach other interfaces or other environments', async () => {
    const headers = await tokenOf(await register(['system/*.rs']))
    assert.equal((await fixture.call('GET', '/v2/user', undefined, headers)).status, 401)
    const path = `/team/${fixture.teamId}/production/smart_client`
    const key = makeClientKey()
    const body = { label: 'Records', jwks: { keys: [key.jwk] }, scopes: ['system/*.rs'] }
    const { body: made } = await fixture.manage('POST', path, body)
    const production = await tokenOf({ key, id: made.id })
    assert.equal((await fixture.get(`Patient/${patientId}`, production)).status, 404)
    assert.equal((await fixture.get('Patient', production)).matches.length, 0)
  })
})

describe('the clients of an environment', () => {
  test('are listed, and their tokens end with them', async () => {
    const client = await register(['system/*.rs'])
    const headers = await tokenOf(client)
    const { body } = await fixture.manage('GET', clientsPath())
    assert.ok(body.data.some(({ id }: { id: string }) => id === client.id))
    const removed = await fixture.manage('DELETE', `${clientsPath()}/${client.id}`)
    assert.equal(removed.status, 200)
    assert.equal((await fixture.get('Patient', headers)).status, 401)
    assert.equal((await ask(tokenRequest(assertionOf(client)))).status, 401)
  })

  test('have public keys only, at one place, and scopes that exist', async () => {
    const { jwk } = makeClientKey()
    const jwks = { keys: [jwk] }
    const scopes = ['system/*.rs']
    const wrong: [body: object, type: string][] = [
      [{ label: 'x', scopes }, 'exactly_one'],
      [{ label: 'x', scopes, jwks, jwks_url: 'https://keys.example.com' }, 'exactly_one'],
      [{ label: 'x', scopes, jwks: { keys: [{ ...jwk, d: 'AQ' }] } }, 'extra_forbidden'],
      [{ label: 'x', scopes, jwks_url: 'http://keys.example.com' }, 'https_required'],
      [{ label: 'x', scopes, jwks_url: 'https://127.0.0.1/keys' }, 'private_address'],
      [{ label: 'x', scopes: ['system/Medication.rs'], jwks }, 'enum'],
      [{ label: 'x', scopes: ['patient/*.rs'], jwks }, 'enum'],
      [{ label: 'x', scopes: ['system/Patient.'], jwks }, 'enum'],
    ]
    for (const [body, type] of wrong) {
      const answer = await fixture.manage('POST', clientsPath(), body)
      assert.deepEqual([answer.status, answer.body.detail[0].type], [422, type], answer.text)
    }
  })
})
