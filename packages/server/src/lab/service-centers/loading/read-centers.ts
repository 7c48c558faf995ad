import { CsvError, parse } from 'csv-parse/sync'
import {
  CENTER_COLUMNS,
  type CenterColumn,
  type CenterDraft,
  type ColumnReader,
} from './center-columns.registry.ts'

/** One thing that is wrong with a list, and where. The first line has the names of the columns. */
export interface CenterProblem {
  line: number
  column: string | null
  message: string
}

/** More are counted and not listed: an answer should stay readable. */
const MOST_LISTED = 500

/** Collects what is wrong, so that all of it can be told at once. */
export class CenterProblems {
  readonly list: CenterProblem[] = []
  count = 0

  add(line: number, column: string | null, message: string): void {
    this.count++
    if (this.list.length < MOST_LISTED) this.list.push({ line, column, message })
  }
}

export interface ReadCenter {
  /** Of the list, where the row ends. */
  line: number
  draft: CenterDraft
}

interface CsvRecord {
  record: Record<string, string>
  info: { lines: number }
}

const COLUMNS = Object.entries(CENTER_COLUMNS) as [CenterColumn, ColumnReader][]

/** Reads the CSV text of a list, each row by itself. Rows with a problem are left out. */
export function readCenters(csv: string, problems: CenterProblems): ReadCenter[] {
  const records = readRecords(csv, problems)
  const firstLines = new Map<string, number>()
  return records.flatMap(({ record, info: { lines: line } }) => {
    const draft = readDraft(record, line, problems)
    if (draft === undefined) return []
    const key = `${draft.lab} ${draft.site_code}`
    const first = firstLines.get(key)
    firstLines.set(key, first ?? line)
    if (first === undefined) return [{ line, draft }]
    problems.add(line, 'site_code', `The same site as in line ${first}.`)
    return []
  })
}

function readRecords(csv: string, problems: CenterProblems): CsvRecord[] {
  let names: string[] = []
  const columns = (header: string[]): string[] => {
    names = header.map((name) => name.trim().toLowerCase())
    return names
  }
  let records: CsvRecord[]
  try {
    // Rows may be cut short, as spreadsheets do it.
    records = parse(csv, {
      columns,
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    }) as unknown as CsvRecord[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.add(Number(error.lines ?? 1), null, `The line cannot be read (${error.code}).`)
    return []
  }
  const isComplete = checkNames(names, problems)
  if (records.length === 0) problems.add(1, null, 'The list has no rows.')
  return isComplete ? records : []
}

function checkNames(names: readonly string[], problems: CenterProblems): boolean {
  const before = problems.count
  const given = new Set(names)
  for (const [name, { isRequired }] of COLUMNS) {
    if (isRequired && !given.has(name)) problems.add(1, name, 'This column is missing.')
  }
  for (const name of given) {
    if (!Object.hasOwn(CENTER_COLUMNS, name)) problems.add(1, name, 'There is no such column.')
  }
  if (given.size < names.length) problems.add(1, null, 'Two columns have the same name.')
  return problems.count === before
}

function readDraft(
  record: Readonly<Record<string, string>>,
  line: number,
  problems: CenterProblems,
): CenterDraft | undefined {
  const draft: Record<string, unknown> = {}
  const before = problems.count
  for (const [name, { isRequired, expected, read }] of COLUMNS) {
    const text = record[name] ?? ''
    const value = text === '' ? null : read(text)
    if (value === undefined) problems.add(line, name, `Must be ${expected}.`)
    else if (value === null && isRequired) problems.add(line, name, 'Must not be empty.')
    draft[name] = value
  }
  return problems.count === before ? (draft as unknown as CenterDraft) : undefined
}
