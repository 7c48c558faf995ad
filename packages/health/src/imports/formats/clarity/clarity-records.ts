import { DAY_MS } from '@salus/contracts/time-units'
import {
  DEXCOM_EXERCISE,
  DEXCOM_FINGER,
  DEXCOM_HEALTH,
  DEXCOM_INSULIN,
  type VendorInstant,
} from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { readDecimal } from '../../files/table-numbers.ts'
import type { DateOrder } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { LocalClock } from '../import-format.ts'
import type { ClarityColumn, ClarityColumns, GlucoseUnit } from './clarity-columns.ts'

/** What a sensor can measure, both ends included; beyond are Low and High. */
const SENSOR = { 'mg/dL': [40, 400], 'mmol/L': [2.2, 22.2] } as const
/**
 * Readings after which those before them no longer wait for the same one of another device. Rows
 * are in the order of time, so both are near each other.
 */
const READINGS_OF_A_GENERATION = 30_000
/** Rows about the person and about settings, which are no records. */
const NO_RECORDS = new Set(['firstname', 'lastname', 'dateofbirth', 'device'])

interface Settings {
  columns: ClarityColumns
  unit: GlucoseUnit
  order: DateOrder
  clock: LocalClock
  now: Date
  /** Whether readings come from several devices, which may have the same ones. */
  hasSeveralDevices: boolean
}

interface Reading {
  start: VendorInstant
  device: string
  value: number
  row: CsvRow
}

/** Maps the rows of a table of Clarity. */
export class ClarityRecords {
  readonly #out: ImportWriter
  readonly #settings: Settings
  /** Readings that wait, by what all devices have in common, and the older ones of them. */
  #waiting = new Map<string, Reading>()
  #olderWaiting = new Map<string, Reading>()
  /** The reading before, of each device: it places the hour that occurs twice. */
  readonly #before = new Map<string, VendorInstant>()

  constructor(out: ImportWriter, settings: Settings) {
    this.#out = out
    this.#settings = settings
  }

  add(row: CsvRow): void {
    const type = this.#cell(row, 'type').toLowerCase()
    if (NO_RECORDS.has(type)) return
    if (type === 'egv') this.#addReading(row)
    else if (type === 'calibration' || type === 'blood glucose') this.#addMeterValue(row)
    else if (type === 'insulin') this.#addInsulin(row)
    else if (type === 'carbs') this.#addCarbs(row)
    else if (type === 'exercise' || type === 'health') this.#addEvent(row, type)
    else if (type === 'notes' || type === 'note') this.#addNote(row)
    else this.#out.type(type === 'alert' ? 'alert' : 'other', null).countNotSupported()
  }

  /** Adds the readings that wait for others. */
  finish(): void {
    this.#storeOlder()
    this.#storeOlder()
  }

  #cell(row: CsvRow, column: ClarityColumn): string {
    return row.at(this.#settings.columns[column])
  }

  /** Returns the cells of a row that may be quarantined: none that names a person. */
  #known(row: CsvRow, columns: readonly ClarityColumn[]): Record<string, string> {
    const names: ClarityColumn[] = ['time', 'type', ...columns]
    return Object.fromEntries(names.map((column) => [column, this.#cell(row, column)]))
  }

  /** Returns the instant of a row, or quarantines it. */
  #start(
    row: CsvRow,
    data: TypeData,
    resource: string,
    known: Record<string, string> | (() => Record<string, string>),
  ): VendorInstant | undefined {
    const { clock, order, now } = this.#settings
    const text = readLocalDate(this.#cell(row, 'time'), order)
    const device = this.#cell(row, 'device')
    const start = text?.includes('T') ? clock.local(text, this.#before.get(device)) : undefined
    if (start !== undefined && isPossibleTime(start.at, now)) {
      this.#before.set(device, start)
      return start
    }
    data.quarantine(resource, 'invalid_start_date', known)
    return undefined
  }

  #addReading(row: CsvRow): void {
    const data = this.#out.type('EGV', 'glucose')
    data.count()
    const known = () => this.#known(row, ['glucose'])
    const start = this.#start(row, data, 'glucose', known)
    if (start === undefined) return
    const text = this.#cell(row, 'glucose')
    const value = readDecimal(text)
    const [least, most] = SENSOR[this.#settings.unit]
    if (value < least || value > most || /^(low|high)$/i.test(text)) {
      data.quarantine('glucose', 'out_of_range', known)
      return
    }
    const device = this.#cell(row, 'device')
    const reading = { start, device, value, row }
    const key = this.#keyOf(row)
    if (key === undefined || Number.isNaN(value)) this.#store(reading, device)
    else if (!this.#settings.hasSeveralDevices) this.#store(reading, '')
    else this.#wait(key, reading)
  }

  /** Returns what the readings of several devices have in common; undefined where it is unknown. */
  #keyOf(row: CsvRow): string | undefined {
    const [transmitter, time] = [this.#cell(row, 'transmitter'), this.#cell(row, 'transmitterTime')]
    return transmitter !== '' && /^[1-9]\d*$/.test(time) ? `${transmitter} ${time}` : undefined
  }

  #wait(key: string, reading: Reading): void {
    const waiting = this.#waiting.has(key) ? this.#waiting : this.#olderWaiting
    const other = waiting.get(key)
    // Numbers of transmitters, and their times, begin anew with a sensor.
    const isOfOther = other !== undefined && other.device !== reading.device
    if (isOfOther && Math.abs(other.start.at - reading.start.at) < DAY_MS) {
      this.#out.type('EGV', 'glucose').countAsMerged()
      if (isBetter(reading, other)) waiting.set(key, reading)
      return
    }
    if (other !== undefined) {
      this.#store(other, '')
      waiting.delete(key)
    }
    this.#waiting.set(key, reading)
    if (this.#waiting.size >= READINGS_OF_A_GENERATION) this.#storeOlder()
  }

  #storeOlder(): void {
    for (const reading of this.#olderWaiting.values()) this.#store(reading, '')
    this.#olderWaiting = this.#waiting
    this.#waiting = new Map()
  }

  #store({ start, value, row }: Reading, appId: string): void {
    const frame = { start, appId, sourceType: 'automatic', type: 'automatic' } as const
    const { unit } = this.#settings
    const known = () => this.#known(row, ['glucose'])
    this.#out.type('EGV', 'glucose').addSample('glucose', { ...frame, value, unit }, known)
  }

  #addMeterValue(row: CsvRow): void {
    const data = this.#out.type('calibration', 'glucose')
    data.count()
    const known = this.#known(row, ['glucose'])
    const start = this.#start(row, data, 'glucose', known)
    if (start === undefined) return
    const value = readDecimal(this.#cell(row, 'glucose'))
    // No meter reports 0.
    if (value === 0) data.quarantine('glucose', 'out_of_range', known)
    else
      data.addSample(
        'glucose',
        { ...DEXCOM_FINGER, start, value, unit: this.#settings.unit },
        known,
      )
  }

  #addInsulin(row: CsvRow): void {
    const data = this.#out.type('insulin', 'insulin_injection')
    data.count()
    const known = this.#known(row, ['subtype', 'insulin'])
    const start = this.#start(row, data, 'insulin_injection', known)
    if (start === undefined) return
    const subtype = this.#cell(row, 'subtype')
    const type = ownOf(DEXCOM_INSULIN, nameOf(subtype)) ?? (subtype === '' ? '' : 'unknown')
    const value = readDecimal(this.#cell(row, 'insulin'))
    data.addSample('insulin_injection', { ...ENTRY, start, value, unit: 'unit', type }, known)
  }

  #addCarbs(row: CsvRow): void {
    const data = this.#out.type('carbs', 'carbohydrates')
    data.count()
    const known = this.#known(row, ['carbs'])
    const start = this.#start(row, data, 'carbohydrates', known)
    if (start === undefined) return
    const value = readDecimal(this.#cell(row, 'carbs'))
    data.addSample('carbohydrates', { ...ENTRY, start, value, unit: 'g' }, known)
  }

  #addEvent(row: CsvRow, type: 'exercise' | 'health'): void {
    const data = this.#out.type(type, 'note')
    data.count()
    const known = this.#known(row, ['subtype', 'duration'])
    const start = this.#start(row, data, 'note', known)
    if (start === undefined) return
    const subtype = nameOf(this.#cell(row, 'subtype'))
    if (type === 'health') {
      const text = ownOf(DEXCOM_HEALTH, subtype)
      if (text === undefined) data.quarantine('note', 'unknown_type', known)
      else data.addNote({ ...ENTRY, start, text, tags: ['unspecified'] }, known)
      return
    }
    const name = subtype === '' ? 'Exercise' : ownOf(DEXCOM_EXERCISE, subtype)
    if (name === undefined) {
      data.quarantine('note', 'unknown_type', known)
      return
    }
    const minutes = minutesOf(this.#cell(row, 'duration'))
    const text = minutes === undefined ? name : `${name}, ${minutes} minutes`
    data.addNote({ ...ENTRY, start, text, tags: ['exercise'] }, known)
  }

  #addNote(row: CsvRow): void {
    const data = this.#out.type('note', 'note')
    const text = this.#cell(row, 'subtype') || this.#cell(row, 'info')
    if (text === '') {
      data.countNotSupported()
      return
    }
    data.count()
    const known = this.#known(row, [])
    const start = this.#start(row, data, 'note', known)
    if (start !== undefined) {
      data.addNote({ ...ENTRY, start, text, tags: ['unspecified'] }, known)
    }
  }
}

/** Entries of people have the source of those of the cloud connection. */
const ENTRY = { sourceType: 'app' } as const

/** Cells may have any text, such as `constructor`. */
const ownOf = <Value>(names: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

/** `Fast-Acting` and `High Symptoms` are `fastActing` and `highSymptoms` in the vendor's API. */
const nameOf = (text: string): string => {
  const words = text.toLowerCase().split(/[\s-]+/)
  return words.map((word, index) => (index === 0 ? word : capitalize(word))).join('')
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function minutesOf(duration: string): number | undefined {
  const parts = /^(\d{1,3}):(\d{2}):(\d{2})$/.exec(duration)
  if (parts === null) return undefined
  const minutes = Number(parts[1]) * 60 + Number(parts[2]) + Math.round(Number(parts[3]) / 60)
  return minutes > 0 ? minutes : undefined
}

/** Of one reading that several devices have, that of a phone counts, which knows the zone. */
function isBetter(reading: Reading, other: Reading): boolean {
  const [rank, otherRank] = [rankOf(reading), rankOf(other)]
  return rank === otherRank ? reading.device < other.device : rank > otherRank
}

const rankOf = ({ device }: Reading): number => {
  if (/iphone|ios|ipad/i.test(device)) return 2
  return /android|phone/i.test(device) ? 1 : 0
}
