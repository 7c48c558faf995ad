import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareDemographics, type Demographics } from './demographics.ts'

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
