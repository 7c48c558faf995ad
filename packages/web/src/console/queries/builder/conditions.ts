/** A comparison of a column with a value. */
export interface Condition {
  column: string
  comparison: string
  value: string | number | boolean | null
}

export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<='] as const

const CONDITION =
  /\s*([a-z_][a-z0-9_.]*)\s*(>=|<=|!=|>|<|=)\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|true\b|false\b|null\b)\s*(and\b|$)/iy

function readLiteral(text: string): Condition['value'] {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  const word = text.toLowerCase()
  if (word === 'null') return null
  if (word === 'true' || word === 'false') return word === 'true'
  return Number(text)
}

/**
 * Reads comparisons that are joined by AND.
 * @returns undefined for a text with anything else
 */
export function parseWhere(text: string): Condition[] | undefined {
  if (text.trim() === '') return []
  const conditions: Condition[] = []
  CONDITION.lastIndex = 0
  for (;;) {
    const [whole, column, comparison, literal, end] = CONDITION.exec(text) ?? []
    if (whole === undefined || !column || !comparison || literal === undefined) return undefined
    conditions.push({ column, comparison, value: readLiteral(literal) })
    if (end === '') return conditions
  }
}

function formatLiteral(value: Condition['value']): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

/** Returns the text of comparisons, joined by AND. */
export const formatWhere = (conditions: readonly Condition[]): string =>
  conditions
    .map(({ column, comparison, value }) => `${column} ${comparison} ${formatLiteral(value)}`)
    .join(' AND ')
