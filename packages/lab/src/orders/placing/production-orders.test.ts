import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { App } from '@salus/kernel/http/app-types'
import { buildApp } from '../../../../server/src/app.ts'
import { makeCatalog } from '../../../../server/test/catalog/small-catalog.ts'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import { createFakeGateway } from '../../../../server/test/orders/fake-gateway.ts'
import { orderBody, PATIENT_ADDRESS } from '../../../../server/test/orders/order-bodies.ts'

/** Production has only the data that the operator provided. */

let harness: Harness
let key: string
/** The application of the harness, with a gateway to every laboratory. */
let connected: App

before(async () => {
  harness = await createHarness()
  const team = await harness.makeTeam()
  key = team.productionKey
  const url = `/v1/org/${harness.organizationId}/team/${team.id}`
  const headers = { 'x-management-key': harness.managementKey }
  const settings = { production: { lab_test_auto_approve: true } }
  const { status, text } = await harness.call('PATCH', url, settings, headers)
  assert.equal(status, 200, text)
  const gateway = createFakeGateway()
  const gateways = { ...harness.dependencies.gateways, find: async () => gateway }
  connected = await buildApp({ ...harness.dependencies, gateways })
})
after(async () => {
  await connected?.close()
  await harness?.close()
})

const call = (method: string, url: string, body?: unknown) =>
  harness.call(method, url, body, { 'x-service-api-key': key })
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [
  status,
  body.detail.error_type ?? body.detail,
]
const load = async (changes: object) => {
  const headers = { 'x-management-key': harness.managementKey }
  const body = { ...makeCatalog(), ...changes }
  const answer = await harness.call('PUT', '/v1/catalog', body, headers)
  assert.equal(answer.status, 200, answer.text)
}

async function place(labTestId: string, changes: object = {}, app = connected) {
  const user = await call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })
  const patient_address = { ...PATIENT_ADDRESS, state: 'ND' }
  const response = await app.inject({
    method: 'POST',
    url: '/v3/order',
    headers: { 'content-type': 'application/json', 'x-service-api-key': key },
    payload: JSON.stringify(
      orderBody(user.body.user_id, labTestId, { patient_address, ...changes }),
    ),
  })
  const body = response.json()
  return [response.statusCode, body.detail?.error_type ?? body.detail ?? body.status]
}

describe('before an operator loaded a catalog', () => {
  test('production has no laboratory, no marker, no price and no account', async () => {
    assert.deepEqual((await call('GET', '/v3/lab_tests/labs')).body, [])
    const markers = (await call('GET', '/v3/lab_tests/markers?include_pricing=true')).body
    assert.deepEqual([markers.total, markers.markers, markers.pricing.data], [0, [], {}])
    assert.deepEqual((await call('GET', '/v3/lab_test')).body.data, [])
    const search = { mode: 'crosswalk', query: 'glucose' }
    const found = (await call('POST', '/v3/compendium/search', search)).body
    assert.deepEqual([found.selected_canonical, found.per_lab.quest], [null, []])
    const codes = { provider_ids: ['Q1'], target_lab: 'quest' }
    const orderable = await call('POST', '/v3/compendium/search_orderable_tests', codes)
    assert.deepEqual(refusalOf(orderable), [404, 'lab_not_found'])
  })

  test('the sample cannot be ordered there, even with its ids', async () => {
    const sandbox = await harness.call('GET', '/v3/lab_tests/markers?size=1')
    const [marker] = sandbox.body.markers
    const one = await call('GET', `/v3/lab_tests/${marker.lab_id}/markers/${marker.provider_id}`)
    assert.deepEqual(refusalOf(one), [404, 'marker_not_found'])
    const test = { name: 'Mine', description: 'A test', method: 'walk_in_test' }
    const made = await call('POST', '/v3/lab_tests', { ...test, marker_ids: [marker.id] })
    assert.deepEqual(refusalOf(made), [404, 'marker_not_found'])
  })

  test('sandboxes have all of it', async () => {
    assert.equal((await harness.call('GET', '/v3/lab_tests/labs')).body.length, 15)
  })
})

describe('with a catalog of the operator', () => {
  let labTestId: string

  before(async () => {
    await load({ network_physicians: [] })
    const { body } = await call('GET', '/v3/lab_tests/markers')
    assert.deepEqual(
      (await call('GET', '/v3/lab_tests/labs')).body.map((lab: { slug: string }) => lab.slug),
      ['north'],
    )
    const test = { name: 'Thyroid', description: 'TSH', method: 'walk_in_test' }
    const markerIds = body.markers
      .filter((marker: { provider_id: string }) => marker.provider_id === '100')
      .map(({ id }: { id: number }) => id)
    const made = await call('POST', '/v3/lab_tests', { ...test, marker_ids: markerIds })
    assert.equal(made.status, 200, made.text)
    labTestId = made.body.id
  })

  test('an order for a laboratory without a gateway is refused at once', async () => {
    const physician = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }
    const { app } = harness
    assert.deepEqual(await place(labTestId, { physician }, app), [400, 'lab_not_connected'])
    const kit = { user_id: crypto.randomUUID() }
    assert.deepEqual(await place(labTestId, kit, app), [404, 'user_not_found'])
  })

  test('an order without a physician is refused until the operator has one', async () => {
    assert.deepEqual(await place(labTestId), [400, 'physician_required'])
    await load({})
    assert.deepEqual(await place(labTestId), [200, 'success'])
  })

  test('a sample laboratory that the operator loaded belongs to the operator from then on', async () => {
    const catalog = makeCatalog()
    const [north] = catalog.labs
    const labs = [{ ...north, slug: 'quest', name: 'Quest, as we know it' }]
    await load({ labs, orderables: {}, lab_accounts: [], network_physicians: [] })
    const { body } = await call('GET', '/v3/lab_tests/labs')
    assert.deepEqual(body.map((lab: { slug: string }) => lab.slug).toSorted(), ['north', 'quest'])
    // Its sample tests are gone, and its sample account cannot be billed.
    const { rows } = await harness.database.pool.query(
      `select (select count(*)::int from markers where lab_id = labs.id and is_active) as markers,
        (select bool_and(is_sample) from lab_accounts where lab_id = labs.id) as is_sample
      from labs where slug = 'quest'`,
    )
    assert.deepEqual(rows, [{ markers: 0, is_sample: true }])
  })
})
