import type { QueryParameters } from './clickhouse.ts'
import { ClickHouseError } from './clickhouse-error.ts'

type Parameter = QueryParameters[string]

const UNKNOWN_QUERY_PARAMETER = 456
const BAD_QUERY_PARAMETER = 457

/**
 * Returns the values that the statement names. A place without a value is an error, as on a server.
 */
export function namedParameters(sql: string, parameters: QueryParameters): [string, Parameter][] {
  const outsideStrings = sql.replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, "''")
  const names = new Set<string>()
  for (const [, name] of outsideStrings.matchAll(/\{\s*([A-Za-z_]\w*)\s*:/g)) {
    if (name !== undefined) names.add(name)
  }
  return [...names].map((name) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (value === undefined) {
      throw new ClickHouseError(
        UNKNOWN_QUERY_PARAMETER,
        `ClickHouse error 456 (UNKNOWN_QUERY_PARAMETER): no value for {${name}}`,
      )
    }
    return [name, checked(name, value)]
  })
}

function checked(name: string, value: Parameter): Parameter {
  const numbers = Array.isArray(value) ? value : [value]
  if (!numbers.some((entry) => typeof entry === 'number' && !Number.isFinite(entry))) return value
  throw new ClickHouseError(
    BAD_QUERY_PARAMETER,
    `ClickHouse error 457 (BAD_QUERY_PARAMETER): {${name}} is not a finite number`,
  )
}

/**
 * Returns `SET param_x = '…'` for each value, to run on the session before the statement. The
 * engine's own call with parameters would do, but two such calls at the same time mix up their
 * values, so its driver runs them one after another across all sessions; session settings share
 * nothing.
 */
export function setParametersSql(parameters: readonly [string, Parameter][]): string {
  if (parameters.length === 0) return ''
  const settings = parameters.map(([name, value]) => `param_${name} = ${quote(escapedForm(value))}`)
  return `SET ${settings.join(', ')}`
}

/** Returns the text that the engine parses as the declared type: its TabSeparated form. */
export function escapedForm(value: Parameter): string {
  if (value === null) return '\\N'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeText(value)
  return `[${value.map((entry) => (typeof entry === 'number' ? String(entry) : quote(entry)))}]`
}

function quote(text: string): string {
  return `'${escapeText(text).replaceAll("'", "\\'")}'`
}

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeText(text: string): string {
  return text.replace(/[\\\0\b\f\n\r\t]/g, (character) => ESCAPES[character] ?? character)
}
