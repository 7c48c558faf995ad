import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Loose } from '../../../server/test/catalog/small-catalog.ts'
import {
  catalogOfNorth,
  readExample,
  requestOf,
} from '../../../server/test/compendium/compendium-files.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { loadCatalog } from '../catalog/index.ts'
import { importCompendium } from './compendium-import.service.ts'

const AT = new Date('2026-03-01T12:00:00Z')
const APPLY = { isDryRun: false, allowsRetiring: false, skipsRefused: false }

const database = useFixture(createTestDatabase)

beforeEach(async () => {
  await database.pool.query('truncate labs, loincs, physicians, catalog_loads cascade')
  await loadCatalog(database.db, catalogOfNorth(), AT)
})

const load = (request: Loose, options: Loose = {}) =>
  importCompendium(database.db, request, { ...APPLY, ...options }, AT)

async function rowsOf(sql: string): Promise<Loose[]> {
  return (await database.pool.query(sql)).rows
}

const findMarker = async (code: string): Promise<Loose> =>
  (await rowsOf(`select * from markers where provider_id = '${code}'`))[0]

const COUNTS = ['added', 'changed', 'retired', 'unchanged', 'refused'] as const
const countsOf = (report: Loose) => COUNTS.map((name) => report[name])

const fieldsOf = (fields: readonly { field: string }[]): string =>
  fields
    .map(({ field }) => field)
    .sort()
    .join(' ')

describe('importing a compendium', () => {
  it('loads the tables of the example with components, questions and specimens', async () => {
    const report = await load(readExample('tables'))
    assert.deepEqual(countsOf(report), [4, 0, 0, 0, 0])
    const panel = await findMarker('90001')
    assert.deepEqual([panel.type, panel.loinc_codes], ['panel', ['2160-0', '2345-7']])
    assert.deepEqual(
      panel.questions.map((it: Loose) => [it.code, it.type, it.required, it.answers.length]),
      [
        ['FAST', 'choice', true, 2],
        ['HOURS', 'numeric', false, 0],
      ],
    )
    assert.equal(panel.specimens[0].minimum_volume, '0.5 mL')
    assert.equal((await findMarker('90004')).sample_type, 'urine')
    assert.equal(await findMarker('90005'), undefined)
    const results = await rowsOf(
      `select e.provider_id, e.required, e.unit, l.code from expected_results e
       join markers m on m.id = e.marker_id left join loincs l on l.id = e.loinc_id
       where m.provider_id = '90002' order by position`,
    )
    assert.deepEqual(results.map(Object.values), [
      ['R200', true, 'm[IU]/L', '3016-3'],
      ['R201', false, 'ng/dL', '3024-7'],
    ])
  })

  it('reads the tests, batteries and specimens of messages of HL7', async () => {
    const report = await load(readExample('edos'))
    assert.deepEqual(countsOf(report), [2, 0, 0, 0, 0])
    const panel = await findMarker('90001')
    assert.deepEqual(panel.loinc_codes, ['2160-0', '2345-7'])
    assert.equal(panel.specimens[0].volume, '1 mL')
    const single = await findMarker('90003')
    assert.deepEqual(
      [single.aliases, single.loinc_codes, single.unit],
      [['HbA1c'], ['4548-4'], '%'],
    )
  })

  for (const name of ['tables', 'edos'] as const) {
    it(`changes and writes nothing the second time (${name})`, async () => {
      await load(readExample(name))
      const snapshot = () => rowsOf('select xmin, * from markers order by id')
      const before = await snapshot()
      const again = await load(readExample(name))
      assert.deepEqual(countsOf(again).slice(0, 3), [0, 0, 0])
      assert.deepEqual(again.changes, [])
      assert.deepEqual(await snapshot(), before)
      assert.equal((await rowsOf('select * from compendium_loads')).length, 1)
    })
  }

  it('only reports in a dry run', async () => {
    const report = await load(readExample('tables'), { isDryRun: true })
    assert.deepEqual([report.dry_run, report.added, report.loincs_added], [true, 4, 3])
    assert.deepEqual(await rowsOf('select 1 from markers'), [])
    assert.deepEqual(await rowsOf('select 1 from compendium_loads'), [])
  })

  it('reports the fields that change, and keeps ids of markers and questions', async () => {
    await load(readExample('tables'))
    const before = await findMarker('90001')
    const changed = readExample('tables')
    const edit = (file: string, from: string, to: string) => {
      const text = Buffer.from(changed.files[file], 'base64').toString()
      assert.ok(text.includes(from))
      changed.files[file] = Buffer.from(text.replace(from, to)).toString('base64')
    }
    edit('questions.csv', 'Is the patient fasting?,,R', 'Has the patient fasted?,,O')
    edit('specimens.csv', '90001,Serum,Gel tube,1 mL', '90001,Serum,Gel tube,2 mL')
    edit('orders.csv', '90002,"Thyrotropin, with reflex",R201,Free T4,ACTIVE\n', '')
    const ofFreeT4 = ['loinc', 'name', 'required', 'unit']
      .map((it) => `results.R201.${it}`)
      .join(' ')
    const { changes } = await load(changed)
    assert.deepEqual(
      changes.map(({ code, change, fields }) => [code, change, fieldsOf(fields)]),
      [
        ['90001', 'changed', 'questions.FAST.required questions.FAST.text specimens.1.volume'],
        ['90002', 'changed', `results ${ofFreeT4} type unit`],
      ],
    )
    assert.deepEqual(changes[0]?.fields.at(-1), {
      field: 'specimens.1.volume',
      before: '1 mL',
      after: '2 mL',
    })
    const after = await findMarker('90001')
    assert.equal(after.id, before.id)
    assert.equal(after.questions[0].id, before.questions[0].id)
    assert.deepEqual(after.questions[0].answers, before.questions[0].answers)
  })

  it('keeps what the mapping does not name', async () => {
    await load(
      requestOf('CODE,NAME\n1,One', { price: { value: '$1,250.50' }, aliases: { value: 'uno' } }),
    )
    const report = await load(requestOf('CODE,NAME\n1,First'))
    assert.equal(fieldsOf(report.changes[0]?.fields ?? []), 'name slug')
    const { price_cents: price, aliases } = await findMarker('1')
    assert.deepEqual([price, aliases], [125050, ['uno']])
  })

  it('retires tests that are gone, and brings them back', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `${index},Test ${index}`)
    const request = (count: number) => requestOf(['CODE,NAME', ...rows.slice(0, count)].join('\n'))
    await load(request(20))
    const { id } = await findMarker('19')
    const retired = await load(request(19))
    assert.deepEqual(countsOf(retired), [0, 0, 1, 19, 0])
    assert.equal((await findMarker('19')).is_active, false)
    const back = await load(request(20))
    assert.deepEqual(back.changes[0]?.fields, [
      { field: 'is_active', before: 'false', after: 'true' },
    ])
    assert.deepEqual([(await findMarker('19')).id, (await findMarker('19')).is_active], [id, true])
  })

  it('retires more than a tenth only when that is allowed', async () => {
    const request = (...names: string[]) =>
      requestOf(['CODE,NAME', ...names.map((name) => `${name},Test ${name}`)].join('\n'))
    await load(request('1', '2', '3'))
    assert.equal((await load(request('1', '2'), { isDryRun: true })).retires_too_many, true)
    await assert.rejects(load(request('1', '2')), { errorType: 'compendium_retires_too_many' })
    assert.equal((await findMarker('3')).is_active, true)
    await load(request('1', '2'), { allowsRetiring: true })
    assert.equal((await findMarker('3')).is_active, false)
  })

  it('leaves other tests alone where the files have only changes', async () => {
    await load(requestOf('CODE,NAME\n1,One\n2,Two\n3,Three'))
    const request = requestOf(
      'CODE,NAME,END\n2,Zwei,N\n3,,Y',
      { retired: 'END' },
      { mapping: { scope: 'changes' } },
    )
    const report = await load(request, { allowsRetiring: true })
    assert.deepEqual(countsOf(report), [0, 1, 1, 0, 0])
    const active = await rowsOf('select provider_id from markers where is_active order by id')
    assert.deepEqual(
      active.map((it) => it.provider_id),
      ['1', '2'],
    )
  })

  it('is kept by a catalog that has no tests of the laboratory', async () => {
    await load(requestOf('CODE,NAME\n1,One'))
    assert.equal((await loadCatalog(database.db, catalogOfNorth(), AT)).deactivated, 0)
    const replacing = { ...catalogOfNorth(), orderables: { north: { tests: [] } } }
    assert.equal((await loadCatalog(database.db, replacing, AT)).deactivated, 1)
  })

  it('needs a laboratory that is there and no sample', async () => {
    const request = requestOf('CODE,NAME\n1,One')
    const refused = (pattern: RegExp) => (error: Loose) => {
      assert.equal(error.errorType, 'compendium_invalid')
      assert.match(error.extra.problems[0].message, pattern)
      return true
    }
    await assert.rejects(load({ ...request, lab: 'south' }), refused(/No lab has the slug south/))
    await database.pool.query('update labs set is_sample = true')
    await assert.rejects(load(request), refused(/is a sample/))
  })
})
