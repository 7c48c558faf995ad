import type { SourceType } from '@salus/contracts/series'
import type { VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { readDecimal } from '../../files/table-numbers.ts'
import type { DateOrder } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { LocalClock } from '../import-format.ts'
import {
  cellOf,
  type GlucoseUnit,
  type LibreColumn,
  type LibreColumns,
} from './libreview-columns.ts'

type ReadingColumn = 'historic' | 'scan' | 'strip'

/** What a sensor or a meter can measure, both ends included; beyond are LO and HI. */
const SENSOR = { 'mg/dL': [40, 500], 'mmol/L': [2.2, 27.8] } as const
const METER = { 'mg/dL': [20, 500], 'mmol/L': [1.1, 27.8] } as const

interface ReadingKind {
  readonly name: string
  readonly column: ReadingColumn
  readonly sourceType: SourceType
  readonly limits: Readonly<Record<GlucoseUnit, readonly [number, number]>>
}

/** Record types of readings, by their number. */
const READINGS: Readonly<Record<string, ReadingKind>> = {
  0: { name: 'historic glucose', column: 'historic', sourceType: 'automatic', limits: SENSOR },
  1: { name: 'scan glucose', column: 'scan', sourceType: 'manual_scan', limits: SENSOR },
  2: { name: 'strip glucose', column: 'strip', sourceType: 'fingerprick', limits: METER },
}
const [KETONE, INSULIN, FOOD, NOTE] = ['3', '4', '5', '6']

interface Settings {
  columns: LibreColumns
  order: DateOrder
  clock: LocalClock
  now: Date
}

/** Maps the rows of a table of LibreView. */
export class LibreRecords {
  readonly #out: ImportWriter
  readonly #settings: Settings
  /** The reading before, of each device and type: it places the hour that occurs twice. */
  readonly #before = new Map<string, VendorInstant>()

  constructor(out: ImportWriter, settings: Settings) {
    this.#out = out
    this.#settings = settings
  }

  add(row: CsvRow): void {
    const type = this.#cell(row, 'type')
    const reading = Object.hasOwn(READINGS, type) ? READINGS[type] : undefined
    if (reading !== undefined) this.#addReading(row, reading)
    else if (type === INSULIN) this.#addInsulin(row)
    else if (type === FOOD) this.#addFood(row)
    else if (type === NOTE) this.#addNote(row)
    else this.#out.type(type === KETONE ? 'ketone' : 'other', null).countNotSupported()
  }

  #cell(row: CsvRow, column: LibreColumn): string {
    return cellOf(row, this.#settings.columns, column)
  }

  /** Returns the cells of a row that may be quarantined: none that a person wrote. */
  #known(row: CsvRow, columns: readonly LibreColumn[]): Record<string, string> {
    const names: LibreColumn[] = ['time', 'type', ...columns]
    return Object.fromEntries(names.map((column) => [column, this.#cell(row, column)]))
  }

  /** Returns the instant of a row, or quarantines it. */
  #start(
    row: CsvRow,
    data: TypeData,
    [resource, column]: readonly [resource: string, column: LibreColumn],
    key?: string,
  ): VendorInstant | undefined {
    const { clock, order, now } = this.#settings
    const text = readLocalDate(this.#cell(row, 'time'), order)
    const before = key === undefined ? undefined : this.#before.get(key)
    const start = text?.includes('T') ? clock.local(text, before) : undefined
    if (start !== undefined && isPossibleTime(start.at, now)) {
      if (key !== undefined) this.#before.set(key, start)
      return start
    }
    data.quarantine(resource, 'invalid_start_date', this.#known(row, [column]))
    return undefined
  }

  #addReading(row: CsvRow, { name, column, sourceType, limits }: ReadingKind): void {
    const data = this.#out.type(name, 'glucose')
    data.count()
    const unit = this.#settings.columns.units[column]
    const serial = this.#cell(row, 'serial')
    const start = this.#start(row, data, ['glucose', column], JSON.stringify([serial, column]))
    if (start === undefined) return
    const text = this.#cell(row, column)
    const value = readDecimal(text)
    const [least, most] = limits[unit]
    const isPinned = value < least || value > most || /^(lo|hi)w?(gh)?$/i.test(text)
    if (isPinned) data.quarantine('glucose', 'out_of_range', this.#known(row, [column]))
    else {
      const frame = { start, sourceType, type: sourceType, appId: serial }
      data.addSample('glucose', { ...frame, value, unit }, this.#known(row, [column]))
    }
  }

  #addInsulin(row: CsvRow): void {
    const data = this.#out.type('insulin', 'insulin_injection')
    const doses = [
      ['rapid', 'rapid_acting'],
      ['long', 'long_acting'],
    ] as const
    const given = doses.filter(([column]) => this.#cell(row, column) !== '')
    // Doses without a number have only a flag. Those of pumps are parts of the rapid dose.
    if (given.length === 0) data.countNotSupported()
    for (const [column, type] of given) {
      data.count()
      const start = this.#start(row, data, ['insulin_injection', column])
      if (start === undefined) continue
      const value = readDecimal(this.#cell(row, column))
      const sample = { ...ENTRY, start, value, unit: 'unit', type }
      data.addSample('insulin_injection', sample, this.#known(row, [column]))
    }
  }

  #addFood(row: CsvRow): void {
    const data = this.#out.type('food', 'carbohydrates')
    const text = this.#cell(row, 'carbs')
    if (text === '') {
      data.countNotSupported()
      return
    }
    data.count()
    const start = this.#start(row, data, ['carbohydrates', 'carbs'])
    if (start === undefined) return
    const sample = { ...ENTRY, start, value: readDecimal(text), unit: 'g' }
    data.addSample('carbohydrates', sample, this.#known(row, ['carbs']))
  }

  #addNote(row: CsvRow): void {
    const data = this.#out.type('note', 'note')
    const text = this.#cell(row, 'notes')
    // A change of the reader's clock is a row of this type without a text.
    if (text === '') {
      data.countNotSupported()
      return
    }
    data.count()
    const start = this.#start(row, data, ['note', 'type'])
    if (start === undefined) return
    data.addNote({ ...ENTRY, start, text }, this.#known(row, []))
  }
}

/** Entries of people, which every device of the account has. */
const ENTRY = { sourceType: 'app' } as const
