import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLoincCode, isNpi } from '@salus/kernel/check-digits'
import fc from 'fast-check'
import { answerId, questionId } from './question-ids.ts'
import { readCatalog } from './read-catalog.ts'
import { hashConcept } from './resolve-catalog.ts'
import { toSlug } from './slug.ts'

const SETTINGS = { seed: 20_260_301 }

describe('check digits', () => {
  it('are right for codes that exist', () => {
    for (const code of ['2345-7', '718-7', '98979-8', '3094-0', '100-9']) {
      assert.equal(isLoincCode(code), code !== '100-9', code)
    }
    assert.ok(isNpi('1234567893'), 'the example of the standard')
    for (const npi of ['1234567890', '3234567893', '123456789', '']) assert.equal(isNpi(npi), false)
  })

  it('detect any single wrong digit', () => {
    const wrong = fc.tuple(
      fc.constantFrom('2345-7', '62292-8', '4548-4', '13457-7'),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
    )
    fc.assert(
      fc.property(wrong, ([code, nth, shift]) => {
        const positions = [...code].flatMap((character, index) =>
          character === '-' ? [] : [index],
        )
        const at = positions[nth % positions.length] ?? 0
        const digit = (Number(code[at]) + shift) % 10
        assert.equal(isLoincCode(code.slice(0, at) + digit + code.slice(at + 1)), false)
      }),
      SETTINGS,
    )
  })
})

describe('a table of LOINC as CSV', () => {
  const read = (loincs: string) => {
    const { catalog, problems } = readCatalog({ labs: [], orderables: {}, loincs })
    const { list } = problems
    return { loincs: catalog?.loincs, problems: list.filter(({ path }) => path === 'loincs') }
  }

  it('is read with quotes, line breaks in them, short rows and either end of lines', () => {
    for (const end of ['\n', '\r\n']) {
      const lines = [
        '\uFEFFLOINC_NUM,LONG_COMMON_NAME,COMPONENT',
        '2345-7,"Glucose, ""serum""",Glucose',
      ]
      const text = [...lines, '', `718-7,"Hemo\nglobin"`, ''].join(end)
      assert.deepEqual(read(text).loincs, [
        { code: '2345-7', name: 'Glucose, "serum"', component: 'Glucose', unit: null },
        { code: '718-7', name: 'Hemo\nglobin', component: null, unit: null },
      ])
    }
  })

  it('names the line of a stray quote', () => {
    const { problems } = read('LOINC_NUM,LONG_COMMON_NAME\n1,2\n3,x"y"\n')
    assert.match(problems[0]?.message ?? '', /line 3 /)
  })
})

describe('names and ids', () => {
  it('make slugs of letters and digits', () => {
    assert.equal(toSlug('Vitamin D, 25-hydroxy (D3)'), 'vitamin-d-25-hydroxy-d3')
    assert.equal(toSlug('Anti-Müllerian hormone'), 'anti-mullerian-hormone')
  })

  it('never change ids of questions, because clients send them back', () => {
    assert.equal(questionId('fasting'), questionId('fasting'))
    assert.notEqual(questionId('fasting'), answerId('fasting', 'Y'))
    assert.deepEqual([questionId('fasting'), answerId('fasting', 'Y')], PINNED)
  })

  it('give one hash to one set of codes, and a unique one without codes', () => {
    assert.equal(hashConcept(['1-8', '2-6'], 'a'), hashConcept(['1-8', '2-6'], 'b'))
    assert.notEqual(hashConcept([], 'quest 1'), hashConcept([], 'quest 2'))
  })
})

const PINNED = [541_841_930, 1_499_459_517]
