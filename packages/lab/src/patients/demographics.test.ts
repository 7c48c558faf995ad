import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compareDemographics,
  type Demographics,
  matchResultPatient,
  type Patient,
} from './demographics.ts'

const ADA: Demographics = { first_name: 'Ada', last_name: 'Moreau', dob: '1990-04-12' }
const person = (more: Partial<Demographics>): Demographics => ({ ...ADA, ...more })

describe('a report is about the person of an order', () => {
  const alike: [report: Partial<Demographics>, order: Partial<Demographics>][] = [
    [{}, {}],
    [{ first_name: 'ADA', last_name: 'MOREAU' }, {}],
    [{ last_name: 'Moreau Jr.' }, {}],
    [{ last_name: "O'Neil" }, { last_name: 'ONEIL' }],
    [{ last_name: 'Smith-Jones' }, { last_name: 'Smith Jones' }],
    [{ last_name: 'Zo\u00eb' }, { last_name: 'Zoe' }],
    [{ first_name: 'A' }, {}],
    [{ first_name: 'A.' }, {}],
    [{ first_name: null }, {}],
    [{ first_name: 'Ada Maria' }, {}],
    [{ first_name: 'Alex' }, { first_name: 'Alexander' }],
    [{ first_name: 'Jonh' }, { first_name: 'John' }],
    [{ first_name: 'Johann' }, { first_name: 'Johan' }],
    [{ first_name: 'Marta' }, { first_name: 'Marla' }],
    [{ first_name: 'Marta' }, { first_name: 'Matta' }],
  ]
  for (const [report, order] of alike) {
    test(`${JSON.stringify(report)} and ${JSON.stringify(order)}`, () => {
      assert.equal(compareDemographics(person(report), person(order)), 'match')
      assert.equal(compareDemographics(person(order), person(report)), 'match')
    })
  }
})

describe('a report is about another person', () => {
  const different: Partial<Demographics>[] = [
    { dob: '1990-04-13' },
    { dob: null },
    { last_name: 'Morea' },
    { last_name: null },
    { last_name: '' },
    { last_name: '...' },
    { first_name: 'Eva' },
    { first_name: 'Ado' },
    { first_name: 'Maria' },
  ]
  for (const report of different) {
    test(JSON.stringify(report), () => {
      assert.equal(compareDemographics(person(report), ADA), 'mismatch')
    })
  }

  test('also when neither has data', () => {
    const empty = { first_name: null, last_name: null, dob: null }
    assert.equal(compareDemographics(empty, empty), 'mismatch')
  })

  test('when twins share all but the first name', () => {
    const [one, other] = [person({ first_name: 'Anton' }), person({ first_name: 'Paul' })]
    assert.equal(compareDemographics(one, other), 'mismatch')
  })
})

describe('the patient of a result and the patient of the order with its number', () => {
  const patient = (more: Partial<Patient> = {}): Patient => ({ ...ADA, gender: 'female', ...more })
  const cases: [
    what: string,
    reported: Partial<Patient>,
    status: string,
    elsewhere?: Partial<Patient>[],
  ][] = [
    ['are the same', {}, 'match'],
    ['have swapped names', { first_name: 'Moreau', last_name: 'Ada' }, 'match'],
    ['have an initial', { first_name: 'A' }, 'match'],
    ['have a further first name', { first_name: 'Ada Maria' }, 'match'],
    ['have one of two family names', { last_name: 'Moreau-Smith' }, 'match'],
    ['have a letter for the sex', { gender: 'F' }, 'match'],
    ['have no sex', { gender: null }, 'match'],
    ['have no birth date', { dob: null }, 'match'],
    ['have only a year of birth', { dob: '1990' }, 'match'],
    ['have no birth date and an initial', { dob: null, first_name: 'A' }, 'uncertain'],
    ['have a typing error in the family name', { last_name: 'Morea' }, 'uncertain'],
    ['have day and month swapped', { dob: '1990-12-04' }, 'uncertain'],
    ['have another family name', { last_name: 'Stone' }, 'uncertain'],
    ['are twins', { first_name: 'Eva' }, 'mismatch'],
    ['have another birth date', { dob: '1961-04-12' }, 'mismatch'],
    ['have an unreadable birth date', { dob: '12 April' }, 'mismatch'],
    ['have another year of birth', { dob: '1961' }, 'mismatch'],
    ['have another sex', { gender: 'M' }, 'mismatch'],
    ['have nothing in common', { first_name: null, last_name: '', dob: '' }, 'not_comparable'],
    [
      'changed the family name, which the user has',
      { last_name: 'Stone' },
      'match',
      [{ last_name: 'Stone' }],
    ],
    [
      'changed the family name to a third one',
      { last_name: 'Stone' },
      'uncertain',
      [{ last_name: 'Webb' }],
    ],
    ['are twins with one account', { first_name: 'Eva' }, 'mismatch', [{ first_name: 'Eva' }]],
    [
      'are a mother and a daughter with one account',
      { first_name: 'Eva', dob: '2015-01-02' },
      'mismatch',
      [{ first_name: 'Eva', dob: '2015-01-02' }],
    ],
    [
      'are two people with one name and one account',
      { dob: '2015-01-02' },
      'mismatch',
      [{ dob: '2015-01-02' }],
    ],
  ]
  for (const [what, reported, status, elsewhere = []] of cases) {
    test(`${what}: ${status}`, () => {
      const others = elsewhere.map(patient)
      assert.equal(matchResultPatient(patient(reported), patient(), others), status)
    })
  }

  test('are twins with names alike: uncertain', () => {
    const [mario, maria] = ['Mario', 'Maria'].map((first_name) =>
      patient({ first_name, gender: null }),
    ) as [Patient, Patient]
    assert.equal(matchResultPatient(mario, maria, []), 'uncertain')
  })
})
