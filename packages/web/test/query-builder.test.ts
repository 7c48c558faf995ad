import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type BuilderQuery,
  readRequest,
  toRequest,
} from '../src/console/queries/builder/builder-query.ts'
import { formatWhere, parseWhere } from '../src/console/queries/builder/conditions.ts'
import { QUERY_EXAMPLES, textOfExample } from '../src/console/queries/query-examples.ts'
import { toResultCharts } from '../src/console/queries/result-series.ts'

const timeframe = { type: 'relative', anchor: '2026-11-20', past: { value: 7, unit: 'day' } }
const requestOf = (query: object, rest: object = {}) => ({ timeframe, queries: [query], ...rest })
const mean = { func: 'mean', arg: { merged: 'heartrate', field: 'value' } }
const byDay = { date_trunc: { value: 1, unit: 'day' }, arg: { index: 'merged' } }

function read(request: unknown): BuilderQuery {
  const found = readRequest(request)
  assert.ok('query' in found, JSON.stringify(found))
  return found.query
}

function refuse(request: unknown): string {
  const found = readRequest(request)
  assert.ok('reason' in found, JSON.stringify(found))
  return found.reason
}

describe('the fields of a query', () => {
  for (const name of Object.keys(QUERY_EXAMPLES) as (keyof typeof QUERY_EXAMPLES)[]) {
    test(`show “${QUERY_EXAMPLES[name].title}”, and write it again`, () => {
      const request = JSON.parse(textOfExample(name, '2026-11-20'))
      assert.deepEqual(toRequest(read(request)), request)
    })
  }

  test('are series, functions, buckets, keys, conditions and how gaps are filled', () => {
    const query = read(
      requestOf({
        select: [{ group_key: '*' }, mean],
        group_by: [byDay, { source: 'source_provider' }],
        where: "value >= 40 and type != 'resting'",
        align: { carry: { mode: 'carry_nearest', span: { unit: 'day' } } },
      }),
    )
    assert.deepEqual(query, {
      table: 'merged',
      mode: 'groups',
      measures: [{ func: 'mean', column: 'heartrate.value' }],
      bucket: { value: 1, unit: 'day' },
      part: '',
      by: ['source:source_provider'],
      conditions: [
        { column: 'value', comparison: '>=', value: 40 },
        { column: 'type', comparison: '!=', value: 'resting' },
      ],
      fill: { mode: 'carry_nearest', reach: { value: 1, unit: 'day' } },
      isMerged: false,
      hasKeys: true,
      past: { value: 7, unit: 'day' },
      anchor: '2026-11-20',
    })
  })

  test('show a query without keys, or with parts of no effect', () => {
    const plain = requestOf({ select: [mean], group_by: [byDay] })
    assert.deepEqual(toRequest(read(plain)), plain)
    const total = requestOf({ select: [mean] })
    assert.deepEqual(toRequest(read(total)), total)
    const padded = requestOf({ ...plain.queries[0], where: ' ', align: null, source_rule: null })
    assert.deepEqual(toRequest(read({ ...padded, config: {} })), plain)
  })

  test('do not show what they would lose, and say what that is', () => {
    const ofDay = { select: [{ group_key: '*' }, mean], group_by: [byDay] }
    assert.match(refuse({ timeframe, queries: [ofDay, ofDay] }), /several queries/)
    assert.match(refuse(requestOf({ ...ofDay, where: 'value > 1 or value < 0' })), /OR, NOT/)
    assert.match(refuse(requestOf({ ...ofDay, where: 'value >' })), /not complete/)
    assert.match(
      refuse(requestOf(ofDay, { config: { provider_priority_overrides: ['oura'] } })),
      /config/,
    )
    assert.match(refuse(requestOf({ ...ofDay, split_by_source: true })), /no fields/)
    const list = { select: { func: 'count', arg: null }, from: { unnest: {} } }
    assert.match(refuse(requestOf({ select: [list] })), /no fields/)
    const numbered = { ...ofDay, select: [{ group_key: 0 }, mean] }
    assert.match(refuse(requestOf(numbered)), /no fields/)
    for (const request of [null, {}, { queries: [] }, requestOf({}), { timeframe, queries: [3] }]) {
      refuse(request)
    }
  })
})

test('conditions keep quotes, numbers, words and null', () => {
  const where = "a = 'it''s AND so' AND b.value != -1.5 AND c = TRUE AND d != NULL"
  assert.equal(formatWhere(parseWhere(where) ?? []), where)
  assert.deepEqual(parseWhere(''), [])
  for (const text of ['a', 'a = 1 AND', 'a = 1 b = 2', '(a = 1)', 'not a = 1', 'a like 1']) {
    assert.equal(parseWhere(text), undefined, text)
  }
})

describe('the charts of a result', () => {
  const columns = new Map([
    ['sum.steps.value', { unit: 'count', isFromZero: true }],
    ['mean.heartrate.value', { unit: 'bpm', isFromZero: false }],
  ])
  const day = { value: 1, unit: 'day' }
  const at = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000

  test('have a plot for each unit, and a gap where a bucket has no row', () => {
    const table = {
      'group_key.0': ['2026-11-01T00:00:00', '2026-11-02T00:00:00', '2026-11-04T00:00:00'],
      'sum.steps.value': [5, null, 7],
      'mean.heartrate.value': [60, 61, 62],
    }
    const charts = toResultCharts([{ name: '', table }], columns, day)
    assert.deepEqual(charts?.x, ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map(at))
    assert.deepEqual(charts?.plots, [
      {
        unit: 'count',
        isFromZero: true,
        lines: [{ name: 'sum.steps.value', values: [5, null, null, 7] }],
      },
      {
        unit: 'bpm',
        isFromZero: false,
        lines: [{ name: 'mean.heartrate.value', values: [60, 61, null, 62] }],
      },
    ])
  })

  test('have a line for each group and person, and count those that do not fit', () => {
    const sources = ['a', 'b', 'c', 'd']
    const table = {
      'group_key.0': sources.flatMap(() => ['2026-11-01T00:00:00', '2026-11-02T00:00:00']),
      'group_key.1': sources.flatMap((source) => [source, source]),
      'sum.steps.value': sources.flatMap((_, index) => [index, index + 1]),
    }
    const tables = ['Ada', 'Ben'].map((name) => ({ name, table }))
    const charts = toResultCharts(tables, columns, day)
    assert.equal(charts?.plots[0]?.lines[0]?.name, 'Ada · sum.steps.value · a')
    assert.equal(charts?.plots[0]?.lines.length, 6)
    assert.equal(charts?.leftOut, 2)
  })

  test('follow months and numbers, and leave tables without an axis alone', () => {
    const months = ['2026-01-01T00:00:00', '2026-03-01T00:00:00']
    const ofMonth = { 'group_key.0': months, 'sum.steps.value': [1, 2] }
    const month = { value: 1, unit: 'month' }
    const charts = toResultCharts([{ name: '', table: ofMonth }], columns, month)
    assert.deepEqual(charts?.x, ['2026-01-01', '2026-02-01', '2026-03-01'].map(at))
    const ofHour = { 'group_key.0': [0, 5], 'sum.steps.value': [1, 2] }
    const hours = toResultCharts([{ name: '', table: ofHour }], columns)
    assert.deepEqual([hours?.isTime, hours?.x], [false, [0, 5]])
    assert.equal(toResultCharts([{ name: '', table: { sum: [3] } }], columns), undefined)
    assert.equal(toResultCharts([{ name: '', table: {} }], columns), undefined)
  })
})
