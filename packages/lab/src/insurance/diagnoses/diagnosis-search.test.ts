import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { readShippedOrderFile } from '../../../../server/test/insurance/diagnosis-codes.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { checkDiagnosisCodes } from './diagnoses.service.ts'
import { searchDiagnoses } from './diagnosis-search.ts'
import { FREQUENT_CODES } from './frequent-codes.registry.ts'
import { loadStartingDiagnosisCodes } from './loading/diagnosis-loading.service.ts'

const database = useFixture(createTestDatabase)
before(async () => {
  const report = await loadStartingDiagnosisCodes(database.db, new Date())
  assert.equal(report?.billable, 72_621)
})

const search = async (text: string): Promise<string[]> =>
  (await searchDiagnoses(database.db, text)).map(({ diagnosis_code: code }) => code)

/** Checks the first code that each search finds. */
async function assertFirst(cases: Readonly<Record<string, string>>): Promise<void> {
  for (const [text, code] of Object.entries(cases)) {
    assert.equal((await search(text))[0], code, `${text}: ${(await search(text)).slice(0, 5)}`)
  }
}

describe('the shipped code set', () => {
  test('equals the file, code by code', async () => {
    const lines = readShippedOrderFile().split('\r\n').filter(Boolean)
    assert.equal(lines.length, 95_358)
    const { rows } = await database.pool.query(
      'select code, is_billable, description from diagnosis_codes order by code',
    )
    const stored = rows.map((row) => `${row.code} ${row.is_billable ? 1 : 0} ${row.description}`)
    const written = lines.map((line) => {
      const [code, flag] = line.slice(6, 15).split(/ +/)
      return `${code} ${flag} ${line.slice(77).trim()}`
    })
    assert.deepEqual(stored, written.sort())
  })

  test('is not loaded again', async () => {
    assert.equal(await loadStartingDiagnosisCodes(database.db, new Date()), undefined)
  })

  test('has the frequent codes, except those of other years', async () => {
    const codes = FREQUENT_CODES.map(([code]) => code)
    assert.equal(new Set(codes).size, codes.length)
    const { unknown } = await checkDiagnosisCodes(database.db, codes)
    assert.deepEqual(
      unknown.map((position) => codes[position]),
      ['F32A'],
    )
  })
})

describe('diagnoses are searched', () => {
  test('by code, with or without the dot, in either case', async () => {
    for (const text of ['E11.9', 'e119', 'E119', ' e11.9 ']) {
      assert.equal((await search(text))[0], 'E11.9', text)
    }
    assert.deepEqual(await search('I10'), ['I10'])
    assert.deepEqual(await search('s72.001a'), ['S72.001A'])
  })

  test('by the beginning of a code: only valid ones for claims, frequent ones first', async () => {
    const found = await search('E11')
    assert.equal(found[0], 'E11.9')
    assert.ok(found.length > 60 && found.every((code) => code.startsWith('E11.')))
    assert.ok(!found.includes('E11') && !found.includes('E11.6'))
    const rest = found.slice(6)
    assert.deepEqual(rest, rest.toSorted())
    const short = await search('e1')
    assert.ok(short.length === 100 && short.every((code) => code.startsWith('E1')), short.join())
    assert.deepEqual(short.slice(20), short.slice(20).toSorted())
    assert.equal((await search('E11.')).length, found.length)
  })

  test('by words in any order, whole ones before beginnings', async () => {
    await assertFirst({
      diabetes: 'E11.9',
      'type 2 diabetes mellitus without complications': 'E11.9',
      'hypertension essential': 'I10',
      hypothyroidism: 'E03.9',
      'vitamin d deficiency': 'E55.9',
      'urinary tract infection': 'N39.0',
      'infection of the urinary tract': 'N39.0',
      hyperlipidemia: 'E78.5',
      'chronic kidney disease stage 4': 'N18.4',
      "crohn's disease": 'K50.90',
      'crohns disease': 'K50.90',
      prediabetes: 'R73.03',
      covid: 'U07.1',
      cholera: 'A00.9',
    })
    const arms = await search('arm')
    assert.ok(arms.length === 100 && !arms.some((code) => code.startsWith('L')), arms.join())
  })

  test('by common words', async () => {
    await assertFirst({
      'high blood pressure': 'I10',
      'high cholesterol': 'E78.5',
      uti: 'N39.0',
      copd: 'J44.9',
      a1c: 'R73.09',
      'type ii diabetes': 'E11.9',
      'annual physical': 'Z00.00',
      'kidney stones': 'N20.0',
    })
  })

  test('by beginnings of words, while they are typed', async () => {
    await assertFirst({
      diabet: 'E11.9',
      hyperlip: 'E78.5',
      'vit d def': 'E55.9',
      'iron def an': 'D50.9',
    })
  })

  test('by a code and words together', async () => {
    assert.deepEqual(await search('E11.9 diabetes'), ['E11.9'])
    const found = await search('e11 neuropathy')
    assert.ok(found.length > 1 && found.every((code) => code.startsWith('E11.')), found.join())
  })

  test('with misspelled words', async () => {
    await assertFirst({
      diabetis: 'E11.9',
      hypertenshun: 'I10',
      hypothyroidsm: 'E03.9',
      'vitamin d deficency': 'E55.9',
    })
  })

  test('with no results for an empty query', async () => {
    for (const text of [
      'xq',
      'qqqqq',
      '--',
      '  ',
      "'':*",
      'a b c d e f g h i j k l m n o',
      '%_',
      'Z9Z',
    ]) {
      assert.ok((await search(text)).length <= 100, text)
    }
    assert.deepEqual(await search('qqqqq'), [])
    assert.deepEqual(await search('%%'), [])
  })

  test('with a mark at those that may not come first', async () => {
    const first = async (text: string) => (await searchDiagnoses(database.db, text))[0]
    for (const [code, isSecondary] of Object.entries({
      'E11.9': false,
      I10: false,
      'D63.8': true,
      'B96.20': true,
      'Z68.35': true,
      'Y92.009': true,
      'F02.80': true,
      'Z59.0': true,
      'R65.20': true,
      'A41.9': false,
    })) {
      assert.equal((await first(code))?.is_secondary, isSecondary, code)
    }
  })
})
