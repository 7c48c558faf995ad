import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import type { components } from '../api/openapi.generated.d.ts'
import { findValue, nameOfProperty, propertiesOf, readString } from './query-text.ts'

export type QueryTables = components['schemas']['QueryTables']

const option = (label: string, detail = ''): Completion => ({ label, detail })

/** Names of properties by their parent property; all others occur in expressions. */
const PROPERTIES: Readonly<Record<string, readonly Completion[]>> = {
  '': [
    option('timeframe', 'which days'),
    option('queries', 'up to 20'),
    option('config', 'which providers count first'),
  ],
  timeframe: [option('type'), option('anchor', 'the last day'), option('past', 'how long')],
  past: [option('value'), option('unit')],
  date_trunc: [option('value'), option('unit')],
  max_age: [option('value'), option('unit')],
  span: [option('value'), option('unit')],
  queries: [
    option('select', 'shape of the response'),
    option('group_by', 'buckets and groups'),
    option('where', 'which rows'),
    option('align', 'fill missing buckets'),
  ],
  align: [option('carry')],
  carry: [option('mode'), option('max_age'), option('span')],
  config: [option('provider_priority_overrides')],
}

const SOURCES = [
  'source_provider',
  'source_type',
  'source_app_id',
  'source_workout_id',
  'source_sport',
]

function expressionProperties({ summaries }: QueryTables): Completion[] {
  return [
    option('func', 'an aggregate'),
    option('arg', 'argument'),
    option('group_key', 'a column of group_by'),
    option('date_trunc', 'buckets of time'),
    option('date_part', 'such as weekday'),
    option('index', 'the time of a row'),
    option('source', 'where it came from'),
    option('value_macro', 'derived from a sleep'),
    option('merged', 'a series, each instant once'),
    option('timeseries', 'a series of all sources'),
    option('field', 'field of a series'),
    ...summaries.map(({ name }) => option(name, 'a column of the table')),
  ]
}

/** Returns the property that contains a value, directly or through arrays. */
function propertyAbove(node: SyntaxNode): SyntaxNode | null {
  for (let above = node.parent; above !== null; above = above.parent) {
    if (above.name === 'Property') return above
  }
  return null
}

/** Completes the value of a property. */
function listValues(state: EditorState, schema: QueryTables, node: SyntaxNode): Completion[] {
  const property = propertyAbove(node)
  if (property === null) return []
  const name = nameOfProperty(state, property)
  const object = property.parent as SyntaxNode
  const table = schema.summaries.find((one) => one.name === name)
  if (table !== undefined) {
    return table.columns.map((column) => option(column.name, column.type))
  }
  const plain = (names: readonly string[]): Completion[] => names.map((one) => option(one))
  switch (name) {
    case 'func':
      return plain(schema.functions)
    case 'unit':
      return plain(schema.units)
    case 'date_part':
      return plain(schema.date_parts)
    case 'index':
      return plain([...schema.summaries.map((one) => one.name), 'merged', 'timeseries'])
    case 'merged':
      return plain(schema.merged.map((one) => one.name))
    case 'timeseries':
      return plain(schema.series.map((one) => one.name))
    case 'source':
      return plain(SOURCES)
    case 'mode':
      return plain(['carry_forward', 'carry_backward', 'carry_nearest'])
    case 'type':
      return plain(['relative'])
    case 'value_macro':
      return schema.summaries
        .flatMap(({ macros }) => macros)
        .map((one) => option(one.name, one.type))
    case 'field': {
      const series = findValue(state, object, 'merged') ?? findValue(state, object, 'timeseries')
      const name = series && readString(state, series)
      const known = schema.series.find((one) => one.name === name)
      return (known?.fields ?? []).map((field) => option(field.name, field.type))
    }
    default:
      return []
  }
}

/** Returns every column of the tables that the query names. */
function listColumnsOfQuery(
  state: EditorState,
  schema: QueryTables,
  where: SyntaxNode,
): Completion[] {
  const query = propertyAbove(where)?.parent
  if (!query) return []
  const text = state.sliceDoc(query.from, query.to)
  const tables = schema.summaries.filter(({ name }) => text.includes(`"${name}"`))
  const series = schema.series.filter(({ name }) => text.includes(`"${name}"`))
  return [
    ...tables.flatMap(({ columns }) => columns.map(({ name, type }) => option(name, type))),
    ...series.flatMap(({ name, fields }) =>
      fields.map((field) => option(`${name}.${field.name}`, field.type)),
    ),
  ]
}

/** Creates the completion of the query language (docs/queries.md). */
export function completeQuery(schema: QueryTables) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context
    const node = syntaxTree(state).resolveInner(pos, -1)
    if (node.name !== 'String' && node.name !== 'PropertyName') return null
    const isName = node.name === 'PropertyName'
    const property = isName ? node.parent : propertyAbove(node)
    if (!isName && property !== null && nameOfProperty(state, property) === 'where') {
      const word = context.matchBefore(/[\w.]*/)
      const options = listColumnsOfQuery(state, schema, node)
      return { from: word?.from ?? pos, options, validFor: /^[\w.]*$/ }
    }
    const options =
      isName || node.parent?.name === 'Object'
        ? listNames(state, schema, node)
        : listValues(state, schema, node)
    return options.length === 0 ? null : { from: node.from + 1, options, validFor: /^[\w*]*$/ }
  }
}

function listNames(state: EditorState, schema: QueryTables, node: SyntaxNode): Completion[] {
  const object = node.name === 'PropertyName' ? node.parent?.parent : node.parent
  if (!object) return []
  const above = propertyAbove(object)
  const context = above === null ? '' : nameOfProperty(state, above)
  const taken = new Set(propertiesOf(object).map((one) => nameOfProperty(state, one)))
  const all = PROPERTIES[context] ?? expressionProperties(schema)
  return all.filter(
    ({ label }) => !taken.has(label) || state.sliceDoc(node.from, node.to).includes(label),
  )
}
