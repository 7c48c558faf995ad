import { findSeries } from '@salus/contracts/series'
import { readInstant, toPayloadLines } from '../../../connectors/index.ts'
import { type CsvRow, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readNumber } from '../../files/table-numbers.ts'
import { NO_LOCAL_TIME_COUNTS } from '../../imports.schema.ts'
import { ImportCounts } from '../../running/import-counts.ts'
import { addEvidence, noEvidence, orderOf, readLocalDate } from '../../running/local-dates.ts'
import { TypeData } from '../../running/type-data.ts'
import { openTable } from './csv.format.ts'
import { CsvRows } from './csv-rows.ts'
import type { CsvColumn, CsvPreview, CsvTemplate } from './csv-template.schema.ts'
import { problemOf } from './csv-template.ts'

const MOST_ROWS = 20
/** Rows by which kinds of columns are guessed. */
const MOST_GUESSED = 200
const MOST_CELL = 200
const OWNER = { userId: '00000000-0000-4000-8000-000000000000', provider: 'manual' }

/** Names of columns, in the languages in which their terms are alike, and their series. */
const SUGGESTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bsteps?\b|step count/i, 'steps'],
  [/resting heart rate/i, ''],
  [/heart ?rate|\bpulse?\b|\bhr\b|\bbpm\b/i, 'heartrate'],
  [/glucose|blood sugar|\bbg\b/i, 'glucose'],
  [/body fat|\bfat\b.*%/i, 'body_fat'],
  [/lean (body )?mass/i, 'lean_body_mass'],
  [/weight/i, 'body_weight'],
  [/\bbmi\b|body mass index/i, 'body_mass_index'],
  [/waist/i, 'waist_circumference'],
  [/spo2|oxygen/i, 'blood_oxygen'],
  [/\bhrv\b|rmssd/i, 'hrv'],
  [/respirat|breath/i, 'respiratory_rate'],
  [/temperature/i, 'body_temperature'],
  [/systolic|\bsys\b/i, 'blood_pressure'],
  [/distance/i, 'distance'],
  [/active (energy|calories)/i, 'calories_active'],
  [/floors|flights/i, 'floors_climbed'],
  [/water/i, 'water'],
  [/caffeine/i, 'caffeine'],
  [/carb/i, 'carbohydrates'],
  [/insulin/i, 'insulin_injection'],
  [/vo2/i, 'vo2_max'],
  [/^notes?$|comment/i, 'note'],
]

/** A file in memory. */
function memoryFile(content: Buffer): ImportFile {
  return {
    ...{ path: '', name: '', bytes: content.length, writtenAt: null },
    async *chunks() {
      yield content
    },
    opening: () => Promise.resolve(content.subarray(0, 1 << 16)),
    content: () => Promise.resolve(content),
    localPath: () => Promise.reject(new Error('A preview has no file.')),
  }
}

/**
 * Shows the beginning of a table: its columns with what they may be, its first rows, and what they
 * become by a template. Suggestions are only shown, and never applied.
 * @param content The first bytes of the file; the last row may be cut.
 * @throws ImportFileError for content that is no table, or without the columns of the template
 */
export async function previewCsv(
  content: Buffer,
  { template, zone, now }: { template?: CsvTemplate; zone?: string | undefined; now: Date },
): Promise<CsvPreview> {
  const file = memoryFile(content)
  const delimiter = template?.delimiter !== undefined && { delimiter: template.delimiter }
  const hasHead = template?.has_head ?? (await looksLikeHead(file))
  const table =
    template === undefined ? await openCsv(file, { hasHead }) : await openTable(file, template)
  const rows: CsvRow[] = []
  for await (const batch of table.batches()) {
    rows.push(...batch)
    if (rows.length >= MOST_GUESSED) break
  }
  return {
    delimiter: (delimiter || table).delimiter,
    has_head: hasHead,
    columns: table.head.map((name, index) => guessColumn(name, index, rows)),
    rows: rows
      .slice(0, MOST_ROWS)
      .map(({ cells }) => cells.map((cell) => cell.slice(0, MOST_CELL))),
    results: template === undefined ? null : resultsOf(rows, template, { zone, now }),
  }
}

function resultsOf(
  rows: readonly CsvRow[],
  template: CsvTemplate,
  settings: { zone: string | undefined; now: Date },
): CsvPreview['results'] {
  const found = problemOf(template)
  if (found !== undefined) {
    throw new ImportFileError('invalid_template', { hint: `${found.field}: ${found.problem}` })
  }
  const mapper = new CsvRows(template, settings)
  return rows.slice(0, MOST_ROWS).map((row, index) => {
    const types = new Map<string, TypeData>()
    mapper.add(row, {
      type(type, resource) {
        const counts = new ImportCounts({ ...NO_LOCAL_TIME_COUNTS })
        const data =
          types.get(type) ?? new TypeData(OWNER, { type, resource }, counts, settings.now)
        types.set(type, data)
        return data
      },
    })
    const becomes = [...types.values()].flatMap((data) =>
      toPayloadLines(data.takeArrivedData(), [], OWNER),
    )
    return { row: index, becomes }
  })
}

/** Whether the first row has texts only, and a later one has a number or a date. */
async function looksLikeHead(file: ImportFile): Promise<boolean> {
  const table = await openCsv(file, { hasHead: false })
  for await (const [first, ...others] of table.batches()) {
    if (first === undefined) continue
    const isData = (cell: string) => /\d/.test(cell) && kindOf([cell.trim()]) !== 'text'
    return (
      !first.cells.some(isData) &&
      (others.length === 0 || others.some(({ cells }) => cells.some(isData)))
    )
  }
  return false
}

function guessColumn(name: string, index: number, rows: readonly CsvRow[]): CsvColumn {
  const cells = rows
    .slice(0, MOST_GUESSED)
    .map((row) => row.at(index))
    .filter((cell) => cell !== '')
  const kind = kindOf(cells)
  const isDate = kind === 'date' || kind === 'date_time'
  const isNumber = kind === 'number'
  return {
    name: name.slice(0, MOST_CELL),
    kind,
    date_orders: isDate ? ordersOf(cells) : [],
    decimals: isNumber ? (['.', ','] as const).filter((decimal) => areNumbers(cells, decimal)) : [],
    suggestion: isNumber || kind === 'text' ? suggestionFor(name) : null,
  }
}

const areNumbers = (cells: readonly string[], decimal: '.' | ','): boolean =>
  cells.every((cell) => !Number.isNaN(readNumber(cell, decimal)))

const ORDERS = ['year_first', 'day_first', 'month_first'] as const
const SECONDS = /^1\d{9}(\.\d+)?$/
const MILLISECONDS = /^1\d{12}$/
const CLOCK = /^\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?$/i

function kindOf(cells: readonly string[]): CsvColumn['kind'] {
  if (cells.length === 0) return 'empty'
  const all = (test: (cell: string) => boolean) => cells.every(test)
  const locals = ORDERS.map((order) => cells.map((cell) => readLocalDate(cell, order)))
  const read = locals.find((texts) => texts.every((text) => text !== undefined))
  if (read !== undefined) return read.every((text) => text?.includes('T')) ? 'date_time' : 'date'
  if (all((cell) => readInstant(cell.replace(' ', 'T')) !== undefined)) return 'instant'
  if (all((cell) => CLOCK.test(cell))) return 'time'
  if (all((cell) => SECONDS.test(cell))) return 'epoch_seconds'
  if (all((cell) => MILLISECONDS.test(cell))) return 'epoch_milliseconds'
  return areNumbers(cells, '.') || areNumbers(cells, ',') ? 'number' : 'text'
}

/** Returns the order that the dates prove, or both where they prove none. */
function ordersOf(cells: readonly string[]): string[] {
  const evidence = noEvidence()
  for (const cell of cells) addEvidence(evidence, cell)
  const order = orderOf(evidence)
  if (order === null) return []
  return order === undefined ? ['day_first', 'month_first'] : [order]
}

function suggestionFor(name: string): CsvColumn['suggestion'] {
  const [, found = ''] = SUGGESTIONS.find(([pattern]) => pattern.test(name)) ?? []
  const series = findSeries(found)
  if (series === undefined) return null
  if (series.valueKind === 'text') return { series: series.name, unit: series.unit }
  const words = [
    /[([]([^)\]]+)[)\]]/.exec(name)?.[1]?.trim(),
    ...name.split(/[\s_,()[\]]+/).reverse(),
  ]
  const unit = words.find(
    (word) => word !== undefined && word !== '' && Object.hasOwn(series.units, word),
  )
  return { series: series.name, unit: unit ?? null }
}
