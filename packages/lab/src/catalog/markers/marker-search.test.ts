import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type CatalogApp, createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeMarker } from '../../../../server/test/catalog/catalog-fixture.ts'
import { loadStartingCatalog } from '../loading/catalog-loading.service.ts'
import { readSearchQuery } from './search-query.ts'
import { normalizeSearchText } from './search-text.ts'
import { correctSpelling, editDistance } from './spelling.ts'

describe('the distance between two words', () => {
  test('counts letters added, left out, changed, and swapped', () => {
    const cases: [string, string, number][] = [
      ['glucose', 'glucose', 0],
      ['glucse', 'glucose', 1],
      ['gluucose', 'glucose', 1],
      ['flucose', 'glucose', 1],
      ['gluocse', 'glucose', 1],
      ['', 'abc', 3],
      ['thyriod', 'thyroid', 1],
      ['kitten', 'sitting', 3],
    ]
    for (const [a, b, distance] of cases) assert.equal(editDistance(a, b), distance, `${a} ${b}`)
  })

  test('is the same both ways, and never more than the longer word', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b)
        assert.equal(distance, editDistance(b, a))
        assert.ok(distance <= Math.max(a.length, b.length))
        assert.equal(distance === 0, a === b)
      }),
      { seed: 20260301 },
    )
  })

  test('decides which known words were meant', () => {
    const known = ['glucose', 'glucosuria', 'lactose', 'glycose']
    assert.deepEqual(correctSpelling('glucose', known), ['glucose'])
    assert.deepEqual(correctSpelling('glucse', known), ['glucose'])
    assert.deepEqual(correctSpelling('glxcose', known), ['glucose', 'glycose'])
    assert.deepEqual(correctSpelling('glucosur', known), ['glucosuria'])
    assert.deepEqual(correctSpelling('xylose', known), [])
  })
})

describe('a query', () => {
  test('is read as names are', () => {
    assert.equal(
      normalizeSearchText('  Ménière’s β2-Microglobulin (Serum)'),
      'meniere s beta2 microglobulin serum',
    )
    assert.deepEqual(readSearchQuery('hs-CRP test')?.words, [['hs crp']])
    assert.deepEqual(readSearchQuery('Test')?.words, [['test']])
    assert.equal(readSearchQuery(' -- '), undefined)
  })
})

async function find(app: CatalogApp, name: string, query = ''): Promise<string[]> {
  const url = `/v3/lab_tests/markers?name=${encodeURIComponent(name)}${query}`
  const { status, body } = await app.team.call('GET', url)
  assert.equal(status, 200)
  if (query === '') assert.equal(body.total, body.markers.length)
  return body.markers.map((marker: { name: string }) => marker.name)
}

describe('the search for markers', () => {
  let app: CatalogApp
  before(async () => {
    app = await createCatalogApp()
    const labId = await makeLab(app.db, 'quest')
    const markers = [
      { name: 'Glucose', provider_id: '483', loinc_codes: ['2345-7'], popularity: 0.5 },
      { name: 'Glucose, fasting', provider_id: '484', popularity: 0.9 },
      { name: 'Urine glucose', provider_id: '485', popularity: 0.9 },
      { name: 'Metabolic panel', aliases: ['Glucose'], provider_id: '10231', popularity: 0.1 },
      { name: 'Glucosamine', provider_id: 'GLUCOSE', popularity: 0 },
      { name: 'Hemoglobin A1c', aliases: ['HbA1c'], provider_id: '496', loinc_codes: ['4548-4'] },
      { name: 'C-reactive protein', aliases: ['CRP', 'hs-CRP'], provider_id: '10124' },
      { name: 'Vitamin D, 25-hydroxy', provider_id: '17306', popularity: 0.8 },
      { name: 'Vitamin K', provider_id: '36585', popularity: 0.2 },
      { name: 'Digoxin', provider_id: '418', popularity: 0.9 },
      { name: 'Béta-2 microglobulin', provider_id: 'X-1.5' },
    ]
    for (const marker of markers) await makeMarker(app.db, labId, marker)
  })
  after(() => app?.close())

  test('ranks code, name, alias, beginning of the name, and the rest; then popularity', async () => {
    assert.deepEqual(await find(app, 'glucose'), [
      'Glucosamine',
      'Glucose',
      'Metabolic panel',
      'Glucose, fasting',
      'Urine glucose',
    ])
  })

  test('finds codes of the laboratory and of LOINC', async () => {
    assert.deepEqual(await find(app, '483'), ['Glucose'])
    assert.deepEqual(await find(app, '2345-7'), ['Glucose'])
    assert.deepEqual(await find(app, 'x-1.5'), ['Béta-2 microglobulin'])
    assert.deepEqual(await find(app, '1023'), ['Metabolic panel'])
  })

  test('finds aliases, words in any order, parts of words and other writing', async () => {
    const cases: [string, string[]][] = [
      ['hba1c', ['Hemoglobin A1c']],
      ['a1c hemoglobin', ['Hemoglobin A1c']],
      ['globin', ['Hemoglobin A1c', 'Béta-2 microglobulin'].slice(0, 1)],
      ['globulin', ['Béta-2 microglobulin']],
      ['hs-crp', ['C-reactive protein']],
      ['beta 2', ['Béta-2 microglobulin']],
      ['VITAMIN D', ['Vitamin D, 25-hydroxy']],
      ['vitamin d level', ['Vitamin D, 25-hydroxy']],
      ['vit k', ['Vitamin K']],
    ]
    for (const [name, expected] of cases) assert.deepEqual(await find(app, name), expected, name)
  })

  test('takes one or two letters as the beginning of a word', async () => {
    assert.deepEqual(await find(app, 'd'), ['Vitamin D, 25-hydroxy', 'Digoxin'].toReversed())
    assert.deepEqual(await find(app, 'vi'), ['Vitamin D, 25-hydroxy', 'Vitamin K'])
  })

  test('corrects misspelled words only when nothing is found as typed', async () => {
    const cases: [string, string[]][] = [
      ['hemoglobn', ['Hemoglobin A1c']],
      ['hemglobin a1c', ['Hemoglobin A1c']],
      ['vitmin k', ['Vitamin K']],
      ['dgioxin', ['Digoxin']],
      ['reactve protien', ['C-reactive protein']],
      ['urine gluocse', ['Urine glucose']],
      ['glucosamin', ['Glucosamine']],
      ['qqqqqq', []],
      ['glucose qqqqqq', []],
      ['%', []],
      ['___', []],
    ]
    for (const [name, expected] of cases) assert.deepEqual(await find(app, name), expected, name)
  })

  test('pages through corrected results with the whole total', async () => {
    const url = '/v3/lab_tests/markers?size=2&name=glucse&page='
    const pages = [1, 2, 3].map(async (page) => (await app.team.call('GET', `${url}${page}`)).body)
    const [first, second, third] = await Promise.all(pages)
    assert.deepEqual([first.total, second.total, third.total], [5, 5, 5])
    const names = [first, second, third].flatMap(({ markers }) => markers).map(({ name }) => name)
    assert.equal(new Set(names).size, 5)
  })
})

describe('the search in the starting catalog', () => {
  let app: CatalogApp
  before(async () => {
    app = await createCatalogApp()
    await loadStartingCatalog(app.db, app.clock.now())
  })
  after(() => app?.close())

  test('finds every name with one wrong letter', async () => {
    const rows = await app.db
      .selectFrom('markers')
      .select('name')
      .distinct()
      .where('is_orderable', '=', true)
      .orderBy('name')
      .execute()
    const words = new Set(rows.map(({ name }) => /^[A-Za-z]{6,}(?= |$)/.exec(name)?.[0] ?? ''))
    words.delete('')
    assert.ok(words.size > 50, String(words.size))
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...words),
        fc.nat(),
        fc.constantFrom(...letters),
        async (word, where, letter) => {
          const at = where % word.length
          const typed = word.slice(0, at) + letter + word.slice(at + 1)
          const found = await find(app, typed, '&size=100')
          assert.ok(
            found.some((name) => name.startsWith(word)),
            `${typed} does not find ${word}`,
          )
        },
      ),
      { numRuns: 60, seed: 20260301 },
    )
  })
})
