import type { SeriesName } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { TypeData } from '../../running/type-data.ts'
import type { SamsungExport, SamsungRecord } from './samsung-export.ts'

/** A type whose rows are measurements of an instant. */
interface Measurement {
  types: readonly string[]
  series: SeriesName
  column: string
  unit: string
  /** Whether a file of the row may have measurements of shorter spans, with the same name. */
  hasBins?: true
  /** Whether the rows have no value of their own, only the file. */
  hasOnlyBins?: true
  extra?: Readonly<Record<string, string>>
}

/** Columns that name the file of shorter spans, of which a table has one. */
const BINS = ['binning_data', 'binning']

const MEASUREMENTS: readonly Measurement[] = [
  {
    types: ['tracker.heart_rate', 'heart_rate'],
    ...{ series: 'heartrate', column: 'heart_rate', unit: 'bpm', hasBins: true },
  },
  {
    types: ['tracker.oxygen_saturation', 'oxygen_saturation'],
    ...{ series: 'blood_oxygen', column: 'spo2', unit: '%', hasBins: true },
  },
  {
    types: ['hrv'],
    ...{ series: 'hrv', column: 'rmssd', unit: 'ms', hasBins: true, hasOnlyBins: true },
    extra: { method: 'rmssd' },
  },
  {
    types: ['respiratory_rate'],
    ...{ series: 'respiratory_rate', column: 'respiratory_rate', unit: 'bpm' },
    ...{ hasBins: true, hasOnlyBins: true },
  },
  { types: ['stress'], series: 'stress_level', column: 'score', unit: '%', hasBins: true },
  { types: ['floors_climbed'], series: 'floors_climbed', column: 'floor', unit: 'count' },
  { types: ['blood_glucose'], series: 'glucose', column: 'glucose', unit: 'mmol/L' },
  { types: ['water_intake'], series: 'water', column: 'amount', unit: 'ml' },
  { types: ['body_temperature'], series: 'body_temperature', column: 'temperature', unit: '°C' },
]
export const MEASUREMENT_TYPES = [
  ...MEASUREMENTS.flatMap(({ types }) => types),
  ...['blood_pressure', 'weight'],
]

/** Reads the tables of measurements. */
export async function importMeasurements(source: SamsungExport): Promise<void> {
  for (const measurement of MEASUREMENTS) {
    const { types, series, column } = measurement
    const kind = { resource: series, name: types[0] ?? series, columns: [column, ...BINS] }
    await source.forEachRecord(types, kind, (record, data) =>
      addMeasurement(source, measurement, record, data),
    )
  }
  const pressures = { resource: 'blood_pressure', name: 'blood_pressure', columns: PRESSURES }
  await source.forEachRecord(['blood_pressure'], pressures, addPressure)
  const weights = { resource: 'body_weight', name: 'weight', columns: ['weight', 'body_fat'] }
  await source.forEachRecord(['weight'], weights, addWeight)
}

async function addMeasurement(
  source: SamsungExport,
  { series, column, unit, hasBins, hasOnlyBins, extra }: Measurement,
  { row, start, end, frame, id, raw }: SamsungRecord,
  data: TypeData,
): Promise<void> {
  const bins = hasBins ? await source.entriesOf(BINS.map((name) => row.get(name)).join('')) : []
  if (bins.length === 0) {
    if (hasOnlyBins) {
      data.countNotSupported()
      return
    }
    data.count()
    const value = row.number(column) ?? Number.NaN
    data.addSample(series, { ...frame, start, end, recordId: id, value, unit }, raw)
    return
  }
  // The row is the mean of the spans in its file.
  data.countMerged()
  data.count(bins.length)
  for (const bin of bins) {
    const { start_time: time, [column]: value } = bin
    // A span of sleep without a measurement has 0.
    if (hasOnlyBins && (value === 0 || value === null)) continue
    const at = typeof time === 'number' ? time : Number.NaN
    const span = { start: { at, offset: start.offset }, value: value as number, unit }
    const sample = { ...frame, ...span, ...(extra && { extra }) }
    data.addSample(series, sample, { start_time: time, [column]: value })
  }
}

const PRESSURES = ['systolic', 'diastolic', 'pulse']

function addPressure(record: SamsungRecord, data: TypeData): void {
  const { row, start, frame, id, raw } = record
  data.count()
  const [systolic, diastolic, pulse] = PRESSURES.map((name) => row.number(name))
  const [upper, lower] = [systolic ?? Number.NaN, diastolic ?? Number.NaN]
  const pressure = { ...frame, start, recordId: id, systolic: upper, diastolic: lower }
  data.addBloodPressure({ ...pressure, unit: 'mmHg' }, raw)
  if (pulse) data.addSample('heartrate', { ...frame, start, value: pulse, unit: 'bpm' }, raw)
}

/** Adds a sample each, and a body summary with the id that the phone sends. */
function addWeight({ row, start, frame, id, raw }: SamsungRecord, data: TypeData): void {
  data.count()
  const weight = row.number('weight')
  const fat = row.number('body_fat') || null
  const before = data.samples.length
  const sample = { ...frame, start, recordId: id }
  const value = weight ?? Number.NaN
  data.addSample('body_weight', { ...sample, value, unit: 'kg' }, raw)
  if (data.samples.length === before) return
  if (fat !== null) data.addSample('body_fat', { ...sample, value: fat, unit: '%' }, raw)
  const isFat = fat !== null && fat > 0 && fat <= 100
  const minute = new Date(Math.floor(start.at / MINUTE_MS) * MINUTE_MS).toISOString()
  data.addSummary('body', {
    ...{ ...frame, recordId: `${minute} ${frame.sourceType}`, start, raw },
    values: { weight_kilogram: weight, fat_mass_percentage: isFat ? fat : null },
  })
}
