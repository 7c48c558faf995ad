import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AGGREGATE_FUNCTIONS as OF_SERVER } from '../../../health/src/queries/aggregate-functions.registry.ts'
import {
  and,
  compare,
  groupKey,
  max,
  mean,
  merged,
  newest,
  not,
  or,
  past,
  query,
  series,
  summaries,
  toRows,
} from '../index.ts'

import { AGGREGATE_FUNCTIONS } from './expression.ts'

const sleep = summaries('sleep')
const heartRate = series('heartrate')

describe('the query builder', () => {
  it('has every aggregate function of the server, except other names of one', () => {
    const names = Object.entries(OF_SERVER).flatMap(([name, row]) =>
      'aliasOf' in row ? [] : [name],
    )
    assert.deepEqual([...AGGREGATE_FUNCTIONS], names)
  })

  it('writes queries as the server takes them', () => {
    const built = query({
      select: [groupKey(0), mean(sleep.column('efficiency')), newest(sleep.macro('sleep_score'))],
      groupBy: [sleep.every(1, 'week'), sleep.source('source_provider')],
      where: compare('type', '=', 'long_sleep'),
      align: { carry: { mode: 'carry_forward', max_age: null } },
    })
    assert.deepEqual(built, {
      select: [
        { group_key: 0 },
        { func: 'mean', arg: { sleep: 'efficiency' } },
        { func: 'newest', arg: { value_macro: 'sleep_score', version: 'automatic' } },
      ],
      group_by: [
        { date_trunc: { value: 1, unit: 'week' }, arg: { index: 'sleep' } },
        { source: 'source_provider' },
      ],
      where: "type = 'long_sleep'",
      align: { carry: { mode: 'carry_forward', max_age: null } },
    })
  })

  it('writes series, parts of dates and rows as they are', () => {
    assert.deepEqual(query({ select: [heartRate.index(), heartRate.column('value')] }), {
      select: [{ index: 'timeseries' }, { timeseries: 'heartrate', field: 'value' }],
    })
    const byWeekday = query({
      select: [max(heartRate.column('value'))],
      groupBy: [heartRate.part('weekday')],
    })
    assert.deepEqual(byWeekday.group_by, [{ date_part: 'weekday', arg: { index: 'timeseries' } }])
  })

  it('writes merged series, which are a table of their own', () => {
    const steps = merged('steps')
    const daily = query({ select: [max(steps.column('value'))], groupBy: [steps.every(1, 'day')] })
    assert.deepEqual(daily, {
      select: [{ func: 'max', arg: { merged: 'steps', field: 'value' } }],
      group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'merged' } }],
    })
  })

  it('merges the sources of sleeps and workouts', () => {
    const nights = query({ select: [mean(sleep.column('efficiency'))], sourceRule: 'merged' })
    assert.equal(nights.source_rule, 'merged')
    // @ts-expect-error a table that is not merged
    query({ select: [mean(summaries('activity').column('steps'))], sourceRule: 'merged' })
  })

  it('looks into lists', () => {
    const cycles = summaries('menstrual_cycle')
    const heavy = cycles.list('count', 'menstrual_flow', { where: compare('flow', '=', 'heavy') })
    const warmest = cycles.list('max', 'basal_body_temperature', { field: 'value' })
    assert.deepEqual(query({ select: [heavy, warmest] }).select, [
      {
        select: { func: 'count', arg: null },
        from: { unnest: { menstrual_cycle: 'menstrual_flow' } },
        where: "flow = 'heavy'",
      },
      {
        select: {
          func: 'max',
          arg: { field_for: 'menstrual_cycle', basal_body_temperature: 'value' },
        },
        from: { unnest: { menstrual_cycle: 'basal_body_temperature' } },
      },
    ])
  })

  it('refuses two tables, and rows beside aggregates, when it is compiled', () => {
    // @ts-expect-error expressions of two tables
    query({ select: [sleep.column('efficiency'), summaries('activity').column('steps')] })
    // @ts-expect-error a row value in a grouped query
    query({ select: [sleep.column('efficiency')], groupBy: [sleep.every(1, 'day')] })
    // @ts-expect-error no such column
    sleep.column('steps')
    // @ts-expect-error no such field
    heartRate.column('systolic')
  })

  it('says how far back', () => {
    assert.deepEqual(past(30, 'day', '2026-01-31'), {
      type: 'relative',
      anchor: '2026-01-31',
      past: { value: 30, unit: 'day' },
    })
  })
})

describe('filters', () => {
  it('quote texts and write numbers without exponents', () => {
    const filter = and(
      compare('name', '=', "O'Neil"),
      or(compare('value', '>', 1e-7), not(compare('value', '=', null))),
      compare('wheelchair_use', '!=', true),
      compare('session_end', '>=', new Date('2026-01-31T07:00:00Z')),
    )
    assert.equal(
      filter.text,
      "(name = 'O''Neil') AND ((value > 0.0000001) OR (NOT (value = NULL))) AND (wheelchair_use != TRUE) AND (session_end >= '2026-01-31T07:00:00')",
    )
  })

  it('refuse what is no number, and nothing at all', () => {
    assert.throws(() => compare('value', '>', Number.NaN), RangeError)
    assert.throws(() => and(), RangeError)
  })
})

describe('answers', () => {
  it('are read row by row', () => {
    assert.deepEqual(toRows({ index: ['a', 'b'], mean: [1, null] }), [
      { index: 'a', mean: 1 },
      { index: 'b', mean: null },
    ])
    assert.deepEqual(toRows({ index: [] }), [])
  })
})
