import { type CsvRow, type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readCell } from '../../files/table-numbers.ts'
import { decodeText, encodingOf } from '../../files/text.ts'

/** The first line of a table: its type, the version of its schema, a number. */
const METADATA = /^\ufeff?"?(com\.samsung\.s?health\.[a-z0-9_.]+)"?[,;\t]/
/** Columns of which every table has one, without the type before them. */
const OWN_COLUMN = /(^|\.)(datauuid|deviceuuid|pkg_name|create_time)$/

/** A row of a table, whose columns are named without the type that some of them begin with. */
export class SamsungRow {
  readonly #columns: ReadonlyMap<string, readonly number[]>
  readonly #row: CsvRow

  constructor(columns: ReadonlyMap<string, readonly number[]>, row: CsvRow) {
    this.#columns = columns
    this.#row = row
  }

  /** Returns the first cell of a column that is not empty; empty where there is none. */
  get(name: string): string {
    for (const index of this.#columns.get(name) ?? []) {
      const cell = this.#row.at(index)
      if (cell !== '') return cell
    }
    return ''
  }

  /** Returns a number, null for an empty cell, NaN for another text. */
  number(name: string): number | null {
    return readCell(this.get(name))
  }

  /** Returns the cells of some columns that are not empty. */
  pick(names: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      names.flatMap((name) => {
        const cell = this.get(name)
        return cell === '' ? [] : [[name, cell]]
      }),
    )
  }
}

/** A table of the export. */
export interface SamsungTable {
  /** Such as `tracker.heart_rate`, without the beginning that all have. */
  readonly type: string
  batches(): AsyncGenerator<SamsungRow[]>
}

/**
 * Returns the type of a table, without the beginning that all types have; undefined for another
 * file.
 */
export async function typeOfTable(file: ImportFile): Promise<string | undefined> {
  const opening = (await file.opening()).subarray(0, 1000)
  try {
    let text = ''
    async function* one() {
      yield opening
    }
    for await (const part of decodeText(one(), encodingOf(opening))) text += part
    return METADATA.exec(text)?.[1]?.replace(/^com\.samsung\.s?health\./, '')
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
}

/** @throws ImportFileError `malformed_csv` for a table without a head row */
export async function openTable(file: ImportFile, type: string): Promise<SamsungTable> {
  const table: CsvTable = await openCsv(file, {
    isHead: (cells) => cells.length >= 3 && cells.some((cell) => OWN_COLUMN.test(cell)),
  })
  const columns = new Map<string, number[]>()
  for (const [index, name] of table.head.entries()) {
    const short = name.slice(name.lastIndexOf('.') + 1)
    // A column with the type before it is that of the type; others were added by versions.
    const others = columns.get(short) ?? []
    columns.set(short, name === short ? [...others, index] : [index, ...others])
  }
  return {
    type,
    async *batches() {
      for await (const rows of table.batches()) {
        yield rows.map((row) => new SamsungRow(columns, row))
      }
    },
  }
}
