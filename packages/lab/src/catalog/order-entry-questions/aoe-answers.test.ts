import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '@salus/kernel/errors'
import { question } from '../../../../server/test/catalog/catalog-fixture.ts'
import type { AoeAnswer, Question } from '../lab-catalog.schema.ts'
import { checkAoeAnswers } from './aoe-answers.ts'

const CHOICES = [
  { id: 1, code: 'Y', value: 'Yes' },
  { id: 2, code: 'N', value: 'No' },
]
const FASTING = question({ id: 9, code: 'FSTING', type: 'choice', answers: CHOICES })

const answered = (...texts: string[]): AoeAnswer[] =>
  texts.map((answer) => ({ marker_id: 7, question_id: 1, answer }))

/** Returns the answers to question 1 of marker 7, or the slug of the refusal. */
function check(asked: Partial<Question>, texts: string[], fasting = false): string[] | string {
  const markers = [{ id: 7, questions: [question({ id: 1, ...asked })] }]
  try {
    return checkAoeAnswers(markers, answered(...texts), fasting).map(({ answer }) => answer)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.errorType
  }
}

const choice = { type: 'choice', answers: CHOICES } as const
const several = { type: 'multi_choice', answers: CHOICES } as const
const numeric = { type: 'numeric' } as const
const text = (constraint: string) => ({ type: 'text', constraint }) as const
const optional = { required: false }

const CASES: [string, Partial<Question>, string[], string[] | string][] = [
  ['a date keeps to its form', text('YYYYMMDD'), ['20240229'], ['20240229']],
  ['a date in another form', text('YYYYMMDD'), ['2024-02-29'], 'aoe_invalid'],
  ['a date that is none', text('YYYYMMDD'), ['20230229'], 'aoe_invalid'],
  ['words for a question that needs a date', text('YYYYMMDD'), ['last week'], 'aoe_invalid'],
  ['a date with signs', text('MM/DD/YYYY of the draw'), ['02/28/2026'], ['02/28/2026']],
  ['a date with other signs', text('MM/DD/YYYY of the draw'), ['02-28-2026'], 'aoe_invalid'],
  ['a time of day', text('HHMM, 24 hour clock'), ['0759'], ['0759']],
  ['a time that no clock shows', text('HHMM, 24 hour clock'), ['2460'], 'aoe_invalid'],
  ['a date and a time', text('YYYYMMDDHHMM'), ['202602281205'], ['202602281205']],
  ['a date and half a time', text('YYYYMMDDHHMM'), ['2026022812'], 'aoe_invalid'],
  ['a hint that no machine understands', text('As on the label'), ['whatever'], ['whatever']],
  ['a number within its range', { ...numeric, constraint: '20-600 lb' }, ['130.5'], ['130.5']],
  ['a number beyond its range', { ...numeric, constraint: '20-600 lb' }, ['1300'], 'aoe_invalid'],
  ['a number with a unit for a hint', { ...numeric, constraint: 'mL' }, ['1300'], ['1300']],
  ['a choice takes a listed code', choice, ['N'], ['N']],
  ['a choice takes no other code', choice, ['Maybe'], 'aoe_invalid'],
  ['a choice takes no display text', choice, ['Yes'], 'aoe_invalid'],
  ['a choice takes no blank', choice, [''], 'aoe_invalid'],
  ['a choice takes one answer only', choice, ['Y', 'N'], 'aoe_invalid'],
  ['the same answer twice is one', choice, ['Y', 'Y'], ['Y']],
  ['a multiple choice takes several codes', several, ['Y', 'N'], ['Y', 'N']],
  ['a multiple choice takes each code once', several, ['Y', 'Y', 'N'], ['Y', 'N']],
  ['a multiple choice takes no other code', several, ['Y', 'Maybe'], 'aoe_invalid'],
  ['a number is read', numeric, ['-12.50'], ['-12.50']],
  ['a number without its first digit is read', numeric, ['.5'], ['.5']],
  ['words are no number', numeric, ['twelve'], 'aoe_invalid'],
  ['infinity is no number', numeric, ['Infinity'], 'aoe_invalid'],
  ['an empty text is no number', numeric, [''], 'aoe_invalid'],
  ['two numbers are refused', numeric, ['1', '2'], 'aoe_invalid'],
  ['a text is free', {}, ['20260131'], ['20260131']],
  ['a blank text is no answer', {}, ['  '], 'aoe_required'],
  ['a required question must be answered', choice, [], 'aoe_required'],
  ['an optional question may stay open', { ...choice, ...optional }, [], []],
  ['an optional question is still checked', { ...choice, ...optional }, ['Maybe'], 'aoe_invalid'],
  ['a default answers a required question', { ...choice, default: 'N' }, [], ['N']],
  ['a default answers an optional question', { ...numeric, ...optional, default: '0' }, [], ['0']],
  ['an answer wins over the default', { ...choice, default: 'N' }, ['Y'], ['Y']],
]

describe('order-entry questions', () => {
  for (const [name, asked, texts, expected] of CASES) {
    test(name, () => assert.deepEqual(check(asked, texts), expected))
  }

  test('an answer to an unknown marker or question is refused', () => {
    const markers = [{ id: 7, questions: [question({ id: 1, required: false })] }]
    for (const stray of [
      { marker_id: 8, question_id: 1, answer: 'x' },
      { marker_id: 7, question_id: 2, answer: 'x' },
    ]) {
      assert.throws(() => checkAoeAnswers(markers, [stray], false), { errorType: 'aoe_invalid' })
    }
    const silent = [{ id: 7, questions: null }]
    assert.throws(() => checkAoeAnswers(silent, answered('x'), false), { errorType: 'aoe_invalid' })
  })

  test('the refusal names every open question once', () => {
    const open = question({ id: 1, value: 'Race?' })
    const other = question({ id: 2, value: 'Weight?', type: 'numeric' })
    const markers = [
      { id: 7, questions: [open, other] },
      { id: 8, questions: [open] },
    ]
    assert.throws(() => checkAoeAnswers(markers, answered('x'), false), {
      errorType: 'aoe_required',
      extra: { questions: ['Weight?', 'Race?'] },
    })
  })

  test('answers come by marker and by the sequence of its questions', () => {
    const first = question({ id: 1, sequence: 2 })
    const second = question({ id: 2, sequence: 1, default: 'd' })
    const markers = [
      { id: 8, questions: [second] },
      { id: 7, questions: [first, second] },
    ]
    assert.deepEqual(checkAoeAnswers(markers, answered('x'), false), [
      { marker_id: 8, question_id: 2, answer: 'd' },
      { marker_id: 7, question_id: 2, answer: 'd' },
      { marker_id: 7, question_id: 1, answer: 'x' },
    ])
  })
})

describe('fasting questions', () => {
  const fast = (asked: Question, fasting: boolean, texts: string[] = []) =>
    check({ ...asked, id: 1 }, texts, fasting)

  test('are answered as the lab tests say', () => {
    assert.deepEqual(fast(FASTING, true), ['Y'])
    assert.deepEqual(fast(FASTING, false), ['N'])
  })

  test('keep an explicit answer', () => {
    assert.deepEqual(fast(FASTING, true, ['N']), ['N'])
  })

  test('take precedence over their default', () => {
    assert.deepEqual(fast({ ...FASTING, default: 'N' }, true), ['Y'])
  })

  test('never block an order', () => {
    assert.deepEqual(fast({ ...FASTING, answers: [] }, true), [])
    assert.deepEqual(fast({ ...FASTING, type: 'text' }, false), ['N'])
  })

  test('are recognized by their text too', () => {
    const worded = question({ id: 1, code: 'X1', value: 'Is the patient fasting?', ...choice })
    assert.deepEqual(fast(worded, true), ['Y'])
    const hours = question({ id: 1, code: 'X2', value: 'Hours of fasting', type: 'numeric' })
    assert.equal(fast(hours, true), 'aoe_required')
  })
})
