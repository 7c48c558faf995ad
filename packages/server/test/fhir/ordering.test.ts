import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startingLabTests } from '../orders/order-bodies.ts'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import type { AnyResource } from './validate-resource.ts'

const fixture = useFixture(createFhirFixture)
let patientId: string
let labTestId: string
let kitTestId: string
let nextNumber = 0

before(async () => {
  patientId = await fixture.makePatient()
  const tests = await startingLabTests(fixture as never)
  labTestId = tests.walk_in_test
  kitTestId = tests.on_site_collection
})

const SYSTEM = 'urn:example:orders'
const METHOD = [{ url: 'urn:salus:collection_method', valueCode: 'walk_in_test' }]

/** A request as a system of a physician writes it. */
function requestOf(changes: object = {}): AnyResource {
  nextNumber += 1
  return {
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    priority: 'urgent',
    identifier: [{ system: SYSTEM, value: `N-${nextNumber}` }],
    subject: { reference: `Patient/${patientId}` },
    code: { coding: [{ system: 'urn:salus:lab_test', code: labTestId }] },
    reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.9' }] }],
    requester: { reference: '#physician' },
    contained: [
      {
        resourceType: 'Practitioner',
        id: 'physician',
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
        name: [{ family: 'Park', given: ['Ines'] }],
      },
    ],
    ...changes,
  }
}

const FHIR_TYPE = { 'content-type': 'application/fhir+json' }
const place = (resource: object, headers: object = {}) =>
  fixture.send('POST', 'ServiceRequest', resource, { ...FHIR_TYPE, ...headers })
const codeOf = ({ body }: { body: AnyResource }): string => body.issue?.[0].details.coding[0].code
const countOrders = async () => (await fixture.get('ServiceRequest?_count=0')).body.total

describe('a ServiceRequest', () => {
  test('places an order with all that it says', async () => {
    const resource = requestOf({ note: [{ text: 'Fasting since midnight' }] })
    const { status, body, headers } = await place(resource)
    assert.equal(status, 201, JSON.stringify(body))
    assert.match(String(headers.location), new RegExp(`/fhir/R4/ServiceRequest/${body.id}$`))
    assert.equal(body.requester.reference, 'Practitioner/npi-1234567893')
    const order = (await fixture.call('GET', `/v3/order/${body.id}`)).body
    assert.equal(order.user_id, patientId)
    assert.equal(order.priority, true)
    assert.deepEqual(order.icd_codes, ['E11.9'])
    assert.equal(order.notes, 'Fasting since midnight')
    assert.deepEqual(order.physician, { first_name: 'Ines', last_name: 'Park', npi: '1234567893' })
    assert.equal(order.patient_details.last_name, 'Moreau')
    const found = await fixture.get(`ServiceRequest?identifier=${SYSTEM}|N-${nextNumber}`)
    assert.deepEqual(
      found.matches.map(({ id }) => id),
      [body.id],
    )
  })

  test('may name a physician who ordered before', async () => {
    const requester = { reference: 'Practitioner/npi-1234567893' }
    const { status, body } = await place(requestOf({ requester, contained: [] }))
    assert.equal(status, 201, JSON.stringify(body))
  })

  test('is refused by the checks of orders, with their code, and leaves nothing behind', async () => {
    const orders = await countOrders()
    const stranger = { reference: 'Patient/00000000-0000-4000-8000-000000000000' }
    const unknownTest = {
      coding: [{ system: 'urn:salus:lab_test', code: stranger.reference.slice(8) }],
    }
    const cases: [changes: object, status: number, code: string][] = [
      [{ subject: stranger }, 404, 'not_found'],
      [{ code: unknownTest }, 404, 'lab_test_not_found'],
      [{ code: { text: 'Glucose' } }, 422, 'enum'],
      [{ intent: 'plan' }, 422, 'enum'],
      [{ performer: [{ reference: 'Organization/lab-999' }] }, 422, 'enum'],
      [{ occurrenceDateTime: '2020-01-01' }, 400, 'activate_by_in_past'],
      [{ requester: { reference: 'Practitioner/npi-0000000000' } }, 422, 'enum'],
    ]
    for (const [changes, status, code] of cases) {
      const answer = await place(requestOf(changes))
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], JSON.stringify(changes))
    }
    assert.equal(await countOrders(), orders)
  })

  test('of a person without demographics names what is missing', async () => {
    const bare = await fixture.makeUser()
    const answer = await place(requestOf({ subject: { reference: `Patient/${bare}` } }))
    assert.equal(answer.status, 422)
    const fields = answer.body.issue.flatMap(({ expression }: AnyResource) => expression)
    assert.deepEqual(fields.sort(), ['patient_address', 'patient_details'])
  })

  test('of a person of another team is refused, like one of an unknown person', async () => {
    const { sandboxKey } = await fixture.makeTeam()
    const answer = await place(requestOf(), { 'x-service-api-key': sandboxKey })
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'])
  })
})

describe('a repeated request', () => {
  test('with If-None-Exist returns the order that exists', async () => {
    const resource = requestOf()
    const search = { 'if-none-exist': `identifier=${SYSTEM}|N-${nextNumber}` }
    const first = await place(resource, search)
    const second = await place(resource, search)
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.equal(second.body.id, first.body.id)
    const third = await place(resource)
    assert.deepEqual([third.status, codeOf(third)], [409, 'order_identifier_taken'])
    const unclear = await place(resource, { 'if-none-exist': 'code=1' })
    assert.equal(unclear.status, 422)
  })

  test('with an idempotency key gets the first answer, also a refusal', async () => {
    const key = { 'x-idempotency-key': 'fhir-1' }
    const resource = requestOf()
    const answers = [await place(resource, key), await place(resource, key)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(answers[1]?.body.id, answers[0]?.body.id)
    const other = await place(requestOf(), key)
    assert.deepEqual([other.status, codeOf(other)], [409, 'idempotency_conflict'])
    const wrong = requestOf({ occurrenceDateTime: '2020-01-01' })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await place(wrong, { 'x-idempotency-key': 'fhir-2' })
      assert.deepEqual([refused.status, codeOf(refused)], [400, 'activate_by_in_past'])
    }
  })
})

describe('a transaction Bundle', () => {
  const bundleOf = (...resources: object[]) => ({
    resourceType: 'Bundle',
    type: 'transaction',
    entry: resources.map((resource) => ({
      resource,
      request: { method: 'POST', url: 'ServiceRequest' },
    })),
  })
  const submit = (bundle: object) => fixture.send('POST', '', bundle, FHIR_TYPE)

  test('places one order for all requests of a requisition', async () => {
    const orders = await countOrders()
    const requisition = { system: 'urn:example:requisitions', value: 'R-1' }
    const { rows } = await fixture.database.pool.query(
      `select m.id from markers m join lab_tests t on t.lab_id = m.lab_id
      where t.id = $1 and m.a_la_carte_enabled and m.id not in
        (select marker_id from lab_test_markers where lab_test_id = $1) order by m.id limit 1`,
      [labTestId],
    )
    const marker = { coding: [{ system: 'urn:salus:marker', code: String(rows[0].id) }] }
    const answer = await submit(
      bundleOf(
        requestOf({ requisition, extension: METHOD }),
        requestOf({ requisition, code: marker }),
      ),
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const locations = answer.body.entry.map(({ response }: AnyResource) => response.location)
    assert.equal(new Set(locations).size, 1)
    assert.equal(await countOrders(), orders + 1)
    const orderId = locations[0].split('/')[1]
    const stored = await fixture.database.pool.query(
      'select marker_ids from orders where id = $1',
      [orderId],
    )
    assert.ok(stored.rows[0].marker_ids.includes(rows[0].id))
    const shown = await fixture.get(locations[0])
    assert.equal(
      shown.body.identifier.filter(({ system }: AnyResource) => system === SYSTEM).length,
      2,
    )
  })

  test('is refused as a whole', async () => {
    const orders = await countOrders()
    const wrong = [
      bundleOf(requestOf(), requestOf({ priority: 'routine' })),
      bundleOf(),
      { ...bundleOf(requestOf()), type: 'batch' },
      { ...bundleOf({ resourceType: 'Patient' }) },
    ]
    for (const bundle of wrong) assert.equal((await submit(bundle)).status, 422)
    assert.equal(await countOrders(), orders)
  })
})

describe('the status revoked', () => {
  const patchOf = (value: string) => JSON.stringify([{ op: 'replace', path: '/status', value }])
  const patch = (id: string, value: string) =>
    fixture.send('PATCH', `ServiceRequest/${id}`, patchOf(value), {
      'content-type': 'application/json-patch+json',
    })

  test('cancels an order, by PUT and by PATCH, once', async () => {
    const first = (await place(requestOf())).body
    const put = await fixture.send(
      'PUT',
      `ServiceRequest/${first.id}`,
      { ...first, status: 'revoked' },
      FHIR_TYPE,
    )
    assert.deepEqual([put.status, put.body.status], [200, 'revoked'])
    const second = (await place(requestOf())).body
    const patched = await patch(second.id, 'revoked')
    assert.deepEqual([patched.status, patched.body.status], [200, 'revoked'])
    assert.equal((await patch(second.id, 'revoked')).status, 200)
    for (const { id } of [first, second]) {
      const order = (await fixture.call('GET', `/v3/order/${id}`)).body
      assert.equal(order.status, 'cancelled')
    }
  })

  test('is refused for an order that is completed, and so is any other change', async () => {
    const { id } = await fixture.makeReport(patientId)
    const completed = await patch(id, 'revoked')
    assert.deepEqual([completed.status, codeOf(completed)], [400, 'transition_not_allowed'])
    const open = (await place(requestOf())).body
    assert.equal((await patch(open.id, 'on-hold')).status, 422)
    const renamed = { ...open, id: kitTestId, status: 'revoked' }
    const put = await fixture.send('PUT', `ServiceRequest/${open.id}`, renamed, FHIR_TYPE)
    assert.equal(put.status, 422)
    assert.equal((await patch(kitTestId, 'revoked')).status, 404)
  })
})
