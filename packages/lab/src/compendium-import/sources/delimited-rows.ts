import { CsvError, type Info, parse } from 'csv-parse/sync'
import { type CatalogProblems, findRepeated } from '../../catalog/index.ts'
import type { Format } from '../mapping/mapping.schema.ts'
import { skipLines } from './decode-text.ts'
import type { SourceRow, SourceTable } from './source-row.ts'

/**
 * Reads a file with a delimiter. Rows may be shorter than the header, as spreadsheets write them.
 */
export function readDelimitedRows(
  file: string,
  text: string,
  format: Format,
  problems: CatalogProblems,
): SourceTable {
  const skipped = format.skip_lines ?? 0
  const quote = format.quote === '' ? false : (format.quote ?? '"')
  const options = { delimiter: format.delimiter ?? ',', quote, escape: quote, bom: true } as const
  try {
    const rows = parse(skipLines(text, skipped), {
      ...options,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: Info }[]
    const header = format.columns ?? rows.shift()?.record ?? []
    for (const { index } of findRepeated(header, (name) => name || undefined)) {
      problems.add(`${file}, line ${skipped + 1}`, `Two columns are named ${header[index]}.`)
    }
    const positions = new Map(header.map((name, index) => [name, index]))
    const toRow = ({ record, info }: { record: string[]; info: Info }): SourceRow => ({
      place: `${file}, line ${info.lines + skipped}`,
      cell: (column) => record[positions.get(column) ?? -1] ?? '',
      ...(record.slice(header.length).some((cell) => cell !== '') && { problem: TOO_LONG }),
    })
    return { rows: rows.map(toRow), columns: new Set(header) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(error.lines ?? 0) + skipped
    problems.add(`${file}, line ${line}`, `The line cannot be read (${error.code}).`)
    return { rows: [], columns: undefined }
  }
}

const TOO_LONG = 'The row has more cells than there are columns.'
