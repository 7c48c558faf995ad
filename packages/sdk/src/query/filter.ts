/** Returns the text of a condition in either form. */
export function filterText(filter: Filter | string): string {
  return typeof filter === 'string' ? filter : filter.text
}

/** A value to compare a column with; null checks whether there is a value. */
export type FilterValue = string | number | boolean | null | Date

/** A condition on rows, in the text form of the query language. */
export interface Filter {
  readonly text: string
}

export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '!='

/**
 * Compares a column with a value: `compare('steps', '>', 1000)`, `compare('heartrate.value', '>',
 * 60)`. A Date stands for the wall-clock time that it has in UTC, since rows have local times.
 */
export function compare(column: string, operator: Comparison, value: FilterValue): Filter {
  return { text: `${column} ${operator} ${literal(value)}` }
}

/** Requires all conditions. @throws RangeError without any */
export const and = (...filters: readonly Filter[]): Filter => join('AND', filters)
/** Requires at least one of the conditions. @throws RangeError without any */
export const or = (...filters: readonly Filter[]): Filter => join('OR', filters)
export const not = ({ text }: Filter): Filter => ({ text: `NOT (${text})` })

function join(word: string, filters: readonly Filter[]): Filter {
  if (filters.length === 0) throw new RangeError(`${word} needs at least one condition.`)
  return { text: filters.map(({ text }) => `(${text})`).join(` ${word} `) }
}

function literal(value: FilterValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'string') return quote(value)
  if (value instanceof Date) return quote(value.toISOString().slice(0, 19))
  if (!Number.isFinite(value)) throw new RangeError('A filter compares with finite numbers only.')
  return plainNumber(value)
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Formats a number in plain digits. */
function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}
