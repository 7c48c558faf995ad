import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { makeSearchedPeople } from './searched-people.ts'
import { type AnyResource, findProblems } from './validate-resource.ts'

const fixture = useFixture(createFhirFixture)
let people: string[]

before(async () => {
  people = await makeSearchedPeople(fixture)
})

const call = (method: string, url: string, headers?: object) =>
  fixture.call(method, url.replace(/^https?:\/\/[^/]+/, ''), undefined, headers)

async function start(path: string): Promise<string> {
  const answer = await call('GET', `/fhir/R4/${path}`, { prefer: 'respond-async' })
  assert.equal(answer.status, 202, answer.text)
  return String(answer.headers['content-location'])
}

/** Waits for an export, and returns its manifest. */
async function finish(status: string): Promise<AnyResource> {
  const worker = await fixture.startJobs()
  try {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const answer = await call('GET', status)
      if (answer.status === 200) return answer.body
      assert.equal(answer.status, 202, answer.text)
      assert.match(String(answer.headers['x-progress']), /^\d+ of \d+ types$/)
      assert.ok(Number(answer.headers['retry-after']) > 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    await worker.stop()
  }
  throw new Error('The export took too long.')
}

async function readFiles(manifest: AnyResource): Promise<AnyResource[]> {
  const resources: AnyResource[] = []
  for (const { type, url, count } of manifest.output) {
    const { statusCode, headers, body } = await fixture.app.inject({
      url: url.replace(/^https?:\/\/[^/]+/, ''),
      headers: { 'x-service-api-key': fixture.apiKey },
    })
    assert.equal(statusCode, 200, body)
    assert.match(String(headers['content-type']), /^application\/fhir\+ndjson/)
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines.length, count)
    assert.ok(lines.every(({ resourceType }) => resourceType === type))
    resources.push(...lines)
  }
  return resources
}

const keysOf = (resources: AnyResource[]) =>
  resources.map(({ resourceType, id }) => `${resourceType}/${id}`).sort()

describe('everything about a patient', () => {
  test('is what the searches by patient find, on all pages', async () => {
    const [patient = ''] = people
    const { matches, pages } = await fixture.getAll(`Patient/${patient}/$everything?_count=7`)
    assert.ok(pages > 3)
    const { body } = await fixture.get('metadata')
    const expected = [(await fixture.get(`Patient/${patient}`)).body]
    for (const { type, searchParam } of body.rest[0].resource) {
      if (!searchParam?.some(({ name }: AnyResource) => name === 'patient')) continue
      expected.push(...(await fixture.getAll(`${type}?patient=${patient}&_count=500`)).matches)
    }
    assert.deepEqual(keysOf(matches), keysOf(expected))
  })

  test('has the physicians and laboratories that it refers to', async () => {
    const { included } = await fixture.get(`Patient/${people[0]}/$everything?_count=500`)
    const types = new Set(included.map(({ resourceType }) => resourceType))
    assert.deepEqual([...types].sort(), ['Organization', 'Practitioner'])
  })

  test('can be limited to types, to a time and to what changed', async () => {
    const path = `Patient/${people[0]}/$everything`
    const { matches } = await fixture.get(`${path}?_type=Observation,Coverage&_count=500`)
    const types = new Set(matches.map(({ resourceType }) => resourceType))
    assert.deepEqual([...types].sort(), ['Coverage', 'Observation'])
    const day = 'start=2026-02-01&end=2026-02-01'
    const ofDay = await fixture.get(`${path}?_type=Observation&${day}&_count=500`)
    assert.equal(ofDay.matches.length, 3)
    const changed = await fixture.get(`${path}?_since=2090-01-01&_count=500`)
    assert.deepEqual(changed.matches, [])
    assert.equal((await fixture.get(`${path}?_type=Medication`)).status, 400)
  })
})

describe('a bulk export', () => {
  test('has every resource that searches find, in files of valid resources', async () => {
    const manifest = await finish(await start('Patient/$export'))
    assert.equal(manifest.requiresAccessToken, true)
    assert.match(manifest.request, /\/fhir\/R4\/Patient\/\$export$/)
    const resources = await readFiles(manifest)
    for (const one of resources) assert.deepEqual(findProblems(one), [], one.resourceType)
    const expected: AnyResource[] = []
    for (const { type } of manifest.output) {
      expected.push(...(await fixture.getAll(`${type}?_count=500`)).matches)
    }
    for (const person of people) {
      const path = `Observation?patient=${person}&category=vital-signs,activity&_count=500`
      expected.push(...(await fixture.getAll(path)).matches)
    }
    assert.ok(resources.length > 60)
    assert.deepEqual(keysOf(resources), keysOf(expected))
  })

  test('of the group of the team can be limited to types and to what changed', async () => {
    const group = `Group/${fixture.teamId}/$export`
    const manifest = await finish(await start(`${group}?_type=Patient,Coverage`))
    const types = manifest.output.map(({ type }: AnyResource) => type)
    assert.deepEqual(types.sort(), ['Coverage', 'Patient'])
    const later = await finish(await start(`${group}?_since=2090-01-01T00:00:00Z&_type=Patient`))
    assert.deepEqual(later.output, [])
    const other = await call('GET', '/fhir/R4/Group/00000000-0000-4000-8000-000000000000/$export')
    assert.equal(other.status, 404)
  })

  test('is one at a time, and can be cancelled before it runs', async () => {
    const status = await start('Patient/$export')
    assert.equal(await start('Patient/$export'), status)
    const second = await call('GET', '/fhir/R4/Patient/$export?_type=Patient')
    assert.deepEqual(
      [second.status, second.body.issue[0].details.coding[0].code],
      [409, 'export_running'],
    )
    assert.equal((await call('GET', status)).status, 202)
    assert.equal((await call('DELETE', status)).status, 202)
    assert.equal((await call('GET', status)).status, 404)
  })

  test('refuses a format that it does not write', async () => {
    const { status } = await call('GET', '/fhir/R4/Patient/$export?_outputFormat=csv')
    assert.equal(status, 400)
  })

  test('is gone for other teams, after a day and after an erasure', async () => {
    const status = await start('Patient/$export?_type=Patient')
    const { output } = await finish(status)
    const { sandboxKey } = await fixture.makeTeam()
    const stranger = { 'x-service-api-key': sandboxKey }
    for (const url of [status, output[0].url]) {
      assert.equal((await call('GET', url, stranger)).status, 404)
    }
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as n from fhir_exports',
    )
    assert.ok(rows[0].n > 0)
    fixture.clock.advance(24 * 3_600)
    assert.equal((await call('GET', status)).status, 404)

    const again = await start('Patient/$export?_type=Patient')
    await finish(again)
    const { database, dependencies, clock } = fixture
    const erased = await fixture.makeUser()
    await fixture.call('DELETE', `/v2/user/${erased}`)
    const week = "update users set deleted_at = deleted_at - interval '60 days' where id = $1"
    await database.pool.query(week, [erased])
    assert.equal((await call('GET', again)).status, 200)
    await eraseDeletedUsers(
      { ...dependencies, pool: database.pool, clock },
      new AbortController().signal,
    )
    assert.equal((await call('GET', again)).status, 404)
    const left = await database.pool.query('select count(*)::int as n from fhir_exports')
    assert.equal(left.rows[0].n, 0)
    const files = await Array.fromAsync(fixture.files.list())
    assert.deepEqual(
      files.filter(({ kind }) => kind === 'fhir_exports'),
      [],
    )
  })
})
