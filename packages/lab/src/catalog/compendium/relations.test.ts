import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Concept, compareConcepts } from './relations.ts'

const concept = (codes: string[], name = codes.join(' '), aliases: string[] = []): Concept => ({
  name,
  aliases,
  loinc_codes: codes,
})

describe('the relation of two tests', () => {
  const ABCD = concept(['a', 'b', 'c', 'd'], 'Panel', ['Profile'])
  const cases: [string, Concept, string, number, string[]][] = [
    ['the same codes', concept(['d', 'c', 'b', 'a']), 'exact', 1, ['EXACT_LOINC_SET']],
    [
      'the same codes and name',
      concept(['a', 'b', 'c', 'd'], 'PANEL'),
      'exact',
      1,
      ['EXACT_LOINC_SET', 'NAME_MATCH'],
    ],
    ['some of the codes', concept(['a', 'b']), 'subset', 0.45, ['SUBSET']],
    ['more codes', concept(['a', 'b', 'c', 'd', 'e']), 'superset', 0.76, ['SUPERSET']],
    ['some and others', concept(['a', 'b', 'x', 'y']), 'overlap', 0.267, ['OVERLAP']],
    [
      'some of the codes under its name',
      concept(['a', 'b'], 'Panel'),
      'subset',
      0.505,
      ['SUBSET', 'NAME_MATCH'],
    ],
    ['only the name', concept(['x'], 'panel'), 'suggested', 0.5, ['NAME_MATCH']],
    ['only an alias', concept([], 'profile'), 'suggested', 0.4, ['SYNONYM_MATCH']],
  ]
  for (const [name, candidate, relation, confidence, reasons] of cases) {
    test(`of ${name} is ${relation}`, () => {
      assert.deepEqual(compareConcepts(ABCD, candidate), {
        relation,
        confidence,
        reason_codes: reasons,
      })
    })
  }

  test('is undefined when nothing is shared', () => {
    assert.equal(compareConcepts(ABCD, concept(['x'], 'Other')), undefined)
    assert.equal(compareConcepts(concept([], 'A'), concept([], 'B')), undefined)
  })

  test('is reversed when the two are swapped', () => {
    const codes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
    const turned = { exact: 'exact', subset: 'superset', superset: 'subset', overlap: 'overlap' }
    fc.assert(
      fc.property(codes, codes, (left, right) => {
        const there = compareConcepts(concept(left, 'l'), concept(right, 'r'))
        const back = compareConcepts(concept(right, 'r'), concept(left, 'l'))
        assert.equal(there === undefined, back === undefined)
        if (there === undefined || back === undefined) return
        assert.equal(back.relation, turned[there.relation as keyof typeof turned])
        assert.ok(there.confidence > 0 && there.confidence <= 1)
        assert.equal(there.confidence === 1, there.relation === 'exact')
      }),
      { seed: 20260301 },
    )
  })
})
