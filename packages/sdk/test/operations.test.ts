import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Salus } from '../src/index.ts'

/**
 * Operations without a method: for browsers, their cookies and their redirects, for clients of
 * another protocol, or a second name.
 */
const WITHOUT_METHOD = [
  'GET /v2/link/connect/{provider}',
  'POST /me/session',
  'GET /me/session',
  'DELETE /me/session',
  'GET /me/connection',
  'POST /me/connection',
  'DELETE /me/connection/{provider}',
  'GET /me/data',
  'GET /me/result',
  'GET /me/result/{order_id}/pdf',
  'GET /me/access_log',
  'GET /me/share',
  'POST /me/share',
  'DELETE /me/share/{share_id}',
  'GET /me/export',
  'POST /me/export',
  'GET /me/export/{export_id}/download',
  'POST /me/erasure_request',
  'DELETE /me/erasure_request',
  'GET /me/import',
  'POST /me/import',
  'POST /me/import/uploads',
  'GET /me/import/uploads/{upload_id}',
  'PATCH /me/import/uploads/{upload_id}',
  'POST /v1/console/session',
  'GET /v1/console/session',
  'DELETE /v1/console/session',
  'GET /v1/console/sign_in_methods',
  'POST /v1/console/passkey_challenge',
  'POST /v1/console/invitation',
  'POST /v1/console/invitation/accept',
  'POST /v1/console/invitation/passkey_challenge',
  'POST /v1/console/invitation/accept_with_passkey',
  'GET /v1/console/user',
  'PUT /v1/console/user/password',
  'POST /v1/console/user/totp',
  'POST /v1/console/user/totp/confirm',
  'DELETE /v1/console/user/totp',
  'POST /v1/console/user/recovery_codes',
  'POST /v1/console/user/passkey/challenge',
  'POST /v1/console/user/passkey',
  'DELETE /v1/console/user/passkey/{passkey_id}',
  'POST /v1/org/{org_id}/team/{team_id}/create_access_token',
  'POST /v2/user/{user_id}/import/uploads',
  'GET /fhir/R4/metadata',
  'GET /fhir/R4/{resource_type}',
  'POST /fhir/R4/{resource_type}/_search',
  'GET /fhir/R4/{resource_type}/{resource_id}',
  'GET /fhir/R4/{resource_type}/{resource_id}/_history',
  'GET /fhir/R4/{resource_type}/{resource_id}/_history/{version_id}',
  'GET /fhir/R4/Patient/{user_id}/$everything',
  'GET /fhir/R4/DocumentReference/$docref',
  'GET /fhir/R4/Patient/$export',
  'GET /fhir/R4/Group/{team_id}/$export',
  'GET /fhir/R4/bulk_export/status/{export_id}',
  'DELETE /fhir/R4/bulk_export/status/{export_id}',
  'GET /fhir/R4/bulk_export/file/{export_id}/{file_name}',
  'POST /fhir/R4/auth/token',
  'GET /fhir/R4/.well-known/smart-configuration',
  'POST /fhir/R4/ServiceRequest',
  'POST /fhir/R4',
  'PUT /fhir/R4/{resource_type}/{resource_id}',
  'PATCH /fhir/R4/{resource_type}/{resource_id}',
  'PATCH /v2/user/{user_id}/import/uploads/{upload_id}',
  'DELETE /v2/user/{user_id}/import/uploads/{upload_id}',
]

interface Operation {
  key: string
  isDeprecated: boolean
}

/** The operations of the document, those with the fewest parameters in their path first. */
function readOperations(): Operation[] {
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, { deprecated?: boolean }>> }
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { deprecated = false }]) => ({
      key: `${verb.toUpperCase()} ${path}`,
      isDeprecated: deprecated,
    })),
  )
  const count = ({ key }: Operation) => key.split('{').length
  return operations.sort((one, other) => count(one) - count(other))
}

/** Methods of an object that are not of every object, with those of the objects in it. */
function listMethods(object: object, name: string): [string, (...args: unknown[]) => unknown][] {
  const methods: [string, (...args: unknown[]) => unknown][] = []
  for (
    let kind = Object.getPrototypeOf(object);
    kind !== Object.prototype;
    kind = Object.getPrototypeOf(kind)
  ) {
    for (const method of Object.getOwnPropertyNames(kind)) {
      if (method === 'constructor') continue
      const call = (object as Record<string, unknown>)[method]
      if (typeof call === 'function') methods.push([`${name}.${method}`, call.bind(object)])
    }
  }
  const resources = Object.entries(object).filter(([key]) => key !== 'http')
  return [...methods, ...resources.flatMap(([key, value]) => listMethods(value, `${name}.${key}`))]
}

const matches = (key: string, request: string): boolean =>
  new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request)

/** What a method that waits for a job, or follows events, reads of it at once. */
const ENDED = { status: 'completed', groups: {}, data: [], problems: [] }

test('there is a method for each operation that is not deprecated, and each does what it says', async () => {
  const operations = readOperations()
  const called = new Map<string, string>()
  let requests: string[] = []
  const salus = new Salus({
    apiKey: 'sk_us_x',
    managementKey: 'mg_x',
    linkToken: 'link_x',
    orgId: 'org',
    teamId: 'team',
    baseUrl: 'http://salus',
    fetch: async (address, { method } = {}) => {
      requests.push(`${method} ${new URL(String(address)).pathname}`)
      return Response.json(ENDED)
    },
  })
  const methods = listMethods(salus, 'salus').filter(([name]) => name !== 'salus.request')
  for (const [name, call] of methods) {
    requests = []
    // Ids, a body or a query, whichever it takes: nothing of it is looked at here.
    const result = call('steps', 'steps', { data: [] }, {})
    if (name.endsWith('.follow')) {
      await (result as AsyncGenerator).return(undefined)
      continue
    }
    await result
    assert.equal(requests.length, 1, name)
    const operation = operations.find(({ key }) => matches(key, requests[0] ?? ''))
    assert.ok(operation, `${name} calls ${requests[0]}, which is not in the document`)
    assert.equal(operation.isDeprecated, false, `${name} is deprecated`)
    called.set(operation.key, name)
  }
  const missing = operations.filter(({ key, isDeprecated }) => {
    const isOfOtherSeries = /^(GET|POST) \/v2\/timeseries\/\{user_id\}\//.test(key)
    return !isDeprecated && !isOfOtherSeries && !called.has(key)
  })
  assert.deepEqual(missing.map(({ key }) => key).sort(), WITHOUT_METHOD.toSorted())
  assert.ok(called.size > 250, `${called.size} operations`)
})
