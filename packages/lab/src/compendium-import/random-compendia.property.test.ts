import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import type { Loose } from '../../../server/test/catalog/small-catalog.ts'
import { catalogOfNorth } from '../../../server/test/compendium/compendium-files.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { listMarkersOfLab, loadCatalog } from '../catalog/index.ts'
import { importCompendium } from './compendium-import.service.ts'

const AT = new Date('2026-03-01T12:00:00Z')
const database = useFixture(createTestDatabase)

before(async () => {
  await database.pool.query('truncate labs, loincs, physicians, catalog_loads cascade')
  await loadCatalog(database.db, catalogOfNorth(), AT)
})

// A cell is trimmed, and an empty one is no name.
const text = fc
  .string({ unit: fc.constantFrom(...'aZ9 ,"|é\n-'), maxLength: 12 })
  .map((it) => `x${it}`)
const loinc = fc.constantFrom('', '3016-3', '3024-7', '2345-7', '2160-0')
const flag = fc.constantFrom('yes', 'no')
const component = fc.record({
  code: fc.nat(9),
  name: text,
  loinc,
  unit: fc.constantFrom('', 'mg/dL'),
})
const question = fc.record({
  code: fc.nat(5),
  text,
  required: flag,
  answers: fc.constantFrom('', 'Y;N'),
})
const specimen = fc.record({ type: text, volume: fc.constantFrom('', '1 mL') })

const byCode = { selector: (it: { code: number }) => it.code }
const test = fc.record({
  code: fc.nat(30),
  name: text,
  alias: fc.constantFrom('', 'one', 'one;two'),
  price: fc.constantFrom('', '12', '1,250.50'),
  retired: flag,
  orderable: flag,
  components: fc.uniqueArray(component, { ...byCode, maxLength: 4 }),
  questions: fc.uniqueArray(question, { ...byCode, maxLength: 3 }),
  specimens: fc.array(specimen, { maxLength: 2 }),
})
const compendium = fc.uniqueArray(test, { ...byCode, minLength: 1, maxLength: 12 })

const TABLES = {
  tests: {
    ...{ code: 'code', name: 'name', price: 'price', retired: 'retired', orderable: 'orderable' },
    aliases: { column: 'alias', split: ';' },
    sample_type: { value: 'serum' },
  },
  components: { test: 'test', code: 'code', name: 'name', loinc: 'loinc', unit: 'unit' },
  questions: {
    ...{ test: 'test', code: 'code', text: 'text', required: 'required' },
    answers: { column: 'answers', split: ';' },
  },
  specimens: { test: 'test', type: 'type', volume: 'volume' },
}

function toCsv(rows: readonly Loose[], header: readonly string[]): string {
  const quoted = (cell: unknown) => `"${String(cell ?? '').replaceAll('"', '""')}"`
  const lines = rows.map((row) => header.map((name) => quoted(row[name])).join('|'))
  return Buffer.from([header.join('|'), ...lines].join('\n')).toString('base64')
}

function requestOf(tests: readonly Loose[]): Loose {
  const partsOf = (name: string) =>
    tests.flatMap((it) => it[name].map((part: Loose) => ({ ...part, test: it.code })))
  const columns = (fields: Loose) => [
    ...new Set(
      Object.values<Loose>(fields).flatMap((field) => field.column ?? (field.value ? [] : field)),
    ),
  ]
  const entries = Object.entries<Loose>(TABLES)
  const rowsOf = (name: string) => (name === 'tests' ? tests : partsOf(name))
  return {
    lab: 'north',
    mapping: {
      format: { kind: 'delimited', delimiter: '|' },
      tables: Object.fromEntries(entries.map(([name, fields]) => [name, [{ file: name, fields }]])),
    },
    files: Object.fromEntries(
      entries.map(([name, fields]) => [name, toCsv(rowsOf(name), columns(fields) as string[])]),
    ),
  }
}

it('loads any compendium over any other, and finds no difference then', async () => {
  const load = (tests: readonly Loose[], isDryRun = false) =>
    importCompendium(
      database.db,
      requestOf(tests) as never,
      { isDryRun, allowsRetiring: true, skipsRefused: false },
      AT,
    )
  await fc.assert(
    fc.asyncProperty(compendium, async (tests) => {
      const planned = await load(tests, true)
      const loaded = await load(tests)
      assert.deepEqual({ ...loaded, dry_run: true }, planned)
      const again = await load(tests, true)
      assert.deepEqual([again.changes, again.loincs_added], [[], 0])
      const active = tests.filter(({ retired }) => retired === 'no').map(({ code }) => `${code}`)
      const { rows } = await database.pool.query(`select id, slug from labs`)
      const stored = await listMarkersOfLab(database.db, rows[0])
      const offered = stored.filter(({ isActive }) => isActive)
      assert.deepEqual(offered.map(({ draft }) => draft.provider_id).sort(), active.sort())
      for (const { draft } of offered) {
        const given = tests.find(({ code }) => `${code}` === draft.provider_id)
        const results = given?.components.map(({ code }) => `${code}`) ?? []
        assert.deepEqual(
          draft.results.map((it) => it.provider_id),
          results.length === 0 ? [draft.provider_id] : results,
        )
        assert.equal(draft.questions?.length ?? 0, given?.questions.length)
        assert.equal(draft.specimens?.length ?? 0, given?.specimens.length)
      }
    }),
    { seed: 20261127, numRuns: campaignRuns(25, 1000) },
  )
})
