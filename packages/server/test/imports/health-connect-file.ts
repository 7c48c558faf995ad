import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Value = number | string | null | Uint8Array
/** Rows by table; a column without a value in a row is null. */
export type Tables = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>

/** Returns the bytes of a database with some tables, as the phone exports them. */
export function buildHealthConnect(tables: Tables, more: readonly string[] = []): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'salus-health-connect-'))
  const path = join(folder, 'health_connect_export.db')
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma synchronous = off; begin')
    for (const [table, rows] of Object.entries(tables)) {
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      const typed = columns.map((name) => (name === 'row_id' ? 'row_id integer primary key' : name))
      database.exec(`create table ${table} (${typed.join(', ')})`)
      const values = columns.map(() => '?').join(', ')
      const insert = database.prepare(`insert into ${table} values (${values})`)
      for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null))
    }
    database.exec('commit')
    for (const sql of more) database.exec(sql)
  } finally {
    database.close()
  }
  const content = readFileSync(path)
  rmSync(folder, { recursive: true, force: true })
  return content
}

/** The sixteen bytes of an id that ends with a number. */
export function idBytes(number: number): Uint8Array {
  const bytes = new Uint8Array(16).fill(0xa0)
  new DataView(bytes.buffer).setUint32(12, number)
  return bytes
}

export const APPS: Tables[string] = [
  { row_id: 1, package_name: 'org.example.watch', app_name: 'Watch' },
  { row_id: 2, package_name: 'org.example.phone', app_name: 'Phone' },
]
