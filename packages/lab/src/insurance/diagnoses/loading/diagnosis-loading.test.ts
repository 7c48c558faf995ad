import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '@salus/kernel/errors'
import { createTestDatabase } from '../../../../../server/test/database.ts'
import {
  makeOrderFile,
  readShippedOrderFile,
} from '../../../../../server/test/insurance/diagnosis-codes.ts'
import { useFixture } from '../../../../../server/test/use-fixture.ts'
import { validateIcdCodes } from '../diagnoses.service.ts'
import { searchDiagnoses } from '../diagnosis-search.ts'
import { loadDiagnosisCodes, loadStartingDiagnosisCodes } from './diagnosis-loading.service.ts'

const database = useFixture(createTestDatabase)

const now = new Date('2026-10-01T00:00:00Z')

const load = (orderFile: string, tabular?: string, isDryRun = false) => {
  const files = { order_file: orderFile, ...(tabular !== undefined && { tabular_xml: tabular }) }
  return loadDiagnosisCodes(database.db, files, now, { isDryRun })
}

const NEXT_YEAR = makeOrderFile([
  ['E10', false, 'Type 1 diabetes mellitus'],
  ['E109', true, 'Type 1 diabetes mellitus without complications'],
  ['E11', false, 'Type 2 diabetes mellitus'],
  ['E119', true, 'Type 2 diabetes mellitus, plain'],
  ['E11A', true, 'Type 2 diabetes mellitus without complications in remission'],
  ['G63', true, 'Polyneuropathy in diseases classified elsewhere'],
  ['H42', true, 'Glaucoma of some other disease'],
  ['L97', false, 'Ulcer of lower limb'],
  ['L9741', true, 'Ulcer of heel'],
  ['M20', true, 'Deformity of fingers'],
  ['R50', false, 'Fever'],
  ['R509', true, 'Fever, unspecified'],
])

const TABULAR = `<?xml version="1.0" encoding="utf-8"?>
<ICD10CM.tabular>
  <version>2027</version>
  <chapter>
    <name>4</name>
    <desc>Endocrine, nutritional (and metabolic) diseases (E00-E89)</desc>
    <excludes2><note>fever &amp; chills (R50.-)</note></excludes2>
    <section id="E08-E13">
      <desc>Diabetes mellitus (E08-E13)</desc>
      <excludes1><note>deformity (M20)</note></excludes1>
      <diag><name>E10</name><desc>Type 1 diabetes mellitus</desc>
        <excludes1><note>type 2 diabetes mellitus (E11.-)</note><note>in words (E11 with 7th character B)</note></excludes1>
      </diag>
    </section>
  </chapter>
  <chapter>
    <name>6</name>
    <desc>Nervous system (G00-G99)</desc>
    <section id="H40-H42">
      <diag><name>H42</name><desc>Glaucoma</desc>
        <codeFirst><note>underlying condition, such as:</note><note>amyloidosis (E85.-)</note></codeFirst>
      </diag>
    </section>
    <section id="L80-L99">
      <diag><name>L97</name><desc>Ulcer</desc>
        <codeFirst><note>any associated underlying condition, such as:</note></codeFirst>
        <diag><name>L97.4</name><desc>Of heel</desc>
          <excludes1><note>diabetic ulcer (E08-E13 with .9)</note></excludes1>
        </diag>
      </diag>
    </section>
  </chapter>
</ICD10CM.tabular>`

async function problemsOf(work: Promise<unknown>): Promise<{ path: string; message: string }[]> {
  const error = await work.then(
    () => assert.fail('it was loaded'),
    (reason) => reason,
  )
  assert.ok(error instanceof AppError && error.errorType === 'diagnosis_codes_invalid', error)
  assert.equal(error.status, 400)
  return error.extra.problems as { path: string; message: string }[]
}

const countCodes = async (): Promise<number> =>
  (await database.pool.query('select count(*) from diagnosis_codes')).rows[0].count

const validate = (...codes: string[]) => validateIcdCodes(database.db, codes)

describe('a file of codes', () => {
  test('with problems is not loaded, and all of them are reported by line', async () => {
    const before = await countCodes()
    const lines = NEXT_YEAR.split('\r\n')
    const broken = [
      ...lines.slice(0, 2),
      'something else',
      '00004 E119    2 Short                                                        Long',
      '00005 E11A    1 Short',
      '00007 G63     1 Short                                                        Long',
      '00008 E109    1 Short                                                        Again',
      '00008 E109    1 Short                                                        Again',
    ]
    assert.deepEqual(await problemsOf(load(broken.join('\n'))), [
      { path: 'order_file line 3', message: 'Columns 1 to 13 are not a number and a code.' },
      { path: 'order_file line 4', message: 'Column 15 is neither 0 nor 1.' },
      { path: 'order_file line 5', message: 'There is no long description from column 78.' },
      {
        path: 'order_file line 6',
        message: 'The line has the number 7 instead of 6: lines are missing.',
      },
      { path: 'order_file line 7', message: 'E109 appears in an earlier line.' },
      {
        path: 'order_file line 8',
        message: 'The line has the number 8 instead of 9: the line appears twice.',
      },
    ])
    assert.equal(await countCodes(), before)
  })

  test('that is empty or of another format is not loaded', async () => {
    assert.deepEqual(await problemsOf(load('')), [
      { path: 'order_file', message: 'The file contains no codes.' },
    ])
    const headings = makeOrderFile([['E10', false, 'Type 1 diabetes mellitus']])
    assert.deepEqual(await problemsOf(load(headings)), [
      { path: 'order_file', message: 'No code is valid for claims.' },
    ])
    assert.deepEqual(await problemsOf(load(NEXT_YEAR, '<a><b></a>')), [
      { path: 'tabular_xml line 1', message: 'The text is not XML.' },
    ])
    assert.deepEqual(await problemsOf(load(NEXT_YEAR, '<a><b/></a>')), [
      { path: 'tabular_xml', message: 'The text has no notes of a tabular list.' },
    ])
  })

  test('in a dry run changes nothing', async () => {
    const before = await countCodes()
    const report = await load(NEXT_YEAR, TABULAR, true)
    assert.equal(report.dry_run, true)
    assert.ok(report.codes.removed > 200)
    assert.equal(await countCodes(), before)
    const { rows } = await database.pool.query('select source from diagnosis_loads')
    assert.deepEqual(rows, [{ source: 'starting' }])
  })

  test('of the next year replaces the former one, and the shipped one is not loaded again', async () => {
    await loadStartingDiagnosisCodes(database.db, now)
    const report = await load(NEXT_YEAR, TABULAR)
    // Unchanged: E10, E10.9, E11, G63; changed descriptions: E11.9, H42, L97, M20, R50 …
    const { added, changed, removed, unchanged } = report.codes
    assert.equal(added + changed + unchanged, 12)
    assert.equal(removed, 95_358 - changed - unchanged)
    assert.equal(added, 1)
    assert.equal(report.billable, 8)
    assert.deepEqual(report.notes, { excludes1: 3, excludes2: 1, code_first: 1, unread: 1 })
    assert.equal(await countCodes(), 12)
    assert.equal(await loadStartingDiagnosisCodes(database.db, now), undefined)
    assert.equal(await countCodes(), 12)
  })

  test('is searchable at once, with its own words', async () => {
    const [first] = await searchDiagnoses(database.db, 'remision')
    assert.deepEqual(first, {
      diagnosis_code: 'E11.A',
      description: 'Type 2 diabetes mellitus without complications in remission',
      is_secondary: false,
    })
    assert.deepEqual(await searchDiagnoses(database.db, 'cholera'), [])
  })

  test('has notes that apply to all codes below them', async () => {
    const type = 'excludes1'
    assert.deepEqual((await validate('E10.9', 'E11.A')).violations, [
      { code: 'E10.9', conflicts_with: 'E11.A', type },
    ])
    // Notes at the block, and at the chapter
    assert.deepEqual((await validate('M20', 'E11.9')).violations, [
      { code: 'M20', conflicts_with: 'E11.9', type },
    ])
    assert.deepEqual((await validate('E11.9', 'R50.9')).warnings, [
      { code: 'E11.9', overlaps_with: 'R50.9', type: 'excludes2' },
    ])
    // Only codes that continue so
    assert.equal((await validate('L97.41', 'E11.9')).violations.length, 1)
    assert.equal((await validate('L97.41', 'E11.A')).violations.length, 0)
    // A condition in prose is left out
    assert.equal((await validate('E10.9', 'E11.9')).violations.length, 1)
  })

  test('marks codes that follow their underlying disease', async () => {
    const isSecondary = async (code: string) =>
      (await searchDiagnoses(database.db, code))[0]?.is_secondary
    assert.equal(await isSecondary('G63'), true, 'by its title')
    assert.equal(await isSecondary('H42'), true, 'by its note')
    assert.equal(await isSecondary('L97.41'), false, 'of any there may be')
    assert.equal(await isSecondary('E11.9'), false)
  })

  test('without a tabular list keeps the notes, and equal rows are not written', async () => {
    const again = await load(NEXT_YEAR)
    assert.deepEqual(again.codes, { added: 0, changed: 0, removed: 0, unchanged: 12 })
    assert.deepEqual(again.notes, { excludes1: 3, excludes2: 1, code_first: 1, unread: 0 })
  })

  test('of all codes, with or without a byte order mark and carriage returns', async () => {
    const text = `\uFEFF${readShippedOrderFile().replaceAll('\r', '')}`
    const { codes, billable } = await load(text, undefined, true)
    assert.equal(codes.added + codes.changed + codes.unchanged, 95_358)
    assert.equal(billable, 72_621)
  })
})
