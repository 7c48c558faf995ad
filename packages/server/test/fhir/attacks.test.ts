import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { makeSearchedPeople } from './searched-people.ts'
import type { AnyResource } from './validate-resource.ts'

/** Requests for the data of another team, and requests that should only cost the server work. */

const fixture = useFixture(createFhirFixture)
let people: string[]
let stranger: { 'x-service-api-key': string }
/** One resource of each type, of the attacked team. */
const known = new Map<string, AnyResource>()

before(async () => {
  people = await makeSearchedPeople(fixture)
  stranger = { 'x-service-api-key': (await fixture.makeTeam()).sandboxKey }
  const { body } = await fixture.get('metadata')
  for (const { type, searchParam } of body.rest[0].resource) {
    if (searchParam === undefined) continue
    const [one] = (await fixture.get(`${type}?_count=1`)).matches
    if (one !== undefined) known.set(type, one)
  }
})

const codeOf = ({ body }: { body: AnyResource }) => body.issue?.[0].details.coding[0].code

describe('another team', () => {
  test('reads no resource, no version, no provenance and no document of ours', async () => {
    for (const [type, { id }] of known) {
      if (type === 'Organization') continue
      const paths = [
        `${type}/${id}`,
        `${type}/${id}/_history`,
        `${type}/${id}/_history/1`,
        `Binary/${id}`,
        `Binary/${id}.1`,
      ]
      for (const path of paths) {
        assert.equal((await fixture.get(path, stranger)).status, 404, path)
      }
    }
    const { id: reportId } = known.get('DiagnosticReport') ?? {}
    for (const id of [`R.${reportId}`, `P.${people[0]}`]) {
      assert.equal((await fixture.get(`Provenance/${id}`)).status, 200, id)
      assert.equal((await fixture.get(`Provenance/${id}`, stranger)).status, 404, id)
    }
  })

  test('gets nothing of ours by a search that names it, includes it, or asks for what refers to it', async () => {
    const [patient] = people
    const { id: orderId } = known.get('DiagnosticReport') ?? {}
    const searches = [
      `Patient?_id=${patient}&_revinclude=Coverage:patient&_revinclude=Provenance:target`,
      `ServiceRequest?_id=${orderId}&_include=ServiceRequest:patient&_revinclude=Observation:based-on`,
      `Observation?patient=${patient}`,
      `DiagnosticReport?based-on=ServiceRequest/${orderId}&_include=DiagnosticReport:result`,
      `Provenance?target=Patient/${patient}`,
      `Provenance?target=DiagnosticReport/${orderId}&_include=Provenance:target`,
      `DocumentReference/$docref?patient=${patient}`,
    ]
    for (const path of searches) {
      const own = await fixture.get(path)
      assert.ok(own.matches.length > 0 || path.includes('docref'), path)
      const { status, body } = await fixture.get(path, stranger)
      assert.deepEqual([status, body.entry], [200, undefined], path)
    }
    const everything = await fixture.get(`Patient/${patient}/$everything`, stranger)
    assert.equal(everything.status, 404)
  })

  test('is shown the team of its own credential only', async () => {
    const own = await fixture.get(`Organization/team-${fixture.teamId}`)
    assert.equal(own.status, 200)
    const { status } = await fixture.get(`Organization/team-${fixture.teamId}`, stranger)
    assert.equal(status, 404)
  })
})

describe('a search', () => {
  test('is not led astray by names and texts that mean something elsewhere', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']
    for (const name of names) {
      const { status, matches } = await fixture.get(`Patient?${name}=1&_id=${people[0]}`)
      assert.deepEqual([status, matches.length], [200, 1], name)
      const strict = { prefer: 'handling=strict' }
      const refused = await fixture.get(`Patient?${name}=1`, strict)
      assert.deepEqual([refused.status, codeOf(refused)], [400, 'unknown_search_parameter'], name)
      for (const path of [name, `${name}/1`, `Patient?_include=Patient:${name}`]) {
        assert.ok((await fixture.get(path)).status < 500, path)
      }
    }
    const texts = [
      "'; drop table users; --",
      '%00',
      '%F0%9F%92%A9',
      '%25',
      '*',
      '(',
      '\\',
      '%ED%A0%80',
    ]
    const parameters = ['_id', 'identifier', 'name', 'birthdate', '_lastUpdated', 'gender:not']
    for (const type of ['Patient', 'Practitioner', 'Organization', 'Observation', 'Provenance']) {
      for (const text of texts) {
        for (const parameter of parameters) {
          const path = `${type}?${parameter}=${text}`
          const { status, matches } = await fixture.get(path)
          assert.ok(status === 200 || status === 400, `${path}: ${status}`)
          if (parameter === '_id') assert.deepEqual(matches, [], path)
        }
        const { status } = await fixture.get(`${type}/${encodeURIComponent(text)}`)
        assert.equal(status, 404, `${type}/${text}`)
      }
    }
  })

  test('takes no time that no row can have', async () => {
    for (const date of ['0000', '0001-01-01', '9999-12-31', '2026-02-30', '-1', 'ap2026', '1e99']) {
      for (const name of ['_lastUpdated', 'date']) {
        const path = `Observation?patient=${people[0]}&${name}=ge${date}`
        assert.ok([200, 400].includes((await fixture.get(path)).status), path)
      }
    }
  })

  test('is bounded, however much it asks for', async () => {
    const huge = await fixture.get('Observation?category=laboratory&_count=999999')
    assert.ok(huge.body.entry.length <= 500)
    for (const count of ['-1', '1e9', '99999999999', '0x10', '']) {
      assert.equal((await fixture.get(`Patient?_count=${count}`)).status, 400, count)
    }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const ids = Array.from({ length: 10_000 }, () => randomUUID()).join(',')
    for (const search of ['Patient', 'Observation', 'Provenance']) {
      const answer = await fixture.send('POST', `${search}/_search`, `_id=${ids}`, type)
      assert.deepEqual([answer.status, codeOf(answer)], [400, 'invalid_search_parameter'], search)
    }
    const repeated = await fixture.send('POST', 'Patient/_search', 'name=a&'.repeat(5_000), type)
    assert.equal(repeated.status, 400)
  })

  test('finds all of the ids that it names, also more than are read at once', async () => {
    const user = () => fixture.makeUser()
    const made: string[] = []
    for (let index = 0; index < 205; index += 1) made.push(await user())
    const { matches } = await fixture.getAll(`Patient?_id=${made.join(',')}&_count=150`)
    assert.deepEqual(matches.map(({ id }) => id).sort(), made.sort())
    const samples = await fixture.getAll(
      `Observation?patient=${people[0]}&category=vital-signs,activity&_count=500`,
    )
    const others = await fixture.getAll(
      `Observation?patient=${people[1]}&category=vital-signs&_count=500`,
    )
    const ids = [...samples.matches, ...others.matches].map(({ id }) => id)
    const byId = await fixture.getAll(`Observation?_id=${ids.join(',')}&_count=4`)
    assert.ok(ids.length > 12 && byId.pages > 3)
    assert.deepEqual(byId.matches.map(({ id }) => id).sort(), ids.sort())
  })
})

describe('a body', () => {
  const json = { 'content-type': 'application/fhir+json' }

  test('of any shape is refused, and breaks nothing', async () => {
    const values = [null, 1, 'x', true, [], {}, [null], [[]], [{}], { coding: 1 }, '__proto__']
    const elements = [
      ...['subject', 'code', 'reasonCode', 'identifier', 'requester', 'performer', 'note'],
      ...['contained', 'supportingInfo', 'extension', 'insurance', 'requisition', 'priority'],
      ...['occurrenceDateTime', 'status', 'intent', 'resourceType'],
    ]
    const whole = {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      subject: { reference: `Patient/${randomUUID()}` },
      code: { coding: [{ system: 'urn:salus:marker', code: '999999999' }] },
    }
    for (const element of elements) {
      for (const value of values) {
        const body = { ...whole, [element]: value }
        const answer = await fixture.send('POST', 'ServiceRequest', body, json)
        const what = `${element}: ${JSON.stringify(value)}`
        assert.ok(answer.status >= 400 && answer.status < 500, `${what}: ${answer.status}`)
        assert.equal(answer.body.resourceType, 'OperationOutcome', what)
      }
    }
    const { id } = known.get('ServiceRequest') ?? {}
    for (const value of [...values, { resourceType: 'Bundle', type: 'transaction', entry: {} }]) {
      const bundle = { resourceType: 'Bundle', type: 'transaction', entry: value }
      const requests: [string, string, unknown][] = [
        ['POST', '', value],
        ['POST', '', bundle],
        ['PUT', `ServiceRequest/${id}`, value],
        ['PATCH', `ServiceRequest/${id}`, value],
      ]
      for (const [method, path, body] of requests) {
        const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/fhir+json'
        const text = JSON.stringify(body)
        const { statusCode } = await fixture.app.inject({
          method: method as 'POST',
          url: path === '' ? '/fhir/R4' : `/fhir/R4/${path}`,
          headers: { 'x-service-api-key': fixture.apiKey, 'content-type': type },
          payload: text,
        })
        assert.ok(statusCode >= 400 && statusCode < 500, `${method} ${text}: ${statusCode}`)
      }
    }
  })

  test('that grows when it is unpacked is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    for (const [url, type] of [
      ['/fhir/R4/ServiceRequest', 'application/fhir+json'],
      ['/fhir/R4/Patient/_search', 'application/x-www-form-urlencoded'],
      ['/fhir/R4/auth/token', 'application/x-www-form-urlencoded'],
    ] as const) {
      const { statusCode } = await fixture.app.inject({
        method: 'POST',
        url,
        headers: {
          'x-service-api-key': fixture.apiKey,
          'content-type': type,
          'content-encoding': 'gzip',
        },
        payload: bomb,
      })
      assert.equal(statusCode, 413, url)
    }
  })
})
