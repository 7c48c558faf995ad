/** The text of a condition, however it was given. */
export function filterText(filter: Filter | string): string {
  return typeof filter === 'string' ? filter : filter.text
}

/** What a column is compared with; null asks whether there is a value. */
export type FilterValue = string | number | boolean | null | Date

/** A condition on rows, in the text form of the query language. */
export interface Filter {
  readonly text: string
}

export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '!='

/**
 * Compares a column with a value: `compare('steps', '>', 1000)`, `compare('heartrate.value', '>',
 * 60)`. A Date stands for the wall-clock time that it shows in UTC, since rows have local times.
 */
export function compare(column: string, operator: Comparison, value: FilterValue): Filter {
  return { text: `${column} ${operator} ${literal(value)}` }
}

/** All of the conditions. @throws RangeError for none */
export const and = (...filters: readonly Filter[]): Filter => join('AND', filters)
/** At least one of the conditions. @throws RangeError for none */
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

/** In plain digits, so that filters are read easily. */
function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}
