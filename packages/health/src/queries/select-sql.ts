/** The clauses of one statement; missing or empty lists are not written. */
export interface Select {
  /** Names of expressions that the other clauses use. */
  with?: Readonly<Record<string, string>>
  /** Expressions by the name of their column. */
  columns: Readonly<Record<string, string>>
  from: string
  where?: readonly string[]
  groupBy?: readonly string[]
  orderBy?: readonly string[]
  /** Keeps the first row for each value of these. */
  firstBy?: readonly string[]
}

/** Returns a name from a registry as SQL, never one from a client. */
export function identifierSql(name: string): string {
  if (/^[\w.]+$/.test(name)) return `\`${name}\``
  throw new TypeError('A column name consists of letters, digits, underscores and dots.')
}

const namedColumnsSql = (expressions: Readonly<Record<string, string>>): string =>
  Object.entries(expressions)
    .map(([name, sql]) => (sql === name ? sql : `${sql} as ${identifierSql(name)}`))
    .join(',\n  ')

/** Writes a statement. */
export function selectSql(select: Select): string {
  const { with: names = {}, columns, from, where = [], groupBy = [], orderBy = [] } = select
  const clauses: [word: string, content: string][] = [
    ['with', namedColumnsSql(names)],
    ['select', namedColumnsSql(columns)],
    ['from', from],
    ['where', where.map((condition) => `(${condition})`).join('\n  and ')],
    ['group by', groupBy.join(', ')],
    ['order by', orderBy.join(', ')],
    ['limit 1 by', (select.firstBy ?? []).join(', ')],
  ]
  return clauses
    .filter(([, content]) => content !== '')
    .map(([word, content]) => `${word} ${content}`)
    .join('\n')
}

/** Returns a statement as a table of another one. */
export function subquerySql(sql: string): string {
  return `(\n${sql}\n)`
}

/** Combines statements with the same columns into one; equal rows are kept. */
export function unionSql(selects: readonly string[]): string {
  return selects.join('\nunion all\n')
}

/** Returns each name as a column of its own name. */
export function sameColumns(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}
