import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type KnownPatient,
  matchPatient,
  type PatientField,
  type PrintedPatient,
} from './compare-patients.ts'
import { compareNames, type Fit, toNameFit } from './names.ts'

const DOB = '1990-04-12'
const NO_BIRTH = { days: [], beginning: null, age: null }

const name = (first_name: string | null, last_name: string | null) => ({ first_name, last_name })
const printed = (more: Partial<PrintedPatient> = {}): PrintedPatient => ({
  ...name('Ada', 'Moreau'),
  birth: { ...NO_BIRTH, days: [DOB] },
  sex: 'female',
  unsure: [],
  ...more,
})
const known = (more: Partial<KnownPatient> = {}): KnownPatient => ({
  ...name('Ada', 'Moreau'),
  days: [DOB],
  sex: 'female',
  source: 'demographics',
  isSure: true,
  ...more,
})

describe('two names', () => {
  const pairs: [
    one: [string | null, string | null],
    other: [string | null, string | null],
    fit: Fit,
  ][] = [
    [['Ada', 'Moreau'], ['ADA', 'MOREAU'], 'match'],
    [['Moreau', 'Ada'], ['Ada', 'Moreau'], 'match'],
    [['Ada', 'Moreau'], ['Dr. Ada', 'Moreau'], 'match'],
    [['Ada', 'Moreau'], ['Ada', 'Moreau PhD'], 'match'],
    [['Ada M.', 'Moreau'], ['Ada', 'Moreau'], 'match'],
    [['Ada Maria', 'Moreau'], ['Ada', 'Moreau'], 'match'],
    [['Ana Garcia', 'Lopez'], ['Ana', 'Garcia Lopez'], 'match'],
    [['Jan van der', 'Berg'], ['Jan', 'van der Berg'], 'match'],
    [['Jürgen', 'Müller'], ['Juergen', 'Mueller'], 'match'],
    [['Jürgen', 'Müller'], ['Jurgen', 'Muller'], 'match'],
    [['Zoë', 'Straße'], ['Zoe', 'Strasse'], 'match'],
    [['Søren', 'Ågård'], ['Soeren', 'Aagaard'], 'match'],
    [['Łukasz', 'Wójcik'], ['Lukasz', 'Wojcik'], 'match'],
    [['Smith Jones', 'Amy'], ['Amy', 'Smith-Jones'], 'match'],
    [['A', 'Moreau'], ['Ada', 'Moreau'], 'partial'],
    [['Alex', 'Moreau'], ['Alexander', 'Moreau'], 'partial'],
    [[null, 'Moreau'], ['Ada', 'Moreau'], 'partial'],
    [['Ana', 'Garcia'], ['Ana', 'Garcia Lopez'], 'partial'],
    [['Ada', 'Moreau-Smith'], ['Ada', 'Moreau'], 'partial'],
    [['Maria', 'Moreau'], ['Ada Maria', 'Moreau'], 'uncertain'],
    [['Mario', 'Rossi'], ['Maria', 'Rossi'], 'uncertain'],
    [['Ada', 'Morea'], ['Ada', 'Moreau'], 'uncertain'],
    [['Ада', 'Моро'], ['Ada', 'Moro'], 'uncertain'],
    [['Anton', 'Moreau'], ['Paul', 'Moreau'], 'mismatch'],
    [['Ada', 'Lovelace'], ['Ada', 'Moreau'], 'mismatch'],
    [['Jan', 'van der Berg'], ['Jan', 'van der Meer'], 'mismatch'],
    [[null, null], ['Ada', 'Moreau'], 'not_comparable'],
    [['', '...'], ['Ada', 'Moreau'], 'not_comparable'],
  ]
  for (const [one, other, fit] of pairs) {
    test(`${one.join(' ')} and ${other.join(' ')}: ${fit}`, () => {
      assert.equal(toNameFit(compareNames(name(...one), name(...other))), fit)
      assert.equal(toNameFit(compareNames(name(...other), name(...one))), fit)
    })
  }

  const words = fc.array(
    fc.constantFrom(
      'Ada',
      'Maria',
      'Jürgen',
      'Moreau',
      'de',
      'la',
      'Cruz',
      'O’Neil',
      'A.',
      'Zoë',
      'Li',
    ),
    { maxLength: 3 },
  )
  const names = fc.record({
    first_name: fc.option(words.map((all) => all.join(' '))),
    last_name: fc.option(words.map((all) => all.join('-'))),
  })
  const change = (
    one: { first_name: string | null; last_name: string | null },
    to: (text: string) => string,
  ) => name(one.first_name && to(one.first_name), one.last_name && to(one.last_name))

  test('compare the same in either order, and regardless of case and accents', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const fits = compareNames(one, other)
        assert.deepEqual(compareNames(other, one), fits)
        assert.deepEqual(
          compareNames(
            change(one, (text) => text.toUpperCase()),
            other,
          ),
          fits,
        )
        assert.deepEqual(
          compareNames(
            change(one, (text) => text.normalize('NFD')),
            other,
          ),
          fits,
        )
      }),
      { seed: 24, numRuns: 500 },
    )
  })

  test('that are equal never differ', () => {
    fc.assert(
      fc.property(names, (one) => {
        const fit = toNameFit(compareNames(one, one))
        assert.ok(fit === 'match' || fit === 'partial' || fit === 'not_comparable', fit)
        const plain = change(one, (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
        assert.equal(toNameFit(compareNames(plain, one)), fit)
      }),
      { seed: 24, numRuns: 500 },
    )
  })
})

describe('the patient of a report and a person', () => {
  const birth = (more: Partial<PrintedPatient['birth']>) => ({ birth: { ...NO_BIRTH, ...more } })
  const cases: [
    what: string,
    report: Partial<PrintedPatient>,
    who: Partial<KnownPatient>,
    status: string,
  ][] = [
    ['are the same', {}, {}, 'match'],
    ['differ in the name', name('Bob', 'Stone'), {}, 'mismatch'],
    ['differ in the birth year', birth({ days: ['1961-04-12'] }), {}, 'mismatch'],
    ['differ in the sex alone', { sex: 'male' }, {}, 'mismatch'],
    ['are twins', name('Anton', 'Moreau'), { ...name('Paul', 'Moreau') }, 'mismatch'],
    ['are twins with names alike', name('Mario', 'Rossi'), name('Maria', 'Rossi'), 'uncertain'],
    ['have day and month swapped', birth({ days: ['1990-12-04'] }), {}, 'uncertain'],
    ['have a date of two readings', birth({ days: ['1990-12-04', DOB] }), {}, 'match'],
    ['have a year that fits', birth({ beginning: '1990' }), {}, 'match'],
    ['have a year that does not fit', birth({ beginning: '1991' }), {}, 'mismatch'],
    ['have an age that fits', birth({ age: { years: 35, on: '2026-03-01' } }), {}, 'match'],
    [
      'have an age that does not fit',
      birth({ age: { years: 61, on: '2026-03-01' } }),
      {},
      'mismatch',
    ],
    [
      'have only an initial and an age',
      { ...name('A', 'Moreau'), ...birth({ age: { years: 35, on: '2026-03-01' } }) },
      {},
      'uncertain',
    ],
    ['have only a first letter and the day', name('A', 'Moreau'), {}, 'match'],
    ['have only a name', birth({}), {}, 'match'],
    [
      'have only a shortened name',
      { ...name('Al', 'Moreau'), ...birth({}) },
      name('Alan', 'Moreau'),
      'uncertain',
    ],
    ['have only a day', name(null, null), {}, 'match'],
    ['have another family name since a marriage', name('Ada', 'Stone'), {}, 'uncertain'],
    ['have only the sex', { ...name(null, null), ...birth({}) }, {}, 'not_comparable'],
    [
      'have only an age',
      { ...name(null, null), ...birth({ age: { years: 35, on: '2026-03-01' } }) },
      {},
      'not_comparable',
    ],
    ['have only another sex', { ...name(null, null), ...birth({}), sex: 'male' }, {}, 'mismatch'],
    ['have a badly read name', { ...name('Abc', 'Norcau'), unsure: ['name'] }, {}, 'uncertain'],
    ['have a badly read name that is right', { unsure: ['name'] }, {}, 'match'],
    ['have nothing in common', name(null, null), { days: [] }, 'not_comparable'],
  ]
  for (const [what, report, who, status] of cases) {
    test(`${what}: ${status}`, () => {
      assert.equal(matchPatient(printed(report), [known(who)]).status, status)
    })
  }

  test('are not compared without known data', () => {
    const nothing = { outcome: 'not_comparable', compared_with: null }
    assert.deepEqual(matchPatient(printed(), []), {
      status: 'not_comparable',
      name: nothing,
      birth_date: nothing,
      sex: nothing,
    })
  })

  test('are compared with every name of a reliable source', () => {
    const before = known({ ...name('Ada', 'Stone'), source: 'order', days: [] })
    const match = matchPatient(printed(name('Ada', 'Stone')), [known(), before])
    assert.deepEqual([match.status, match.name.compared_with], ['match', 'order'])
  })

  test('are compared with earlier reports only without a more reliable source', () => {
    const earlier = known({ ...name('Bob', 'Stone'), source: 'lab_report', isSure: false })
    const bob = printed(name('Bob', 'Stone'))
    assert.equal(matchPatient(bob, [known(), earlier]).status, 'mismatch')
    const onlyBirth = known({ ...name(null, null), sex: null, source: 'fallback_birth_date' })
    assert.equal(matchPatient(bob, [onlyBirth, earlier]).status, 'match')
    const match = matchPatient(printed(), [onlyBirth, earlier])
    assert.deepEqual([match.status, match.name.compared_with], ['mismatch', 'lab_report'])
  })

  test('are uncertain when earlier reports contradict each other', () => {
    const earlier = (first: string) =>
      known({ ...name(first, 'Stone'), source: 'lab_report', isSure: false })
    const match = matchPatient(printed(name('Bob', 'Stone')), [earlier('Bob'), earlier('Eva')])
    assert.equal(match.status, 'uncertain')
  })

  test('never match partly when nothing was read with certainty', () => {
    const unsure: PatientField[] = ['name', 'birth_date', 'sex']
    const match = matchPatient(printed({ ...name('A', 'Moreau'), sex: 'male', unsure }), [known()])
    assert.deepEqual([match.status, match.sex.outcome], ['uncertain', 'uncertain'])
  })
})
