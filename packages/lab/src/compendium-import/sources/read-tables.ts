import type { CatalogProblems } from '../../catalog/index.ts'
import {
  type CompendiumMapping,
  type Format,
  type MappedTable,
  type TableName,
  tablesOf,
} from '../mapping/mapping.schema.ts'
import { columnsOf } from '../mapping/read-mapping.ts'
import { decodeText } from './decode-text.ts'
import { readDelimitedRows } from './delimited-rows.ts'
import { readFixedWidthRows } from './fixed-width-rows.ts'
import { type MasterFileRecord, readHl7Records, toHl7Rows } from './hl7-rows.ts'
import type { CompendiumFile, SourceRow, SourceTable } from './source-row.ts'

/** A row with the table that explains its cells. */
export interface MappedRow {
  row: SourceRow
  table: MappedTable
}

/** Rows of all files together: beyond this they are no compendium. */
const MOST_ROWS = 1_000_000

/** Reads tables of files, each file once for each format. */
export class TableReader {
  readonly #files: readonly CompendiumFile[]
  readonly #problems: CatalogProblems
  readonly #read = new Map<string, SourceTable>()
  readonly #records = new Map<string, MasterFileRecord[]>()
  readonly #used = new Set<string>()
  #rows = 0

  constructor(files: readonly CompendiumFile[], problems: CatalogProblems) {
    this.#files = files
    this.#problems = problems
  }

  /** Returns the rows of a table that its conditions choose. */
  rowsOf(mapping: CompendiumMapping, name: TableName): MappedRow[] {
    return tablesOf(mapping, name).flatMap(({ table, format, path }) => {
      const files = this.#files.filter((file) => isMeant(table.file, file.name))
      if (files.length === 0) this.#problems.add(`${path}.file`, `No file is named ${table.file}.`)
      return files.flatMap((file) => {
        const { rows, columns } = this.#readOnce(file, format)
        if (columns !== undefined) this.#checkColumns(file, table, columns)
        return rows.filter((row) => isChosen(row, table)).map((row) => ({ row, table }))
      })
    })
  }

  /** Adds a problem for each file that no table reads. */
  checkUse(): void {
    for (const { name } of this.#files) {
      if (!this.#used.has(name)) this.#problems.add(name, 'No table of the mapping reads the file.')
    }
  }

  #readOnce(file: CompendiumFile, format: Format): SourceTable {
    this.#used.add(file.name)
    const key = JSON.stringify([file.name, format])
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const table = this.#readFile(file, format)
    this.#rows += table.rows.length
    if (this.#rows > MOST_ROWS) {
      this.#problems.add(file.name, `The files have more than ${MOST_ROWS} rows.`)
      table.rows.length = 0
    }
    this.#read.set(key, table)
    return table
  }

  #readFile({ name, content }: CompendiumFile, format: Format): SourceTable {
    if (format.kind === 'hl7') {
      const records = this.#records.get(name) ?? readHl7Records(name, content, this.#problems)
      this.#records.set(name, records)
      return toHl7Rows(records, format)
    }
    const text = decodeText(content, format.encoding)
    if (text === undefined) {
      const encoding = format.encoding ?? 'utf-8'
      this.#problems.add(name, `The file is not ${encoding}; name another encoding in its format.`)
      return { rows: [], columns: undefined }
    }
    if (format.kind === 'fixed_width') return readFixedWidthRows(name, text, format)
    return readDelimitedRows(name, text, format, this.#problems)
  }

  #checkColumns(file: CompendiumFile, table: MappedTable, columns: ReadonlySet<string>): void {
    const { where = {}, where_not: whereNot = {}, fields } = table
    const named = [
      ...Object.values(fields).flatMap(columnsOf),
      ...Object.keys({ ...where, ...whereNot }),
    ]
    for (const column of new Set(named)) {
      if (!columns.has(column)) {
        this.#problems.add(`${file.name}, ${column}`, 'The file has no such column.')
      }
    }
  }
}

/** Whether a pattern with `*` means a name; letters of both cases are the same. */
function isMeant(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(name)
}

function isChosen({ cell }: SourceRow, { where = {}, where_not: whereNot = {} }: MappedTable) {
  const matches = ([column, values]: [string, string[]]) => values.includes(cell(column))
  return Object.entries(where).every(matches) && !Object.entries(whereNot).some(matches)
}
