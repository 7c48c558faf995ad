import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isLoincCode, isNpi } from './check-digits.ts'
import { readCsvRows } from './csv-rows.ts'
import { answerId, questionId } from './question-ids.ts'
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

  it('tell any single wrong digit', () => {
    const wrong = fc.tuple(
      fc.constantFrom('2345-7', '62292-8', '4548-4', '13457-7'),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
    )
    fc.assert(
      fc.property(wrong, ([code, place, shift]) => {
        const places = [...code].flatMap((character, index) => (character === '-' ? [] : [index]))
        const at = places[place % places.length] ?? 0
        const digit = (Number(code[at]) + shift) % 10
        assert.equal(isLoincCode(code.slice(0, at) + digit + code.slice(at + 1)), false)
      }),
      SETTINGS,
    )
  })
})

describe('CSV', () => {
  it('reads back whatever was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', 'é') })
    const rows = fc.array(
      fc.record({ code: fc.constant('x'), name: cell }, { noNullPrototype: true }),
    )
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), (written, end) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = written.map(({ code, name }) => `${code},${quote(name)}`)
        assert.deepEqual(readCsvRows(['code,name', ...lines, ''].join(end)), written)
      }),
      SETTINGS,
    )
  })

  it('keeps empty cells at the end, and names the line of a stray quote', () => {
    assert.deepEqual(readCsvRows('a,b\n1,'), [{ a: '1', b: '' }])
    assert.deepEqual(readCsvRows('a,b\n,2\n\n'), [{ a: '', b: '2' }])
    assert.throws(() => readCsvRows('a,b\n1,2\n3,x"y"\n'), /line 3 has a stray quote/)
  })
})

describe('names and ids', () => {
  it('make slugs of letters and digits', () => {
    assert.equal(toSlug('Vitamin D, 25-hydroxy (D3)'), 'vitamin-d-25-hydroxy-d3')
    assert.equal(toSlug('Anti-Müllerian hormone'), 'anti-mullerian-hormone')
  })

  it('keep ids of questions for good: clients send them back', () => {
    assert.equal(questionId('fasting'), questionId('fasting'))
    assert.notEqual(questionId('fasting'), answerId('fasting', 'Y'))
    assert.deepEqual([questionId('fasting'), answerId('fasting', 'Y')], PINNED)
  })

  it('give one hash to one set of codes, and an own one where there are none', () => {
    assert.equal(hashConcept(['1-8', '2-6'], 'a'), hashConcept(['1-8', '2-6'], 'b'))
    assert.notEqual(hashConcept([], 'quest 1'), hashConcept([], 'quest 2'))
  })
})

const PINNED = [541_841_930, 1_499_459_517]
