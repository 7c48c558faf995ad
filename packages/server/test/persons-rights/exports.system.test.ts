import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { rowScope } from '@salus/kernel/scope'
import { Ajv } from 'ajv'
import { parse as parseCsv } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { countPersonRows, PERSON_TABLES } from '../../../rights/src/person-data/index.ts'
import { createHarness, type Harness } from '../harness.ts'
import { makeSubject, type Subject } from '../subject.ts'
import { useFixture } from '../use-fixture.ts'
import { exportPerson, readArchive, sha256, waitForExport } from './export-archive.ts'

interface Quantity {
  unit?: string
  code?: string
  system?: string
}
interface Resource {
  resourceType: string
  code?: { text: string }
  basedOn?: unknown
  valueQuantity?: Quantity
}

const harness = useFixture(createHarness)
let subject: Subject
/** Rows of the subject by table, before anything is exported. */
let counts: ReadonlyMap<string, number>

const call: Harness['call'] = (...request) => harness.call(...request)
/** Tables that grow during the export. */
const GROWING = new Set(['audit_rows', 'pending_audit_rows', 'person_exports'])

before(async () => {
  subject = await makeSubject(harness)
  await makeSubject(harness)
  await harness.dependencies.audit.flush()
  const { pool, db } = harness.database
  const { rows } = await pool.query('select environment_id from users where id = $1', [
    subject.userId,
  ])
  const scope = { ...rowScope(db, rows[0].environment_id), clickhouse: harness.clickhouse }
  counts = await countPersonRows(scope, subject.userId)
  await harness.startJobs()
})

const shown = () =>
  PERSON_TABLES.filter(({ name, unexported }) => unexported === undefined && counts.has(name))

describe('an export', () => {
  test('as JSON has every row of every table, each file as it is, and a manifest of all', async () => {
    const { files } = await exportPerson(harness, subject.userId, 'json')
    assert.ok(shown().length > 30, `${shown().length} tables`)
    for (const { name } of shown()) {
      const rows = JSON.parse(String(files.get(`${name}.json`)))
      if (!GROWING.has(name)) assert.equal(rows.length, counts.get(name), name)
    }
    const manifest = JSON.parse(String(files.get('manifest.json')))
    const sent = manifest.files.map(({ name }: { name: string }) => name)
    assert.deepEqual([...sent, 'manifest.json'], [...files.keys()])
    for (const { name, sha256: hash } of manifest.files) {
      assert.equal(sha256(files.get(name) as Buffer), hash, name)
    }
    const pdfs = [...files.keys()].filter((name) => /^files\/results\/.*\.\d+\.pdf$/.test(name))
    assert.ok(pdfs.length > 0)
    for (const name of pdfs) assert.equal(String(files.get(name)?.subarray(0, 5)), '%PDF-')
    assert.ok([...files.keys()].some((name) => name.startsWith('files/lab_reports/')))
    const [sample] = JSON.parse(String(files.get('samples.json')))
    assert.match(sample.started_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const [event] = JSON.parse(String(files.get('events.json')))
    assert.ok(JSON.parse(event.body).event_type)
  })

  test('shows no secret, and nothing of other users', async () => {
    const { files } = await exportPerson(harness, subject.userId, 'json')
    const text = [...files].map(([, content]) => content.toString('latin1')).join('\n')
    const { rows: others } = await harness.database.pool.query(
      'select id from users where id <> $1',
      [subject.userId],
    )
    for (const { id } of others) assert.ok(!text.includes(id))
    for (const column of ['sealed', 'token_hash', 'family_hash', 'code_hash', 'link_hash']) {
      assert.ok(!text.includes(`"${column}":`), column)
    }
  })

  test('as CSV and as Parquet says the same as JSON', async () => {
    const { files: json } = await exportPerson(harness, subject.userId, 'json')
    const { files: csv } = await exportPerson(harness, subject.userId, 'csv')
    const { files: parquet } = await exportPerson(harness, subject.userId, 'parquet')
    for (const { name } of shown()) {
      if (GROWING.has(name)) continue
      const rows = JSON.parse(String(json.get(`${name}.json`)))
      const lines: Record<string, string>[] = parseCsv(csv.get(`${name}.csv`) as Buffer, {
        columns: true,
      })
      const file = new Uint8Array(parquet.get(`${name}.parquet`) as Buffer).buffer
      const objects = await parquetReadObjects({ file })
      // Rows of a table have no order that is promised.
      const columns = Object.keys(rows[0] ?? {})
      const textsOf = (list: Record<string, unknown>[]): string[] =>
        list
          .map((row) => JSON.stringify(columns.map((column) => asText(row[column] ?? ''))))
          .toSorted()
      assert.deepEqual(textsOf(lines), textsOf(rows), name)
      assert.deepEqual(textsOf(objects), textsOf(rows), name)
    }
  })

  test('as FHIR is a bundle of valid resources that refer to each other', async () => {
    const { files } = await exportPerson(harness, subject.userId, 'fhir')
    const bundle = JSON.parse(String(files.get('bundle.json')))
    assert.deepEqual([bundle.resourceType, bundle.type], ['Bundle', 'collection'])
    const schema = new URL('../fhir/fhir-r4.schema.json', import.meta.url)
    const ajv = new Ajv({ strict: false, discriminator: false })
    ajv.addSchema(JSON.parse(readFileSync(schema, 'utf8')), 'fhir')
    const kinds = new Map<string, number>()
    const urls = new Set<string>()
    for (const { fullUrl, resource } of bundle.entry) {
      const { resourceType: kind } = resource
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      assert.ok(!urls.has(fullUrl), `${kind} ${fullUrl} twice`)
      urls.add(fullUrl)
      assert.equal(fullUrl, `urn:uuid:${resource.id}`)
      const isValid = ajv.validate(`fhir#/definitions/${kind}`, resource)
      assert.ok(isValid, `${kind}: ${ajv.errorsText()}`)
    }
    const quantities = bundle.entry.flatMap(({ resource }: { resource: Resource }) =>
      resource.basedOn !== undefined && resource.valueQuantity?.unit
        ? [resource.valueQuantity]
        : [],
    )
    assert.ok(quantities.some(({ unit, code }: Quantity) => unit === 'mg/dL' && code === 'mg/dL'))
    for (const { unit, code, system } of quantities) {
      // What laboratories write where there is no unit.
      if (unit === '(calc)') continue
      assert.deepEqual([typeof code, system], ['string', 'http://unitsofmeasure.org'], unit)
    }
    const references = JSON.stringify(bundle.entry).matchAll(/"reference":"([^"]+)"/g)
    for (const [, reference = ''] of references) assert.ok(urls.has(reference), reference)
    const words = JSON.stringify(bundle.entry).matchAll(/"(?:text|display)":"([^"]+)"/g)
    for (const [, text = ''] of words) assert.doesNotMatch(text, /[0-9a-f]{8}-|_/, 'no name')
    const { rows: tests } = await harness.database.pool.query(
      'select t.name from orders o join lab_tests t on t.id = o.lab_test_id where o.user_id = $1',
      [subject.userId],
    )
    const requested = bundle.entry.flatMap(({ resource }: { resource: Resource }) =>
      resource.resourceType === 'ServiceRequest' ? [resource.code?.text] : [],
    )
    assert.deepEqual(requested.toSorted(), tests.map(({ name }) => name).toSorted())
    const orders = counts.get('orders') ?? 0
    assert.equal(kinds.get('ServiceRequest'), orders)
    assert.equal(kinds.get('Patient'), 1)
    assert.equal(kinds.get('DiagnosticReport'), counts.get('results'))
    assert.equal(kinds.get('Coverage'), counts.get('insurance_policies'))
    assert.equal(kinds.get('Device'), counts.get('devices'))
    assert.equal(kinds.get('Appointment'), counts.get('appointments'))
    assert.ok((kinds.get('DocumentReference') ?? 0) > 1)
    assert.ok((kinds.get('Observation') ?? 0) > (counts.get('samples') ?? 0) + 7)
    for (const { resource } of bundle.entry) {
      if (resource.resourceType !== 'DocumentReference') continue
      assert.ok(files.has(resource.content[0].attachment.url))
    }
    // What FHIR has no form for is beside it; samples are written once.
    assert.ok(files.has('tables/audit_rows.json') && files.has('tables/orders.json'))
    assert.ok(!files.has('tables/samples.json'))
  })
})

/**
 * As all three formats can have it: numbers lose their notation, instants their precision of
 * writing.
 */
function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? new Date(text).toISOString() : text
}

describe('the file of an export', () => {
  test('lies encrypted in the file store, and a changed one is not handed out whole', async () => {
    const { made, zip } = await exportPerson(harness, subject.userId, 'csv')
    const stored = await harness.files.read('exports', made.id)
    assert.ok(!stored.includes(zip.subarray(0, 64)))
    assert.ok(!stored.includes('manifest.json'))
  })

  test('is opened by a link without a key until it ends, and the download is in the audit log', async () => {
    const { made, zip } = await exportPerson(harness, subject.userId, 'csv')
    const url = `/v2/user/${subject.userId}/export/${made.id}/link`
    const first = (await call('POST', url, { expires_in_seconds: 60 })).body
    const path = new URL(first.url).pathname
    const noKey = { 'x-service-api-key': '' }
    const { status, bytes } = await call('GET', path, undefined, noKey)
    assert.deepEqual([status, bytes.equals(zip)], [200, true])
    await harness.dependencies.audit.flush()
    const { rows } = await harness.database.pool.query(
      'select user_id, route from audit_rows where actor_kind = $1 and actor_id = $2',
      ['export_link', made.id],
    )
    assert.deepEqual(rows, [{ user_id: subject.userId, route: '/export/:link_secret' }])
    harness.clock.advance(61)
    assert.equal((await call('GET', path, undefined, noKey)).status, 404)
    const second = (await call('POST', url, {})).body
    const third = (await call('POST', url, {})).body
    assert.equal((await call('GET', new URL(second.url).pathname, undefined, noKey)).status, 404)
    assert.equal((await call('GET', new URL(third.url).pathname, undefined, noKey)).status, 200)
    const forged = `/export/${'0'.repeat(43)}`
    assert.equal((await call('GET', forged, undefined, noKey)).status, 404)
  })

  test('ends after a week, with its link, and is removed', async () => {
    const { made } = await exportPerson(harness, subject.userId, 'csv')
    const url = `/v2/user/${subject.userId}/export/${made.id}`
    harness.clock.advance(8 * DAY_SECONDS)
    assert.equal((await call('GET', url)).status, 404)
    assert.equal((await call('GET', `${url}/download`)).status, 404)
    await harness.dependencies.importJobs.handlers.remove_ended_exports?.(
      {},
      new AbortController().signal,
      { isLast: false },
    )
    await assert.rejects(harness.files.read('exports', made.id))
  })

  test('is gone when the export is deleted', async () => {
    const { made } = await exportPerson(harness, subject.userId, 'csv')
    const url = `/v2/user/${subject.userId}/export/${made.id}`
    assert.equal((await call('DELETE', url)).status, 200)
    assert.equal((await call('GET', url)).status, 404)
    await assert.rejects(harness.files.read('exports', made.id))
  })

  test('is not there before the export is done, and two are not made at once', async () => {
    const userId = await harness.makeUser()
    const url = `/v2/user/${userId}/export`
    assert.equal((await call('POST', url, { format: 'xml' })).status, 422)
    const { body: made } = await call('POST', url, { format: 'json' })
    await waitForExport(call, `${url}/${made.id}`)
    const { rows } = await harness.database.pool.query(
      `update person_exports set status = 'running' where id = $1 returning id`,
      [made.id],
    )
    const second = await call('POST', url, { format: 'csv' })
    assert.deepEqual([second.status, second.body.detail.error_type], [409, 'export_running'])
    const answer = await call('GET', `${url}/${rows[0].id}/download`)
    assert.deepEqual([answer.status, answer.body.detail.error_type], [409, 'export_not_completed'])
  })
})

test('an export that a crash cut short is made anew', async () => {
  const userId = await harness.makeUser('manual')
  const { made } = await exportPerson(harness, userId, 'json')
  const { pool } = harness.database
  await pool.query(`update person_exports set status = 'running' where id = $1`, [made.id])
  const handler = harness.dependencies.importJobs.handlers.export_person
  const { rows } = await pool.query('select environment_id from users where id = $1', [userId])
  const job = { environmentId: rows[0].environment_id, exportId: made.id }
  await handler?.(job, new AbortController().signal, { isLast: false })
  const url = `/v2/user/${userId}/export/${made.id}`
  assert.equal((await call('GET', url)).body.status, 'completed')
  const { bytes } = await call('GET', `${url}/download`)
  assert.ok((await readArchive(bytes)).has('manifest.json'))
})
