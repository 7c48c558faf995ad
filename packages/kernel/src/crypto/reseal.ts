import { type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { SecretBox } from './secret-box.ts'

/** Column of sealed texts; null means there is none. */
export interface SealedColumn {
  table: string
  column: string
  /** Columns that name a row. */
  key: readonly string[]
  /** Returns the context that the text was sealed for, from those columns. */
  contextOf: (row: Readonly<Record<string, string>>) => string
}

const RESEALED_AT_ONCE = 500

/**
 * Reseals with the present key what a former key sealed, so that the former key can be given up.
 * Other processes may read and write meanwhile.
 * @returns how many texts
 */
export async function resealColumn(
  db: Db,
  secrets: SecretBox,
  { table, column, key, contextOf }: SealedColumn,
): Promise<number> {
  const sealed = sql.ref(column)
  const isFormer = sql<SqlBool>`substring(${sealed} from 1 for ${secrets.keyId.length}) <> ${secrets.keyId}`
  let resealed = 0
  for (;;) {
    const names = sql.join([...key, column].map((name) => sql.ref(name)))
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)}
      where ${isFormer} limit ${RESEALED_AT_ONCE}`.execute(db)
    for (const row of rows) {
      const old = row[column] as Buffer
      const context = contextOf(row as Record<string, string>)
      const isRow = key.map((name) => sql`${sql.ref(name)} is not distinct from ${row[name]}`)
      // A text that was resealed meanwhile already has the present key.
      const isSame = sql`${sealed} = ${old}`
      await sql`update ${sql.table(table)} set ${sealed} = ${secrets.seal(secrets.open(old, context), context)}
        where ${sql.join([...isRow, isSame], sql` and `)}`.execute(db)
    }
    resealed += rows.length
    if (rows.length < RESEALED_AT_ONCE) return resealed
  }
}
