import {
  listPersonColumns,
  PERSON_TABLES,
  type PersonRow,
  type PersonRowsScope,
  type PersonTable,
  streamPersonRows,
} from '../person-data/index.ts'
import type { ExportRow } from './exports.repository.ts'
import type { ExportParts } from './exports.service.ts'
import { FHIR_TABLES, ONLY_IN_BUNDLE, writeBundle } from './fhir-bundle.ts'
import { listPersonFiles, type PersonFile } from './person-files.ts'
import { writeCsv, writeJson, writeParquet } from './table-formats.ts'
import type { ArchiveEntry, WrittenEntry } from './write-archive.ts'

/** Sources of an export. */
export interface ExportSource extends PersonRowsScope {
  parts: ExportParts
  export: Pick<ExportRow, 'id' | 'user_id' | 'format'>
  /** Number of rows of each table. */
  counts: ReadonlyMap<string, number>
  at: Date
}

const WRITERS = {
  json: { ending: 'json', write: writeJson },
  csv: { ending: 'csv', write: writeCsv },
  parquet: { ending: 'parquet', write: writeParquet },
  // Besides the bundle.
  fhir: { ending: 'json', write: writeJson },
} as const

/**
 * Returns the files of the archive in order; the last one is the manifest, which lists all others.
 */
export async function listEntries(
  source: ExportSource,
  onRows: (rows: number) => Promise<void>,
): Promise<{
  list: ArchiveEntry[]
  rowsTotal: number
  onWritten: (entry: WrittenEntry) => void
}> {
  const { format, user_id: userId } = source.export
  const tables = PERSON_TABLES.filter(
    ({ name, unexported }) => unexported === undefined && source.counts.has(name),
  )
  const files = await listPersonFiles(source, source.parts, userId)
  /** Number of written rows of each table, including rows that were added meanwhile. */
  const rowsOf = new Map<string, number>()
  const read = (table: PersonTable) => {
    rowsOf.set(table.name, 0)
    return countRows(streamPersonRows(source, table, userId), async (rows) => {
      rowsOf.set(table.name, (rowsOf.get(table.name) ?? 0) + rows)
      await onRows(rows)
    })
  }
  const bundled = tables.filter(({ name }) => format === 'fhir' && FHIR_TABLES.has(name))
  const plain = tables.filter(({ name }) => format !== 'fhir' || !ONLY_IN_BUNDLE.has(name))
  const written = new Map<string, WrittenEntry>()
  const list: ArchiveEntry[] = [
    ...(format === 'fhir'
      ? [
          {
            name: 'bundle.json',
            content: () => writeBundle(source, { userId, at: source.at, files }, bundled, read),
          },
        ]
      : []),
    ...plain.map((table) => ({ name: pathOf(table, format), content: () => writeTable(table) })),
    ...files.map((file) => ({ name: file.name, content: () => readWhole(file) })),
    { name: 'manifest.json', content: () => writeManifest() },
  ]
  async function* writeTable(table: PersonTable) {
    const columns = await listPersonColumns(source, table)
    yield* WRITERS[format].write(columns, read(table))
  }
  async function* writeManifest() {
    yield Buffer.from(
      `${JSON.stringify(toManifest(source, tables, { written, rowsOf }), null, 2)}\n`,
    )
  }
  const rowsTotal = [...plain, ...bundled].reduce(
    (sum, { name }) => sum + (source.counts.get(name) ?? 0),
    0,
  )
  return { list, rowsTotal, onWritten: (entry) => written.set(entry.name, entry) }
}

const pathOf = ({ name }: PersonTable, format: ExportRow['format']): string =>
  `${format === 'fhir' ? 'tables/' : ''}${name}.${WRITERS[format].ending}`

async function* countRows(
  batches: AsyncIterable<PersonRow[]>,
  onRows: (rows: number) => Promise<void>,
): AsyncGenerator<PersonRow[]> {
  for await (const rows of batches) {
    yield rows
    await onRows(rows.length)
  }
}

async function* readWhole(file: PersonFile): AsyncGenerator<Buffer> {
  yield await file.read()
}

/** Returns the manifest: the content of the archive, what it leaves out, and how to check it. */
function toManifest(
  { export: { id, user_id, format }, at }: ExportSource,
  tables: readonly PersonTable[],
  {
    written,
    rowsOf,
  }: { written: ReadonlyMap<string, WrittenEntry>; rowsOf: ReadonlyMap<string, number> },
): object {
  return {
    export_id: id,
    user_id,
    format,
    created_at: at.toISOString(),
    tables: tables.map(({ name, meaning, store }) => ({
      name,
      meaning,
      store,
      rows: rowsOf.get(name) ?? 0,
    })),
    files: [...written.values()],
    left_out: PERSON_TABLES.flatMap(({ name, unexported, without }): object[] => {
      if (unexported !== undefined) return [{ table: name, reason: unexported }]
      return without === undefined ? [] : [{ table: name, columns: without }]
    }),
  }
}
