import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture, FHIR } from './fhir-fixture.ts'
import { type AnyResource, findProblems } from './validate-resource.ts'

const fixture = useFixture(createFhirFixture)
let patientId: string
let otherId: string
let orderId: string

before(async () => {
  patientId = await fixture.makePatient()
  otherId = await fixture.makePatient({ first_name: 'Grace', last_name: 'Okafor', gender: 'male' })
  orderId = (await fixture.makeReport(patientId)).id
  await fixture.makeReport(otherId)
})

describe('the CapabilityStatement', () => {
  test('is public, and lists every type that can be searched', async () => {
    const { status, body, headers } = await fixture.get('metadata', { 'x-service-api-key': '' })
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/fhir\+json/)
    const searched = body.rest[0].resource.filter(({ interaction = [] }: AnyResource) =>
      interaction.some(({ code }: AnyResource) => code === 'search-type'),
    )
    const types = searched.map(({ type }: { type: string }) => type)
    for (const type of types) {
      assert.equal((await fixture.get(type)).status, 200, type)
    }
    assert.ok(types.length > 10)
  })
})

describe('a search', () => {
  test('finds what belongs to a patient, and nothing of others', async () => {
    for (const type of [
      'ServiceRequest',
      'DiagnosticReport',
      'Observation',
      'Coverage',
      'Specimen',
    ]) {
      const { matches } = await fixture.get(`${type}?patient=${patientId}&_count=500`)
      assert.ok(matches.length > 0, type)
      for (const one of matches) {
        const subject = one.subject ?? one.beneficiary
        assert.equal(subject.reference, `Patient/${patientId}`, type)
      }
    }
  })

  test('includes the observations of a report', async () => {
    const query = `DiagnosticReport?_id=${orderId}&_include=DiagnosticReport:result`
    const { matches, included } = await fixture.get(query)
    assert.equal(matches.length, 1)
    assert.equal(included.length, matches[0].result.length)
    assert.ok(included.every(({ resourceType }) => resourceType === 'Observation'))
  })

  test('goes on where the page before it ended, also within a report', async () => {
    const all = await fixture.get('Observation?category=laboratory&_count=500')
    const { matches, pages } = await fixture.getAll('Observation?category=laboratory&_count=3')
    assert.ok(pages > 4)
    assert.deepEqual(
      matches.map(({ id }) => id),
      all.matches.map(({ id }) => id),
    )
  })
})

test('the audit log names the patient of a read, a search and an order', async () => {
  const { audit } = fixture.dependencies
  const { rows: before } = await fixture.database.pool.query(
    'select array_agg(hash) as last from audit_rows',
  )
  await fixture.get(`DiagnosticReport/${orderId}`)
  await fixture.get(`Observation?patient=${patientId}&category=laboratory`)
  await fixture.get('Observation?category=laboratory&_count=500')
  await audit.flush()
  const { rows } = await fixture.database.pool.query(
    'select user_id, route from audit_rows where hash <> all($1) order by ctid',
    [before[0].last],
  )
  const seen = rows
    .filter(({ route }) => route.startsWith('/fhir/R4/:resource_type'))
    .map(({ user_id: userId }) => userId)
  assert.deepEqual(seen.slice(-3), [patientId, patientId, null])
})

describe('a reference', () => {
  test('of every resource leads to a resource', async () => {
    const { body } = await fixture.get('metadata')
    const seen = new Set<string>()
    for (const { type, searchParam } of body.rest[0].resource) {
      if (searchParam === undefined) continue
      const { matches } = await fixture.get(`${type}?_count=500`)
      const text = JSON.stringify(matches)
      for (const [, reference = ''] of text.matchAll(/"reference":"([^"]+)"/g)) seen.add(reference)
    }
    assert.ok(seen.size > 10)
    for (const reference of seen)
      assert.equal((await fixture.get(reference)).status, 200, reference)
  })
})

describe('an error', () => {
  test('is an OperationOutcome with the code of Salus', async () => {
    const cases: [path: string, status: number, code: string, headers?: object][] = [
      ['Patient/00000000-0000-4000-8000-000000000000', 404, 'not_found'],
      ['Patient/nowhere', 404, 'not_found'],
      ['Medication?code=1', 404, 'not_found'],
      ['Patient?birthdate=yesterday', 400, 'invalid_search_parameter'],
      ['Patient?shoe=44', 400, 'unknown_search_parameter', { prefer: 'handling=strict' }],
      ['Patient?_cursor=zzz', 400, 'invalid_cursor'],
      ['Patient', 401, 'invalid_api_key', { 'x-service-api-key': 'sk_us_wrong' }],
      ['Patient', 406, 'not_acceptable', { accept: 'application/fhir+xml' }],
      ['Patient/1/2/3', 404, 'not_found'],
    ]
    for (const [path, status, code, headers] of cases) {
      const answer = await fixture.get(path, headers)
      assert.equal(answer.status, status, path)
      assert.equal(answer.body.resourceType, 'OperationOutcome', path)
      assert.equal(answer.body.issue[0].details.coding[0].code, code, path)
    }
  })

  test('of an unknown parameter is a note of the answer, unless the request is strict', async () => {
    const { status, body } = await fixture.get(`Patient?_id=${patientId}&shoe=44`)
    assert.equal(status, 200)
    const note = body.entry.find(
      ({ search }: { search: { mode: string } }) => search.mode === 'outcome',
    )
    assert.deepEqual(note.resource.issue[0].expression, ['http.shoe'])
    assert.ok(!body.link[0].url.includes('shoe'))
  })
})

test('the check of resources notices a wrong code and a missing element', () => {
  const observation = {
    resourceType: 'Observation',
    status: 'finished',
    code: { text: 'Glucose' },
    meta: { profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-lab'] },
  }
  assert.ok(findProblems(observation).length > 3)
  assert.equal(FHIR, '/fhir/R4')
})
