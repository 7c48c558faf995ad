import { type AggregatedRow, alignRows } from './align.ts'
import { indexTypeOf, type Meaning, meaningOf } from './expressions.ts'
import { datePart, offsetAt, truncate } from './floating-time.ts'
import { indexKeyOf, isShortForm, withUniqueNames } from './output-names.ts'
import type { ReferenceTarget } from './person-data.ts'
import { keepOneSource } from './prioritise.ts'
import type { Frame, OutputColumn, Question } from './question.ts'
import type { ColumnType } from './reference-columns.registry.ts'
import { applyFunction, typeOfFunction } from './reference-functions.ts'
import type { ReferenceRow, Scalar } from './reference-row.ts'
import { compareScalars } from './reference-where.ts'
import type { WireAggregate, WireGroupBy, WireQuery } from './wire-query.ts'

export function groupKeysOf({ group_by = [], split_by_source }: WireQuery): WireGroupBy[] {
  if (split_by_source !== true) return group_by
  return [...group_by, { source: 'source_provider' }, { source: 'source_type' }]
}

interface KeyMeaning {
  type: ColumnType
  valueIn: (row: ReferenceRow) => Scalar
}

function meaningOfKey(key: WireGroupBy): KeyMeaning {
  if ('date_trunc' in key) {
    const { date_trunc, arg } = key
    return { type: indexTypeOf(arg.index), valueIn: (row) => truncate(row.index, date_trunc) }
  }
  if ('date_part' in key) {
    return { type: 'int', valueIn: (row) => datePart(row.index, key.date_part) }
  }
  return meaningOf(key)
}

/**
 * Sections 3, 7, 8 and 10 for queries that aggregate: with group keys, or all rows as one group.
 */
export function answerGroups(question: Question, frames: readonly Frame[]): OutputColumn[] {
  const { query, target } = question
  const groupBy = groupKeysOf(query)
  const keys = groupBy.map(meaningOfKey)
  const aggregates = query.select.filter((item): item is WireAggregate => 'func' in item)
  const meanings = aggregates.map(({ arg }) => meaningOf(arg))
  const groups = new Map<string, AggregatedRow>()
  if (keys.length === 0) {
    groups.set('[]', { keys: [], values: aggregates.map(({ func }) => applyFunction(func, [])) })
  }
  for (const frame of frames) {
    const byKeys = Map.groupBy(frame.rows, (row) =>
      JSON.stringify(keys.map(({ valueIn }) => valueIn(row))),
    )
    for (const [text, rows] of byKeys) {
      const group = groups.get(text) ?? {
        keys: JSON.parse(text),
        values: aggregates.map(() => null),
      }
      groups.set(text, group)
      const kept = keptOf(question, groupBy, rows)
      for (const [at, meaning] of meanings.entries()) {
        if (meaning.series !== null && meaning.series !== frame.series) continue
        const values = kept.map((row) => toOperand(row, meaning))
        group.values[at] = applyFunction((aggregates[at] as WireAggregate).func, values)
      }
    }
  }
  const rows = align(query, groupBy, [...groups.values()], target)
  rows.sort((a, b) => compareKeys(a.keys, b.keys))
  return outputOf(query, groupBy, keys, meanings, rows)
}

/**
 * docs/contract/09-aggregate.md#data-prioritisation: rows of one source, where groups are not those
 * of sources already.
 */
function keptOf(
  { table, config, target }: Question,
  groupBy: readonly WireGroupBy[],
  rows: ReferenceRow[],
): ReferenceRow[] {
  const sources = groupBy.flatMap((key) => ('source' in key ? key.source : []))
  const isSplit = sources.includes('source_provider') && sources.includes('source_type')
  return isSplit || groupBy.length === 0 ? rows : keepOneSource(rows, table, config, target)
}

const toOperand = (row: ReferenceRow, meaning: Meaning) => ({
  value: meaning.valueIn(row),
  index: row.index,
  updatedAt: row.updatedAt,
})

function align(
  { align: wanted }: WireQuery,
  groupBy: readonly WireGroupBy[],
  rows: AggregatedRow[],
  target: ReferenceTarget,
): AggregatedRow[] {
  if (wanted === undefined || wanted === null) return rows
  const key = groupBy.findIndex((part) => 'date_trunc' in part)
  const trunc = groupBy[key] as Extract<WireGroupBy, { date_trunc: unknown }>
  const nowhere = { timezoneOffset: null, timeZone: '' }
  const now = target.now + offsetAt(target.now, nowhere, target.fallbackZone) * 1000
  return alignRows(rows, { key, period: trunc.date_trunc }, wanted.carry, now)
}

function compareKeys(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] as Scalar
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1
      continue
    }
    const order = compareScalars(left, right)
    if (order !== 0) return order
  }
  return 0
}

/** Group keys and aggregates as they are selected, before them the index where there is one. */
function outputOf(
  query: WireQuery,
  groupBy: readonly WireGroupBy[],
  keys: readonly KeyMeaning[],
  meanings: readonly Meaning[],
  rows: readonly AggregatedRow[],
): OutputColumn[] {
  let aggregate = 0
  const isShort = isShortForm(query)
  const keyColumn = (at: number, name = `group_key.${at}`): OutputColumn => ({
    name,
    type: (keys[at] as KeyMeaning).type,
    values: rows.map((row) => row.keys[at] as Scalar),
  })
  const selected = query.select.flatMap((item) => {
    if ('group_key' in item) {
      const { group_key } = item
      return group_key === '*' ? groupBy.map((_, at) => keyColumn(at)) : keyColumn(group_key)
    }
    const at = aggregate++
    const { func } = item as WireAggregate
    const meaning = meanings[at] as Meaning
    return {
      name: isShort ? func : `${func}.${meaning.name}`,
      type: typeOfFunction(func, meaning.type),
      values: rows.map(({ values }) => values[at] as Scalar),
    }
  })
  const index = indexKeyOf(query, groupBy)
  return withUniqueNames(index === -1 ? selected : [keyColumn(index, 'index'), ...selected])
}
