import { CsvError, parse } from 'csv-parse/sync'
import type { CatalogProblems } from './catalog-problems.ts'

/** A line of an operator's list by the names of its columns, without blanks around cells. */
export interface CsvLine {
  record: Record<string, string>
  /** Its number in the file; where a quoted cell has several lines, that of the last. */
  line: number
}

/** Names of columns. */
export interface CsvColumns {
  required: readonly string[]
  optional: readonly string[]
}

/** Where a problem of a list is. */
export const pathOfCell = (line: number, column: string): string => `line ${line}, ${column}`

/**
 * Reads a list whose first line names the columns, in any order and in either case. Lines may be
 * cut short, as spreadsheets do it.
 * @returns no line when the text or its columns have a problem, which is told
 */
export function readCsvLines(
  csv: string,
  { required, optional }: CsvColumns,
  problems: CatalogProblems,
): CsvLine[] {
  let header: string[] = []
  const columns = (names: string[]): string[] => {
    header = names.map((name) => name.trim().toLowerCase())
    return header
  }
  const options = { columns, bom: true, info: true, trim: true, skip_empty_lines: true } as const
  try {
    const lines = parse(csv, { ...options, relax_column_count_less: true }) as unknown as {
      record: Record<string, string>
      info: { lines: number }
    }[]
    for (const name of required) {
      if (!header.includes(name)) problems.add('line 1', `The column ${name} is missing.`)
    }
    for (const [index, name] of header.entries()) {
      if (![...required, ...optional].includes(name)) {
        problems.add('line 1', `The column ${name} is missing.`)
      } else if (header.indexOf(name) < index) {
        problems.add('line 1', `Two columns are named ${name}.`)
      }
    }
    if (problems.count > 0) return []
    if (lines.length === 0) problems.add('line 2', 'The list is empty.')
    return lines.map(({ record, info }) => ({ record, line: info.lines }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.add(`line ${error.lines}`, `The line is not valid CSV (${error.code}).`)
    return []
  }
}
