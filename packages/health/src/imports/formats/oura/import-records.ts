import { parseDate } from '@salus/kernel/time/instants'
import { type CsvRow, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonItems } from '../../files/json.ts'
import { parseJson } from '../../files/parse-json.ts'
import { readCell } from '../../files/table-numbers.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import {
  convertActivity,
  convertScore,
  convertSleep,
  isFirstGeneration,
} from './oura-first-generation.ts'
import { OURA_TABLES, type OuraTable, plainName } from './oura-tables.ts'

type Fields = Record<string, unknown>

/** A table of its own, or JSON with several lists. */
export type OuraSource =
  | { file: ImportFile; table: OuraTable }
  | { file: ImportFile; lists: readonly OuraTable[] }

/** Records of a table in batches, each in the fields of the vendor's interface. */
type Batches = (table: OuraTable) => AsyncGenerator<unknown[]>

/** More days than a long life has. */
const MOST_DAYS = 60_000
const ROWS_OF_A_BATCH = 2000
/** Sleeps that the person deleted, or marked as rest. */
const NO_SLEEP = new Set<unknown>(['deleted', 'rest'])
/** Lists of the first interface by that of the present one. */
const FIRST_LISTS: Readonly<Record<string, string>> = {
  daily_activity: 'activity',
  daily_readiness: 'readiness',
}

/** Reads all tables. The scores of days come first, because they are parts of sleeps. */
export async function importRecords(
  sources: readonly OuraSource[],
  out: ImportWriter,
): Promise<void> {
  const batches: Batches = (table) => readBatches(sources, table)
  const [scores, readiness] = [new Map<string, Fields>(), new Map<string, Fields>()]
  const firstReadiness = new Map<unknown, Fields>()
  for (const table of OURA_TABLES.filter(({ map }) => map === undefined)) {
    const days = table.list === 'daily_sleep' ? scores : readiness
    await readDays(table, batches(table), out, days, firstReadiness)
  }
  const nights = new Set<string>()
  for (const table of OURA_TABLES) {
    if (table.map === undefined) continue
    for await (const records of batches(table)) {
      const converted = records.map((record) => convert(record, table, firstReadiness, scores))
      mapBatch(table, converted, out, { scores, readiness, nights })
      await out.settle()
    }
  }
  countScores(out, { scores, readiness, nights })
}

/** Reads the scores of days. */
async function readDays(
  table: OuraTable,
  batches: AsyncGenerator<unknown[]>,
  out: ImportWriter,
  days: Map<string, Fields>,
  firstReadiness: Map<unknown, Fields>,
): Promise<void> {
  for await (const records of batches) {
    for (const record of records.filter(isRecord)) {
      const isFirst = isFirstGeneration(record)
      const day = typeof record.day === 'string' ? parseDate(record.day) : undefined
      if (isFirst) firstReadiness.set(record.summary_date, record)
      else if (day !== undefined) days.set(day, record)
      if (isFirst || day !== undefined) continue
      const data = out.type(table.name, table.resource)
      data.count()
      data.quarantine('sleep', 'invalid_date', record)
    }
    if (days.size + firstReadiness.size > MOST_DAYS) throw new ImportFileError('file_too_large')
  }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a record of the first interface, and keeps the score of a sleep as that of its day. */
function convert(
  record: unknown,
  { list }: OuraTable,
  firstReadiness: ReadonlyMap<unknown, Fields>,
  scores: Map<string, Fields>,
): unknown {
  if (!isRecord(record) || !isFirstGeneration(record)) return record
  if (list === 'daily_activity') return convertActivity(record)
  if (list !== 'sleep') return record
  const sleep = convertSleep(record, firstReadiness.get(record.summary_date))
  if (sleep.type === 'long_sleep') scores.set(String(sleep.day), convertScore(record))
  return sleep
}

interface Days {
  scores: ReadonlyMap<string, Fields>
  readiness: ReadonlyMap<string, Fields>
  /** Days of the sleeps that were read. */
  nights: Set<string>
}

function mapBatch(
  { name, resource, list, map }: OuraTable,
  records: readonly unknown[],
  out: ImportWriter,
  { scores, readiness, nights }: Days,
): void {
  const data = out.type(name, resource)
  const isSleep = list === 'sleep'
  const isKept = (record: unknown) => !isSleep || !isRecord(record) || !NO_SLEEP.has(record.type)
  const kept = records.filter(isKept)
  data.count(kept.length)
  for (let left = records.length - kept.length; left > 0; left--) data.countNotSupported()
  const days = isSleep ? kept.filter(isRecord).map(({ day }) => String(day)) : []
  for (const day of days) nights.add(day)
  const of = (known: ReadonlyMap<string, Fields>) => ({
    data: [...new Set(days)].flatMap((day) => known.get(day) ?? []),
  })
  map?.({ data: kept }, data, isSleep ? [of(scores), of(readiness)] : [])
}

/** Counts scores as parts of a night; those of a day without one belong to nothing. */
function countScores(out: ImportWriter, { scores, readiness, nights }: Days): void {
  for (const { name, resource, list, map } of OURA_TABLES) {
    if (map !== undefined) continue
    const data = out.type(name, resource)
    for (const day of (list === 'daily_sleep' ? scores : readiness).keys()) {
      if (nights.has(day)) data.countMerged()
      else data.countNotSupported()
    }
  }
}

async function* readBatches(
  sources: readonly OuraSource[],
  table: OuraTable,
): AsyncGenerator<unknown[]> {
  for (const source of sources) {
    if ('table' in source) {
      if (source.table === table) yield* readTable(source.file, table)
      continue
    }
    for (const list of new Set([table.list, FIRST_LISTS[table.list] ?? table.list])) {
      for await (const items of readJsonItems(source.file, `$.${list}.*`)) {
        for (let from = 0; from < items.length; from += ROWS_OF_A_BATCH) {
          yield items.slice(from, from + ROWS_OF_A_BATCH)
        }
      }
    }
  }
}

async function* readTable(file: ImportFile, table: OuraTable): AsyncGenerator<Fields[]> {
  const { head, batches } = await openCsv(file)
  const index = new Map(head.map((name, at) => [plainName(name), at] as const).reverse())
  for await (const rows of batches()) {
    const records = rows.map((row) => recordOf(row, table, index))
    for (let from = 0; from < records.length; from += ROWS_OF_A_BATCH) {
      yield records.slice(from, from + ROWS_OF_A_BATCH)
    }
  }
}

/** Returns a row as the interface would answer it, with the known columns alone. */
function recordOf(
  row: CsvRow,
  { texts, numbers, json }: OuraTable,
  index: ReadonlyMap<string, number>,
): Fields {
  const cell = (column: string) => row.at(index.get(plainName(column)) ?? -1)
  const record: Fields = {}
  for (const column of texts) record[column] = cell(column) || null
  for (const column of numbers) record[column] = readCell(cell(column))
  for (const column of json) record[column] = readJsonCell(cell(column), column)
  return record
}

function readJsonCell(text: string, column: string): unknown {
  if (text === '') return null
  try {
    const value = parseJson(text)
    // Some exports have the mean alone.
    return column === 'spo2_percentage' && typeof value === 'number' ? { average: value } : value
  } catch {
    return text
  }
}
