import { DAY_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { VendorInstant } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonItems } from '../../files/json.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import type { GarminDays } from './garmin-days.ts'
import type { GarminMember } from './garmin-members.ts'
import type { GarminSleeps, NightMetrics } from './garmin-sleeps.ts'
import { dateIn, type Fields, offsetBetween, pickFields, readGmt } from './garmin-values.ts'

const WATCH = { sourceType: 'watch' } as const
const [LEAST_KILOGRAMS, MOST_KILOGRAMS, GRAMS] = [20, 400, 1000]

interface Nights {
  sleeps: GarminSleeps
  days: GarminDays
  /** Receives what belongs to the sleeps themselves, by date. */
  metrics: Map<string, NightMetrics>
}

/**
 * Reads the metrics of nights: variability and saturation become a value at the end of the night,
 * of which they are the mean.
 */
export async function addHealthStatus(
  { file }: GarminMember,
  data: TypeData,
  nights: Nights,
): Promise<void> {
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      const { calendarDate, metrics: list }: Fields = isFields(item) ? item : {}
      const date = dateIn(calendarDate)
      for (const metric of Array.isArray(list) ? list.filter(isFields) : []) {
        const { type, value } = metric
        if (date === undefined || typeof value !== 'number' || !(value > 0)) {
          data.countNotSupported()
        } else addMetric(data, nights, { date, type, value })
      }
    }
  }
}

function addMetric(
  data: TypeData,
  { sleeps, days, metrics }: Nights,
  { date, type, value }: { date: string; type: unknown; value: number },
): void {
  const night = metrics.get(date) ?? {}
  metrics.set(date, night)
  const raw = { date, type: String(type).slice(0, 20), value }
  const at = sleeps.wakeTimeOf(date)
  if (type === 'RESPIRATION') {
    night.respiration = value
    data.countMerged()
  } else if (at === undefined || (type !== 'HRV' && type !== 'SPO2')) data.countNotSupported()
  else {
    const start: VendorInstant = { at, offset: days.offsetOf(date) }
    data.count()
    if (type === 'SPO2') {
      data.addSample('blood_oxygen', { ...WATCH, start, value, unit: '%' }, raw)
      return
    }
    if (value <= 1000) night.variability = value
    const extra = { method: 'rmssd' }
    data.addSample('hrv', { ...WATCH, start, value, unit: 'ms', extra }, raw)
  }
}

/** Adds the oxygen uptake of days; that of cycling where there is none of running. */
export async function addOxygenUptakes(
  members: readonly GarminMember[],
  data: TypeData,
  { now }: ImportContext,
): Promise<void> {
  const days = new Map<string, { value: number; isRunning: boolean }>()
  for (const { file } of members) {
    for await (const items of readJsonItems(file, '$.*')) {
      for (const item of items) {
        const { calendarDate, sport, vo2MaxValue: value }: Fields = isFields(item) ? item : {}
        const date = dateIn(calendarDate)
        const isRunning = sport === 'RUNNING'
        if (typeof value !== 'number' || value <= 0) data.countNotSupported()
        else if (date === undefined || !isPossibleTime(startOfUtcDay(date), now)) {
          data.count()
          data.quarantine('vo2_max', 'invalid_date', { calendarDate, value })
        } else {
          const known = days.get(date)
          if (known !== undefined) data.countMerged()
          if (isRunning || !known?.isRunning) days.set(date, { value, isRunning })
        }
      }
    }
  }
  for (const [date, { value }] of days) {
    data.count()
    // As by the connector: a day without a time is placed at noon UTC.
    const start = { at: startOfUtcDay(date) + DAY_MS / 2, offset: null }
    data.addSample('vo2_max', { ...WATCH, start, value, unit: 'mL/kg/min' })
  }
}

/** Whether a weight of a file has its time in local time only. */
export async function hasLocalWeight(file: ImportFile): Promise<boolean> {
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items.filter(isFields)) {
      const { weight, metaData } = item
      const { weight: value, timestampGMT }: Fields = isFields(weight) ? weight : { weight }
      const local = isFields(metaData) ? metaData.calendarDate : item.calendarDate
      const isTimed = typeof local === 'string' && local.length > 10
      if (typeof value === 'number' && timestampGMT === undefined && isTimed) return true
    }
  }
  return false
}

/** Adds weights, in grams or, as in some records, in kilograms. */
export async function addBioMetrics(
  { file }: GarminMember,
  data: TypeData,
  { now, clock }: ImportContext,
): Promise<void> {
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      if (!isFields(item)) continue
      const { weight: given, metaData } = item
      const { weight, timestampGMT, bodyFat }: Fields = isFields(given) ? given : { weight: given }
      if (typeof weight !== 'number') {
        data.countNotSupported()
        continue
      }
      data.count()
      const local = isFields(metaData) ? metaData.calendarDate : item.calendarDate
      const raw = { weight, timestampGMT, calendarDate: local }
      const gmt = timestampGMT === undefined ? undefined : readGmt(timestampGMT)
      const placed = typeof local === 'string' && local.length > 10 ? clock.local(local) : undefined
      const start = gmt === undefined ? placed : { at: gmt, offset: null }
      const kilograms = weight > MOST_KILOGRAMS ? weight / GRAMS : weight
      if (start === undefined || !isPossibleTime(start.at, now)) {
        data.quarantine('body', 'invalid_start_date', raw)
      } else if (!(kilograms >= LEAST_KILOGRAMS && kilograms <= MOST_KILOGRAMS)) {
        data.quarantine('body', 'out_of_range', raw)
      } else {
        const fat = typeof bodyFat === 'number' && bodyFat > 0 && bodyFat <= 100 ? bodyFat : null
        const frame = { start, sourceType: fat === null ? 'unknown' : 'scale' } as const
        const values = { weight_kilogram: kilograms, fat_mass_percentage: fat }
        const recordId = String(Math.floor(start.at / 1000))
        data.addSummary('body', { ...frame, recordId, values, raw })
        data.addSample('body_weight', { ...frame, value: kilograms, unit: 'kg' })
        if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' })
      }
    }
  }
}

const PRESSURE = [
  'systolic',
  'diastolic',
  'pulse',
  'sourceType',
  'measurementTimestampGMT',
  'measurementTimestampLocal',
]

/** Returns the records of a file whose items are records, or have lists of them. */
function recordsIn(item: unknown, field: string): Fields[] {
  if (!isFields(item)) return []
  if (item[field] !== undefined) return [item]
  return Object.values(item)
    .flat()
    .filter(isFields)
    .filter((record) => record[field] !== undefined)
}

export async function addPressures(
  { file }: GarminMember,
  data: TypeData,
  { now }: ImportContext,
): Promise<void> {
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items.flatMap((one) => recordsIn(one, 'systolic'))) {
      const record = pickFields(item, PRESSURE)
      const { systolic, diastolic, pulse, sourceType: source } = record
      const { measurementTimestampGMT: gmt, measurementTimestampLocal: local } = record
      const at = readGmt(gmt)
      data.count()
      if (at === undefined || !isPossibleTime(at, now)) {
        data.quarantine('blood_pressure', 'invalid_start_date', record)
        continue
      }
      const sourceType = source === 'MANUAL' ? 'app' : source === 'DEVICE' ? 'cuff' : 'unknown'
      const frame = { start: { at, offset: offsetBetween(local, gmt) }, sourceType } as const
      const pressure = { systolic: systolic as number, diastolic: diastolic as number }
      data.addBloodPressure({ ...frame, ...pressure, unit: 'mmHg' }, record)
      if (typeof pulse !== 'number' || pulse === 0) continue
      data.addSample('heartrate', { ...frame, value: pulse, unit: 'bpm' }, record)
    }
  }
}

/** No person drinks as much at once. */
const MOST_MILLILITERS = 100_000

interface Drink {
  at: number
  offset: number | null
  amount: number
}

/** Adds drinks. A negative amount takes back what was entered before on the same day. */
export async function addDrinks(
  { file }: GarminMember,
  data: TypeData,
  { now }: ImportContext,
): Promise<void> {
  const days = new Map<string, Drink[]>()
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items.flatMap((one) => recordsIn(one, 'valueInML'))) {
      const { valueInML: amount, timestampLocal: local, calendarDate } = item
      const gmt = item.timestampGMT ?? item.persistedTimestampGMT
      const at = readGmt(gmt)
      data.count()
      const raw = { amount, gmt, calendarDate }
      if (typeof amount !== 'number') data.quarantine('water', 'invalid_value', raw)
      else if (Math.abs(amount) > MOST_MILLILITERS) data.quarantine('water', 'out_of_range', raw)
      else if (at === undefined || !isPossibleTime(at, now)) {
        data.quarantine('water', 'invalid_start_date', raw)
      } else {
        const date = dateIn(calendarDate) ?? new Date(at).toISOString().slice(0, 10)
        const drinks = days.get(date) ?? []
        days.set(date, drinks)
        drinks.push({ at, offset: offsetBetween(local, gmt), amount })
      }
    }
  }
  for (const drinks of days.values()) addNetDrinks(data, drinks)
}

function addNetDrinks(data: TypeData, drinks: readonly Drink[]): void {
  const kept: Drink[] = []
  for (const drink of drinks.toSorted((a, b) => a.at - b.at)) {
    let left = drink.amount
    for (let last = kept.at(-1); left < 0 && last !== undefined; last = kept.at(-1)) {
      const taken = Math.min(last.amount, -left)
      left += taken
      last.amount -= taken
      if (last.amount === 0) kept.pop()
    }
    if (left > 0) kept.push({ ...drink, amount: left })
    else if (left < 0) data.quarantine('water', 'out_of_range', { at: drink.at, amount: left })
  }
  for (const { at, offset, amount } of kept) {
    const start = { at, offset }
    data.addSample('water', { start, sourceType: 'app', value: amount, unit: 'ml' })
  }
}
