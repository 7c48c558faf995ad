import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InputError } from '@salus/kernel/errors'
import { matchesFilter, refuseUnknownTypes } from './filter-types.ts'

const STEPS = 'daily.data.steps.created'

describe('a filter', () => {
  test('that is null or empty holds every type', () => {
    assert.equal(matchesFilter(null, STEPS), true)
    assert.equal(matchesFilter([], STEPS), true)
  })

  test('of exact types holds these and no others', () => {
    const filter = ['daily.data.sleep.created', STEPS]
    assert.equal(matchesFilter(filter, STEPS), true)
    assert.equal(matchesFilter(filter, 'daily.data.steps.updated'), false)
    assert.equal(matchesFilter(filter, 'daily.data.steps'), false)
    assert.equal(matchesFilter(filter, `${STEPS}.more`), false)
    assert.equal(matchesFilter(filter, STEPS.toUpperCase()), false)
  })

  test('with a trailing star holds whatever begins so', () => {
    const holds = (filter: string): boolean => matchesFilter([filter], STEPS)
    for (const filter of ['*', 'd*', 'daily.*', 'daily.data.st*', `${STEPS}*`]) {
      assert.equal(holds(filter), true, filter)
    }
    for (const filter of ['historical.*', 'daily.data.sleep*', `${STEPS}.*`]) {
      assert.equal(holds(filter), false, filter)
    }
  })

  test('takes every other letter as it is, also a star or a dot in the middle', () => {
    for (const filter of ['daily.*.created', '*created', 'daily?*', 'daily_data*', '.*', '%']) {
      assert.equal(matchesFilter([filter], STEPS), false, filter)
    }
  })
})

describe('filters that are to be stored', () => {
  const known = new Set([STEPS, 'historical.data.steps.created'])
  const refused = (filters: string[]): (string | number)[] | undefined => {
    try {
      refuseUnknownTypes(known, filters)
      return undefined
    } catch (error) {
      assert.ok(error instanceof InputError)
      assert.deepEqual(
        error.problems.map(({ type }) => type),
        ['unknown_event_type'],
      )
      return error.problems[0]?.loc
    }
  }

  test('may be none, known types and beginnings of known types', () => {
    refuseUnknownTypes(known, undefined)
    refuseUnknownTypes(known, null)
    for (const filters of [[], [STEPS], ['*'], ['historical.*', 'daily.data.st*', `${STEPS}*`]]) {
      assert.equal(refused(filters), undefined, filters.join())
    }
  })

  test('are refused by the first one that could never match', () => {
    assert.deepEqual(refused(['daily.data.step.created']), ['body', 'filter_types', 0])
    assert.deepEqual(refused([STEPS, 'dayly.*', 'nothing']), ['body', 'filter_types', 1])
    for (const filter of ['daily.data', '**', '*.created', 'Daily.*', `${STEPS} `]) {
      assert.deepEqual(refused([filter]), ['body', 'filter_types', 0], filter)
    }
  })
})
