import { series as seriesOf } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { readInstant, type VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { readNumber } from '../../files/table-numbers.ts'
import { FLOATING } from '../../import-options.ts'
import { createLocalClock } from '../../running/local-clock.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { CsvTemplate, CsvValue } from './csv-template.schema.ts'
import { columnsOfValue } from './csv-template.ts'

/** Where the data of a row go; an import writer, or a collector of a preview. */
export interface RowTarget {
  type(type: string, resource: string | null): TypeData
}

/** A time of a row; a day is one without a clock. */
interface RowTime {
  at: VendorInstant
  /** Local date, where the row has no clock. */
  day: string | undefined
}

const UNITS = { s: 1000, min: MINUTE_MS, h: HOUR_MS } as const
const OFFSET = /^(.*\d)\s*(Z|[+-]\d{2}:?\d{2})$/i

/** Maps rows of a table by a template. */
export class CsvRows {
  readonly #template: CsvTemplate
  readonly #zone: string | undefined
  readonly #now: Date
  readonly #clock: ReturnType<typeof createLocalClock>
  #before: VendorInstant | undefined

  /** @param zone Zone of local times where the template names none. */
  constructor(template: CsvTemplate, { zone, now }: { zone: string | undefined; now: Date }) {
    this.#template = template
    this.#zone = template.time_zone ?? zone
    this.#clock = createLocalClock(this.#zone)
    this.#now = now
  }

  add(row: CsvRow, target: RowTarget): void {
    const values = this.#template.values.filter((value) => isMeant(row, value))
    // Rows of several series share their times.
    const start = values.length === 0 ? undefined : this.#timeOf(row, this.#template.start)
    const end = start && this.#endOf(row, start)
    for (const value of values) {
      const data = target.type(value.series, value.series)
      data.count()
      const known = row.pick([this.#template.start.column, ...columnsOfValue(value)])
      if (start === undefined) data.quarantine(value.series, 'invalid_start_date', known)
      else if (end === null) data.quarantine(value.series, 'invalid_end_date', known)
      else this.#addValue(row, { value, data, known, ...this.#spanOf(value, start, end) })
    }
  }

  /** Returns the time of cells; undefined where it is invalid. */
  #timeOf(row: CsvRow, { column, time_column }: CsvTemplate['start']): RowTime | undefined {
    const { date_format: format } = this.#template
    const clock = time_column === undefined ? '' : ` ${row.get(time_column)}`
    const text = `${row.get(column)}${clock}`.trim()
    if (format === 'epoch_seconds' || format === 'epoch_milliseconds') {
      if (!/^\d{1,16}(\.\d+)?$/.test(text)) return undefined
      const at = Number(text) * (format === 'epoch_seconds' ? 1000 : 1)
      return this.#checked({ at, offset: this.#offsetAt(at) }, undefined)
    }
    // The year of `01-03-2026` is no offset.
    const parts = readLocalDate(text, format) === undefined ? OFFSET.exec(text) : null
    const local = readLocalDate(parts?.[1] ?? text, format)
    if (local === undefined) return undefined
    const hasClock = local.includes('T')
    if (parts !== null) {
      const offset = parts[2] as string
      const normal = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset
      return hasClock ? this.#checked(readInstant(`${local}${normal}`), undefined) : undefined
    }
    if (!hasClock) return this.#checked(this.#clock.local(`${local}T00:00:00`), local)
    const time = this.#checked(this.#clock.local(local, this.#before), undefined)
    this.#before = time?.at
    return time
  }

  #checked(at: VendorInstant | undefined, day: string | undefined): RowTime | undefined {
    return at !== undefined && isPossibleTime(at.at, this.#now) ? { at, day } : undefined
  }

  #offsetAt(at: number): number | null {
    if (this.#zone === undefined || this.#zone === FLOATING) return null
    return Number.isFinite(at) ? zoneOffsetSeconds(this.#zone, at) : null
  }

  /** Returns the end of a row; undefined where it has none, null where it is invalid. */
  #endOf(row: CsvRow, start: RowTime): RowTime | undefined | null {
    const { end, duration, decimal = '.' } = this.#template
    if (duration !== undefined) {
      const text = row.get(duration.column)
      if (text === '') return undefined
      const amount = readNumber(text, decimal) * UNITS[duration.unit]
      if (!(amount >= 0 && amount <= 366 * DAY_MS)) return null
      const at = start.at.at + amount
      return { at: { at, offset: this.#offsetAt(at) ?? start.at.offset }, day: undefined }
    }
    if (end === undefined || row.get(end.column) === '') return undefined
    return this.#timeOf(row, end) ?? null
  }

  /**
   * Returns the time of a value. A sum of a day lasts all of it; another value of a day stands at
   * noon UTC, which is that day nearly everywhere.
   */
  #spanOf({ series }: CsvValue, start: RowTime, end: RowTime | undefined) {
    const { day } = start
    const isInterval = seriesOf(series).shape === 'interval'
    if (day === undefined || (end !== undefined && isInterval)) {
      return { start: start.at, ...(end !== undefined && { end: end.at }) }
    }
    const isText = seriesOf(series).valueKind === 'text'
    if (!isInterval || isText) {
      return { start: { at: startOfUtcDay(day) + 12 * HOUR_MS, offset: null } }
    }
    const next = new Date(startOfUtcDay(day) + DAY_MS).toISOString().slice(0, 10)
    const midnight = this.#clock.local(`${next}T00:00:00`) ?? start.at
    return { start: start.at, end: midnight }
  }

  #addValue(
    row: CsvRow,
    {
      value,
      data,
      known,
      ...times
    }: {
      value: CsvValue
      data: TypeData
      known: unknown
      start: VendorInstant
      end?: VendorInstant
    },
  ): void {
    const {
      decimal = '.',
      source_type: sourceType = 'unknown',
      app_id: appId = 'csv',
    } = this.#template
    const frame = { ...times, sourceType, appId }
    const text = value.column === undefined ? '' : row.get(value.column)
    if (seriesOf(value.series).valueKind === 'text') {
      data.addNote({ ...frame, text }, known)
      return
    }
    const unit = textOf(row, value.unit, value.unit_column, value.units)
    const number = value.constant ?? readNumber(text, decimal)
    if (value.diastolic_column !== undefined) {
      const diastolic = readNumber(row.get(value.diastolic_column), decimal)
      data.addBloodPressure({ ...frame, systolic: number, diastolic, unit }, known)
      return
    }
    const type = textOf(row, value.type, value.type_column, value.types)
    data.addSample(
      value.series,
      { ...frame, value: number, unit, ...(type !== '' && { type }) },
      known,
    )
  }
}

/** Whether a row has a value: its condition is met, and its cell is not empty. */
function isMeant(row: CsvRow, { column, when }: CsvValue): boolean {
  if (when !== undefined && !when.equals.includes(row.get(when.column))) return false
  return column === undefined || row.get(column) !== ''
}

/** Returns a constant text, or that of a cell, by its name in the template where it has one. */
function textOf(
  row: CsvRow,
  constant: string | undefined,
  column: string | undefined,
  names: Readonly<Record<string, string>> | undefined,
): string {
  if (column === undefined) return constant ?? ''
  const text = row.get(column)
  return names !== undefined && Object.hasOwn(names, text) ? (names[text] as string) : text
}
