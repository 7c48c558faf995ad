import { pathToFileURL } from 'node:url'
import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'

/** A value of a row; blobs are bytes. */
export type SqlValue = null | number | bigint | string | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/** A cell longer than this is no measurement. */
const MOST_CELL_BYTES = 16 << 20
/** Temporary space of a sort goes to a file, and the cache is small. */
const PRAGMAS = [
  'pragma trusted_schema = off',
  'pragma cell_size_check = on',
  'pragma mmap_size = 0',
  'pragma cache_size = -16384',
  'pragma temp_store = file',
  'pragma query_only = on',
]
const MAGIC = 'SQLite format 3\0'

/** Whether content begins as a database of SQLite does. */
export const isSqlite = (opening: Buffer): boolean =>
  opening.toString('latin1', 0, MAGIC.length) === MAGIC

/** The tables of a database of an app, which is only read. */
export interface SqliteFile {
  /** Names of the columns of a table; undefined where there is no such table. */
  columns(table: string): readonly string[] | undefined
  /**
   * Yields the rows of a query one by one. Names of tables and columns are constants of the caller.
   * @throws ImportFileError `malformed_database`
   */
  rows(sql: string): Generator<SqlRow>
  /**
   * Returns a reader of the row with a number as its key; undefined where the column is not the
   * primary key of the table, so that each search would read all of it.
   * @param sql Query with one parameter, the key.
   * @throws ImportFileError `malformed_database`
   */
  lookup(table: string, key: string, sql: string): ((key: number) => SqlRow | undefined) | undefined
  close(): void
}

/**
 * Opens a database of SQLite without writing anything: neither a journal nor the log of a writer is
 * replayed. Views, virtual tables and computed columns, which run code of the file, are no tables
 * here.
 * @throws ImportFileError `malformed_database`
 */
export async function openSqlite(file: ImportFile): Promise<SqliteFile> {
  const { DatabaseSync } = await import('node:sqlite')
  const url = pathToFileURL(await file.localPath())
  // The copy does not change; so no lock is needed, and a database in WAL mode opens without a log.
  url.searchParams.set('immutable', '1')
  return guard(() => {
    const database = new DatabaseSync(url, {
      readOnly: true,
      allowExtension: false,
      enableForeignKeyConstraints: false,
      enableDoubleQuotedStringLiterals: false,
      limits: { length: MOST_CELL_BYTES, attach: 0, triggerDepth: 0 },
    })
    try {
      for (const pragma of PRAGMAS) database.exec(pragma)
      const tables = readTables((sql) => database.prepare(sql).all() as SqlRow[])
      return {
        columns: (table) => tables.get(table)?.columns,
        *rows(sql) {
          const rows = guard(() => database.prepare(sql).iterate() as Iterator<SqlRow>)
          for (;;) {
            const next = guard(() => rows.next())
            if (next.done === true) return
            yield next.value
          }
        },
        lookup(table, key, sql) {
          if (tables.get(table)?.key !== key) return undefined
          const statement = guard(() => database.prepare(sql))
          return (value) => guard(() => statement.get(value) as SqlRow | undefined)
        },
        close: () => database.close(),
      }
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Names that need no quotes in SQL. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

interface Table {
  columns: readonly string[]
  /** The column that is the number of the row; undefined where none is. */
  key: string | undefined
}

/** Returns the plain tables. */
function readTables(query: (sql: string) => SqlRow[]): Map<string, Table> {
  const tables = new Map<string, Table>()
  for (const { name, sql } of query(
    `select name, sql from sqlite_schema where type = 'table' limit 2000`,
  )) {
    const isPlain = typeof sql === 'string' && /^\s*create\s+table\b/i.test(sql)
    if (!isPlain || typeof name !== 'string' || !PLAIN_NAME.test(name)) continue
    const columns = query(`pragma table_xinfo(${name})`)
    // A hidden column is computed.
    if (columns.some(({ hidden }) => hidden !== 0)) continue
    const [key, ...others] = columns.filter(({ pk }) => pk !== 0)
    const isNumber = others.length === 0 && /^integer$/i.test(String(key?.type))
    tables.set(name, {
      columns: columns.map((column) => String(column.name)),
      key: isNumber ? String(key?.name) : undefined,
    })
  }
  return tables
}

/** Turns what SQLite reports of a damaged file into the error of a file. */
function guard<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const isSqlError =
      error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
    if (!isSqlError) throw error
    throw new ImportFileError('malformed_database', { cause: error })
  }
}
