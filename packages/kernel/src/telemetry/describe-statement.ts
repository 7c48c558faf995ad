export interface StatementDescription {
  /** Operation and table: `SELECT users`. */
  name: string
  operation: string
  table: string | undefined
}

/** The beginning of a statement is enough, and some are megabytes long. */
const READ_LENGTH = 4_000
const MOST_KEPT = 2_000
const known = new Map<string, StatementDescription>()

const OPERATION =
  /\b(select|insert|update|delete|create|alter|drop|truncate|optimize|commit|rollback)\b/i
/** The part of a statement that changes rows says more than the parts that read. */
const CHANGE =
  /\b(insert)\s+into\s|\b(update)\s+["`]?\w+["`]?\s+(?:as\s+\w+\s+)?set\b|\b(delete)\s+from\s/i
/** Names of functions after `from` are left out. */
const TABLE =
  /\b(?:into|update|table|from(?=\s+["`]?\w+["`]?(?![\w."`]*\s*\()))\s+(?:if\s+(?:not\s+)?exists\s+)?["`]?([a-z_]\w*)/i

/** Describes a statement by its first operation and the first table that it names. */
export function describeStatement(sql: string): StatementDescription {
  const found = known.get(sql)
  if (found !== undefined) return found
  const start = sql.slice(0, READ_LENGTH)
  const change = /^\s*with\b/i.test(start) ? CHANGE.exec(start) : null
  const [, word = 'other'] = OPERATION.exec(change?.[0] ?? start) ?? []
  const operation = word.toUpperCase()
  const table = TABLE.exec(start.slice(change?.index ?? 0))?.[1]
  const name = table === undefined ? operation : `${operation} ${table}`
  const described = { name, operation, table }
  if (sql.length <= READ_LENGTH && known.size < MOST_KEPT) known.set(sql, described)
  return described
}

/** Returns a statement on one line and without quotes, with a question mark for each literal. */
export function withoutLiterals(sql: string): string {
  return sql
    .replace(/'(?:[^'\\]|\\.|'')*'/g, '?')
    .replace(/(?<![\w$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?')
    .replace(/["`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
