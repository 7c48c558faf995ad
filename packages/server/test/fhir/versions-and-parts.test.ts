import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { allResults, pdfText, reportOf } from '../results/lipid-reports.ts'
import { USER_INFO } from '../route-cases.ts'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import type { AnyResource } from './validate-resource.ts'

/** Versions of results, parts of resources, and what refers to what. */

const fixture = useFixture(createFhirFixture)
let patientId: string
let orderId: string

before(async () => {
  patientId = await fixture.makePatient()
  orderId = (await fixture.makeReport(patientId, { pdf: pdfText('first') })).id
})

const keysOf = (resources: AnyResource[]) =>
  resources.map(({ resourceType, id }) => `${resourceType}/${id}`)

describe('a conditional read', () => {
  test('answers 304 to a client that has the resource, and the resource after a change', async () => {
    const path = `Patient/${patientId}`
    const first = await fixture.get(path)
    const tag = String(first.headers.etag)
    assert.match(tag, /^W\/"[\w-]+"$/)
    const since = String(first.headers['last-modified'])
    for (const headers of [
      { 'if-none-match': tag },
      { 'if-none-match': `"other", ${tag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': since },
    ]) {
      const { statusCode, body } = await fixture.app.inject({
        url: `/fhir/R4/${path}`,
        headers: { 'x-service-api-key': fixture.apiKey, ...headers },
      })
      assert.deepEqual([statusCode, body], [304, ''], JSON.stringify(headers))
    }
    const other = { 'if-none-match': '"other"', 'if-modified-since': since }
    assert.equal((await fixture.get(path, other)).status, 200)
    fixture.clock.advance(60)
    const changed = await fixture.call('PATCH', `/v2/user/${patientId}/info`, {
      ...USER_INFO,
      first_name: 'Eve',
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await fixture.get(path, { 'if-none-match': tag })).status, 200)
    assert.equal((await fixture.get(path, { 'if-modified-since': since })).status, 200)
  })
})

describe('versions of results', () => {
  before(async () => {
    fixture.clock.advance(3_600)
    const { body: order } = await fixture.call('GET', `/v3/order/${orderId}`)
    const results = allResults({ cholesterol: '999' })
    const message = reportOf(order, { status: 'corrected', results, pdf: pdfText('second') })
    await fixture.take({ message, labSlug: 'quest' })
  })

  test('can be read one by one, and as a history, the newest first', async () => {
    const newest = await fixture.get(`DiagnosticReport/${orderId}`)
    assert.equal(newest.body.meta.versionId, '2')
    assert.equal(newest.headers.etag, 'W/"2"')
    const history = await fixture.get(`DiagnosticReport/${orderId}/_history`)
    assert.equal(history.status, 200, JSON.stringify(history.body))
    const versions = history.body.entry.map(({ resource }: AnyResource) => resource)
    assert.deepEqual(
      versions.map(({ meta, status }: AnyResource) => [meta.versionId, status]),
      [
        ['2', 'amended'],
        ['1', 'final'],
      ],
    )
    const old = await fixture.get(`DiagnosticReport/${orderId}/_history/1`)
    assert.deepEqual([old.body, old.headers.etag], [versions[1], 'W/"1"'])
    for (const version of ['0', '3', '01', '1.0', 'x', '__proto__']) {
      const { status } = await fixture.get(`DiagnosticReport/${orderId}/_history/${version}`)
      assert.equal(status, 404, version)
    }
  })

  test('keep the value that an observation had, under the same id', async () => {
    const { body } = await fixture.get(`DiagnosticReport/${orderId}`)
    const { reference } = body.result[0]
    const now = await fixture.get(reference)
    const before = await fixture.get(`${reference}/_history/1`)
    assert.equal(now.body.valueQuantity.value, 999)
    assert.notEqual(before.body.valueQuantity.value, 999)
    assert.equal(before.body.id, now.body.id)
  })

  test('are nothing that other types have', async () => {
    for (const path of [
      `Patient/${patientId}/_history`,
      `Patient/${patientId}/_history/1`,
      'Observation/x/_history',
      'Medication/1/_history',
    ]) {
      assert.equal((await fixture.get(path)).status, 404, path)
    }
  })
})

describe('a part of resources', () => {
  test('has the requested elements and the mandatory ones', async () => {
    const query = `Observation?patient=${patientId}&category=laboratory`
    const { matches } = await fixture.get(`${query}&_elements=valueQuantity,note`)
    assert.ok(matches.length > 3)
    for (const one of matches) {
      const names = Object.keys(one).filter((name) => name !== 'note')
      assert.deepEqual(
        names.sort(),
        ['code', 'id', 'meta', 'resourceType', 'status', 'valueQuantity'],
        JSON.stringify(one),
      )
      assert.equal(one.meta.tag[0].code, 'SUBSETTED')
    }
    const chosen = await fixture.get(`Patient/${patientId}?_elements=Patient.gender`)
    assert.deepEqual(Object.keys(chosen.body).sort(), ['gender', 'id', 'meta', 'resourceType'])
    for (const wrong of ['', 'a b', '1', 'Patient.']) {
      assert.equal((await fixture.get(`${query}&_elements=${wrong}`)).status, 400, wrong)
    }
  })

  test('is a summary, the data, the text or the number', async () => {
    const { body } = await fixture.get('metadata')
    for (const { type, searchParam } of body.rest[0].resource) {
      if (searchParam === undefined) continue
      const whole = await fixture.get(`${type}?_count=500`)
      for (const summary of ['true', 'data', 'text', 'false']) {
        const { matches } = await fixture.get(`${type}?_count=500&_summary=${summary}`)
        assert.equal(matches.length, whole.matches.length, type)
        const isCut = summary !== 'false'
        for (const one of matches) assert.equal(one.meta.tag !== undefined, isCut, type)
      }
      const { body: counted } = await fixture.get(`${type}?_summary=count`)
      assert.deepEqual([counted.total, counted.entry], [whole.matches.length, undefined], type)
    }
    const { matches } = await fixture.get(`DiagnosticReport?_id=${orderId}&_summary=true`)
    assert.ok(matches[0].issued !== undefined && matches[0].result === undefined)
    assert.equal((await fixture.get('Patient?_summary=maybe')).status, 400)
  })
})

describe('_revinclude', () => {
  test('adds what refers to the found resources, each once', async () => {
    const path = `ServiceRequest?_id=${orderId}&_revinclude=DiagnosticReport:based-on&_revinclude=Observation:based-on`
    const { included } = await fixture.get(`${path}&_include=ServiceRequest:patient`)
    const report = (await fixture.get(`DiagnosticReport/${orderId}`)).body
    const expected = [
      `Patient/${patientId}`,
      `DiagnosticReport/${orderId}`,
      ...report.result.map(({ reference }: AnyResource) => reference),
    ]
    assert.deepEqual(keysOf(included).sort(), expected.sort())
  })

  test('of a patient adds what the search of each type by the patient finds', async () => {
    const { body } = await fixture.get('metadata')
    const { searchRevInclude } = body.rest[0].resource[0]
    for (const name of searchRevInclude) {
      const [type] = name.split(':')
      if (type === 'Provenance') continue
      const { included } = await fixture.get(`Patient?_id=${patientId}&_revinclude=${name}`)
      const { matches } = await fixture.get(`${type}?patient=${patientId}&_count=500`)
      assert.deepEqual(keysOf(included).sort(), keysOf(matches).sort(), name)
    }
  })

  test('adds the provenance, which names the laboratory and the team', async () => {
    const path = `DiagnosticReport?_id=${orderId}&_revinclude=Provenance:target`
    const { matches, included } = await fixture.get(path)
    const [provenance] = included
    assert.deepEqual(provenance.target, [{ reference: `DiagnosticReport/${orderId}` }])
    assert.equal(provenance.recorded, matches[0].meta.lastUpdated)
    const [author, transmitter] = provenance.agent
    assert.deepEqual(author.who, matches[0].performer[0])
    assert.equal(transmitter.who.reference, `Organization/team-${fixture.teamId}`)
    for (const { who } of provenance.agent) {
      assert.equal((await fixture.get(who.reference)).status, 200, who.reference)
    }
    assert.deepEqual((await fixture.get(`Provenance/${provenance.id}`)).body, provenance)
    const found = await fixture.get(`Provenance?target=DiagnosticReport/${orderId}`)
    assert.deepEqual(found.matches, [provenance])
  })
})

test('$docref returns the documents of a patient, by their time and type', async () => {
  const path = `DocumentReference/$docref?patient=${patientId}`
  const { matches } = await fixture.get(path)
  assert.deepEqual(keysOf(matches), [`DocumentReference/${orderId}`])
  assert.equal((await fixture.get(`${path}&type=11502-2`)).matches.length, 1)
  assert.equal((await fixture.get(`${path}&type=34117-2`)).matches.length, 0)
  assert.equal((await fixture.get(`${path}&start=2090-01-01`)).matches.length, 0)
  assert.equal((await fixture.get(`${path}&start=2020-01-01&end=2090-01-01`)).matches.length, 1)
  for (const wrong of ['DocumentReference/$docref', `${path}&on-demand=true`]) {
    assert.equal((await fixture.get(wrong)).status, 400, wrong)
  }
})
