import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import type { SourceType } from '../vendor-records.ts'
import {
  type Fields,
  forEachRecord,
  frameOf,
  instantOf,
  isTypedIn,
  localTextOf,
  offsetOf,
} from './ihealth-api.ts'

/** Units by the number that a page names; others are unknown. */
const PRESSURES = ['mmHg', 'kPa']
const GLUCOSES = ['mg/dL', 'mmol/L']
const KILOGRAMS = [1, 0.45359237, 6.35029318]
const METERS = [1000, 1609.344]

const unitOf = <Unit>(units: readonly Unit[], code: unknown): Unit | undefined =>
  typeof code === 'number' ? units[code] : undefined

const sourceOf = (record: Fields, device: SourceType): SourceType =>
  isTypedIn(record) ? 'app' : device

/** Weeks in minutes: no sleep is longer. */
const MOST_MINUTES = 10_080

export function mapPressures(answer: unknown, data: PageData): void {
  const kind = { list: 'BPDataList', resource: 'blood_pressure' }
  forEachRecord(answer, data, kind, (record, page) => {
    const start = instantOf(data, kind.resource, record.MDate, record)
    if (start === undefined) return
    const pressure = {
      start,
      sourceType: sourceOf(record, 'cuff'),
      ...frameOf(record),
      // 0 is no value, and a pressure has both.
      systolic: (record.HP || Number.NaN) as number,
      diastolic: (record.LP || Number.NaN) as number,
      unit: unitOf(PRESSURES, page.BPUnit) ?? '',
    }
    data.addBloodPressure(pressure, record)
  })
}

export function mapGlucoses(answer: unknown, data: PageData): void {
  const kind = { list: 'BGDataList', resource: 'glucose' }
  forEachRecord(answer, data, kind, (record, page) => {
    if (record.BG === 0) return
    const start = instantOf(data, kind.resource, record.MDate, record)
    if (start === undefined) return
    const sample = {
      start,
      sourceType: sourceOf(record, 'fingerprick'),
      ...frameOf(record),
      value: record.BG as number,
      unit: unitOf(GLUCOSES, page.BGUnit) ?? '',
      type: 'fingerprick',
    }
    data.addSample('glucose', sample, record)
  })
}

export function mapOxygen(answer: unknown, data: PageData): void {
  const kind = { list: 'BODataList', resource: 'blood_oxygen' }
  forEachRecord(answer, data, kind, (record) => {
    if (record.BO === 0) return
    const start = instantOf(data, kind.resource, record.MDate, record)
    if (start === undefined) return
    const frame = { start, sourceType: sourceOf(record, 'unknown'), ...frameOf(record) }
    data.addSample('blood_oxygen', { ...frame, value: record.BO as number, unit: '%' }, record)
  })
}

/** Maps weighings. 0 means that the scale did not measure a value. */
export function mapWeights(answer: unknown, data: PageData): void {
  const kind = { list: 'WeightDataList', resource: 'body' }
  forEachRecord(answer, data, kind, (record, page) => {
    const start = instantOf(data, kind.resource, record.MDate, record)
    const reader = data.read('body', record)
    if (start === undefined || reader === undefined) return
    const kilograms = unitOf(KILOGRAMS, page.WeightUnit)
    if (kilograms === undefined) {
      data.quarantine('body', 'unknown_unit', record)
      return
    }
    const weight = reader.measured('WeightValue', 2000)
    const shareOf = (name: string): number | null => {
      const mass = reader.measured(name, 2000)
      return mass === null || weight === null || mass > weight ? null : (100 * mass) / weight
    }
    const kilos = weight === null ? null : roundedProduct(weight, kilograms)
    const values = {
      weight_kilogram: kilos,
      body_mass_index: reader.measured('BMI', 150),
      fat_mass_percentage: reader.measured('FatValue', 100),
      water_percentage: reader.measured('WaterValue', 100),
      // The vendor's spelling.
      muscle_mass_percentage: shareOf('MuscaleValue'),
      bone_mass_percentage: shareOf('BoneValue'),
    }
    if (!data.isValid('body', reader, record)) return
    if (Object.values(values).every((value) => value === null)) return
    const sourceType = sourceOf(record, 'scale')
    const frame = { start, sourceType, ...frameOf(record) }
    data.addSummary('body', { recordId: String(record.MDate), ...frame, values, raw: record })
    if (kilos === null) return
    data.addSample('body_weight', { ...frame, value: kilos, unit: 'kg' }, record)
  })
}

/** Maps days: the local date of a record names the day. */
export function mapActivity(answer: unknown, data: PageData): void {
  const kind = { list: 'ARDataList', resource: 'activity' }
  forEachRecord(answer, data, kind, (record, page) => {
    const day = data.date('activity', localTextOf(record.MDate)?.slice(0, 10), record)
    const reader = data.read('activity', record)
    if (day === undefined || reader === undefined) return
    const meters = unitOf(METERS, page.DistanceUnit)
    const distance = reader.number('DistanceTraveled')
    const values = {
      // With those of rest.
      calories_total: reader.measured('Calories', 100_000),
      steps: reader.integer('Steps'),
      distance_meter:
        distance === null || meters === undefined ? null : roundedProduct(distance, meters),
    }
    if (!data.isValid('activity', reader, record)) return
    if (distance !== null && meters === undefined) {
      data.quarantine('activity', 'unknown_unit', record)
      return
    }
    data.addSummary('activity', {
      ...frameOf(record),
      recordId: day,
      calendarDate: day,
      start: { at: startOfUtcDay(day), offset: offsetOf(record) },
      sourceType: sourceOf(record, 'watch'),
      values,
      raw: record,
    })
  })
}

/** Without the error of binary fractions; a value in the unit itself stays as it is. */
const roundedProduct = (a: number, b: number): number =>
  b === 1 ? a : Number((a * b).toPrecision(12))

/** Maps nights, which have no stages. `HoursSlept` is in minutes. */
export function mapSleep(answer: unknown, data: PageData): void {
  const kind = { list: 'SRDataList', resource: 'sleep' }
  forEachRecord(answer, data, kind, (record) => {
    const start = instantOf(data, 'sleep', record.StartTime, record)
    const end = start && instantOf(data, 'sleep', record.EndTime, record, 'invalid_end_date')
    const reader = data.read('sleep', record)
    if (!start || !end || reader === undefined) return
    const seconds = (minutes: number | null) => minutes && Math.round(minutes * 60)
    const values = {
      stage_asleep_second: seconds(reader.measured('HoursSlept', MOST_MINUTES)),
      latency_second: seconds(reader.number('FallSleep', 0, MOST_MINUTES)),
      efficiency: reader.measured('SleepEfficiency', 100),
    }
    if (!data.isValid('sleep', reader, record)) return
    data.addSleep({
      recordId: String(record.StartTime),
      ...frameOf(record),
      start,
      end,
      sourceType: sourceOf(record, 'watch'),
      values,
      raw: record,
    })
  })
}
