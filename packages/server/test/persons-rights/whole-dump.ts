import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Harness } from '../harness.ts'

/** A row or a file, as text, with where it is. */
export interface DumpedText {
  /** `postgresql schema.table`, `clickhouse table` or `file path`. */
  place: string
  text: string
}

/**
 * Everything that there is in the stores, row by row and file by file, by nothing but the catalogs
 * and the disk: no list of tables and no code of the service is trusted. Bytes are decoded, and
 * unpacked where they are packed.
 */
export async function* dumpEverything(harness: Harness): AsyncGenerator<DumpedText> {
  const { pool } = harness.database
  const { rows: tables } = await pool.query(`select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`)
  for (const { schema, name } of tables) {
    const { rows } = await pool.query(`select * from "${schema}"."${name}"`)
    for (const row of rows) {
      yield { place: `postgresql ${schema}.${name}`, text: textOfRow(row) }
    }
  }
  const stored = await harness.clickhouse.queryRows<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine not like '%View'`,
  )
  for (const { name } of stored) {
    const rows = await harness.clickhouse.queryRows<object>(`select * from ${name}`)
    for (const row of rows) yield { place: `clickhouse ${name}`, text: JSON.stringify(row) }
  }
  const folder = join(harness.config.dataDirectory, 'files')
  for (const path of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue
    const file = join(path.parentPath, path.name)
    yield { place: `file ${file}`, text: `${file}\n${textOfBytes(readFileSync(file))}` }
  }
}

function textOfRow(row: Record<string, unknown>): string {
  return Object.entries(row)
    .map(([name, value]) =>
      Buffer.isBuffer(value) ? `${name}: ${textOfBytes(value)}` : JSON.stringify({ [name]: value }),
    )
    .join('\n')
}

/** As it is, and as what packed it would unpack it. */
function textOfBytes(bytes: Buffer): string {
  const unpacked = [zstdDecompressSync, gunzipSync, inflateSync].flatMap((unpack) => {
    try {
      return [unpack(bytes).toString('utf8')]
    } catch {
      return []
    }
  })
  return [bytes.toString('utf8'), ...unpacked].join('\n')
}
