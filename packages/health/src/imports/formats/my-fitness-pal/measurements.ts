import { roundMeasured } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import { readDecimal, readNumber } from '../../files/table-numbers.ts'
import type { DateOrder } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'

const WEIGHT_UNITS: Readonly<Record<string, string>> = {
  ...{ kg: 'kg', kgs: 'kg', kilograms: 'kg', lb: 'lb', lbs: 'lb', pounds: 'lb' },
  ...{ st: 'st', stone: 'st' },
}
const LENGTH_UNITS: Readonly<Record<string, string>> = { cm: 'cm', in: 'in', inches: 'in', m: 'm' }
const KILOGRAMS: Readonly<Record<string, number>> = { kg: 1, lb: 0.45359237, st: 6.35029318 }
const CENTIMETRES: Readonly<Record<string, number>> = { cm: 1, in: 2.54, m: 100 }

function unitIn(name: string, units: Readonly<Record<string, string>>): string | undefined {
  const unit = /\(([^)]*)\)/.exec(name)?.[1]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(units, unit) ? units[unit] : undefined
}

interface Columns {
  date: string
  weight: string
  fat: string
  waist: string
}

function columnsOf({ head }: CsvTable): Columns {
  const find = (pattern: RegExp) => head.find((name) => pattern.test(name)) ?? ''
  return {
    ...{ date: find(/^date$/i), weight: find(/^weight/i) },
    ...{ fat: find(/^body fat/i), waist: find(/^waist/i) },
  }
}

/** Whether there are weights without a unit. */
export async function hasUnknownWeight(table: CsvTable): Promise<boolean> {
  const { weight } = columnsOf(table)
  if (weight === '' || unitIn(weight, WEIGHT_UNITS) !== undefined) return false
  for await (const rows of table.batches()) {
    if (rows.some((row) => row.get(weight) !== '')) return true
  }
  return false
}

/** Adds weights, body fat and waists; other circumferences have no series. */
export async function addMeasurements(
  table: CsvTable,
  context: ImportContext & { order: DateOrder },
  out: ImportWriter,
): Promise<void> {
  const columns = columnsOf(table)
  const units = {
    weight: unitIn(columns.weight, WEIGHT_UNITS) ?? context.options.weight_unit ?? '',
    waist: unitIn(columns.waist, LENGTH_UNITS),
  }
  const decimal = table.delimiter === ';' ? ',' : '.'
  const data = out.type('measurements', 'body')
  for await (const rows of table.batches()) {
    for (const row of rows) addMeasurement(data, row, { columns, units, decimal, ...context })
    await out.settle()
  }
}

interface Settings extends ImportContext {
  columns: Columns
  units: { weight: string; waist: string | undefined }
  decimal: '.' | ','
  order: DateOrder
}

function addMeasurement(data: TypeData, row: CsvRow, settings: Settings): void {
  const { columns, units, decimal, order, now } = settings
  const read = (name: string): number | null => {
    const text = name === '' ? '' : row.get(name)
    if (text === '' || text === '--') return null
    const grouped = readNumber(text, decimal)
    return Number.isNaN(grouped) ? readDecimal(text) : grouped
  }
  const known = row.pick([columns.date, columns.weight, columns.fat].filter((name) => name !== ''))
  // A weight of 0 is none.
  const weight = read(columns.weight) || null
  const [fat, waist] = [read(columns.fat), units.waist === undefined ? null : read(columns.waist)]
  if (weight === null && fat === null && waist === null) {
    data.countNotSupported()
    return
  }
  data.count()
  const date = readLocalDate(row.get(columns.date), order)?.slice(0, 10)
  if (date === undefined || !isPossibleTime(startOfUtcDay(date), now)) {
    data.quarantine('body', 'invalid_date', known)
    return
  }
  // A value of a day stands at noon UTC, which is that day nearly everywhere.
  const start = { at: startOfUtcDay(date) + 12 * HOUR_MS, offset: null }
  const frame = { start, sourceType: 'app' } as const
  const before = data.quarantined.length
  if (weight !== null) {
    data.addSample('body_weight', { ...frame, value: weight, unit: units.weight }, known)
  }
  if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' }, known)
  if (waist !== null) {
    const sample = { ...frame, value: waist, unit: units.waist as string }
    data.addSample('waist_circumference', sample, known)
  }
  if (data.quarantined.length > before) return
  data.addSummary('body', {
    ...frame,
    recordId: date,
    calendarDate: date,
    values: {
      weight_kilogram:
        weight === null ? null : roundMeasured(weight * (KILOGRAMS[units.weight] as number)),
      fat_mass_percentage: fat,
      waist_circumference_centimeter:
        waist === null
          ? null
          : roundMeasured(waist * (CENTIMETRES[units.waist as string] as number)),
    },
    raw: known,
  })
}
