import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Database, Db } from './database.ts'

/**
 * Statements about any number of rows. PostgreSQL accepts 65,535 parameters in a statement, so a
 * list is one parameter instead of one for each entry. A list without a bound is also cut into
 * parts, because writing out a statement holds up every other request.
 */

/**
 * For `where('id', '=', anyOf(ids))`: true for any of the values, and false when there are none.
 */
export function anyOf<Value>(values: Iterable<Value>): RawBuilder<Value> {
  return sql<Value>`any(${[...values]})`
}

/**
 * As anyOf, for ids of a prepared statement. One id is compared by itself: PostgreSQL expects ten
 * in an array whose values it does not know, and so plans the statement again for each call.
 */
export function anyOfIds(ids: readonly string[]): RawBuilder<string> {
  return ids.length === 1 ? sql<string>`${ids[0]}::uuid` : sql<string>`any(${[...ids]}::uuid[])`
}

/**
 * Returns rows as an insert selects them, in their order, with the column types of the table.
 * @param rows At least one; all name the same columns, and have jsonb as a value, not as its text.
 */
export function recordsOf<Table extends keyof Database & string>(
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
): { columns: (keyof Database[Table] & string)[]; records: RawBuilder<never> } {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Database[Table] & string)[]
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const json = JSON.stringify(rows.map(toRecord))
  const records = sql<never>`select ${names}
    from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
  return { columns, records }
}

/** JSON has no bytes; PostgreSQL reads them from their hexadecimal text. */
function toRecord(row: object): object {
  const values = Object.values(row)
  if (!values.some((value) => Buffer.isBuffer(value))) return row
  const record: Record<string, unknown> = { ...row }
  for (const name of Object.keys(row)) {
    const value = record[name]
    if (Buffer.isBuffer(value)) record[name] = `\\x${value.toString('hex')}`
  }
  return record
}

/** Maximum number of rows, and of their bytes, in one statement. */
const MOST_ROWS = 1_000
const MOST_BYTES = 4 * 1024 ** 2

/**
 * Cuts rows into parts of one statement each; write more than one part in a transaction.
 * @param bytesOf Approximate size of a row, where that varies.
 */
export function partsOf<Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number = () => 0,
): Row[][] {
  const parts: Row[][] = []
  let part: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const weight = bytesOf(row)
    if (part.length === MOST_ROWS || (part.length > 0 && bytes + weight > MOST_BYTES)) {
      parts.push(part)
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += weight
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** Does the work in the caller's own transaction, or else in a new one. */
export function inTransaction<Result>(
  db: Db,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
