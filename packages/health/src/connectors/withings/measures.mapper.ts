import type { PageData } from '../page-data.ts'
import type { SampleFrame, SourceType } from '../vendor-records.ts'
import {
  bodyOf,
  type Fields,
  forEachRecord,
  frameOf,
  instantOf,
  isTypedIn,
  listOf,
  modifiedOf,
  sourceTypeOf,
} from './withings-api.ts'

/** Numbers of the vendor's types of measures. */
const WEIGHT = 1
const FAT = 6
const [DIASTOLIC, SYSTOLIC] = [9, 10]
const [TEMPERATURE, BODY_TEMPERATURE] = [12, 71]

/** A group is a goal of the user, where it is no measurement. */
const [MEASUREMENT, GOAL] = [1, 2]
/** The device does not know which member of the household was measured. */
const AMBIGUOUS = 1

/** Columns of a body measurement: kilograms and percents as they are, or shares of the weight. */
const BODY = [
  [WEIGHT, 'weight_kilogram', 700],
  [FAT, 'fat_mass_percentage', 100],
  [5, 'lean_body_mass_kilogram', 400],
  [170, 'visceral_fat_index', 1000],
] as const
const SHARES = [
  [76, 'muscle_mass_percentage'],
  [77, 'water_percentage'],
  [88, 'bone_mass_percentage'],
] as const
/** Measures that are samples. */
const SAMPLES = [
  [WEIGHT, 'body_weight', 'kg'],
  [FAT, 'body_fat', '%'],
  [11, 'heartrate', 'bpm'],
  [54, 'blood_oxygen', '%'],
  [BODY_TEMPERATURE, 'body_temperature', '°C'],
] as const

type BodyColumn = (typeof BODY)[number][1] | (typeof SHARES)[number][1]

const BODY_TYPES: readonly number[] = [...BODY, ...SHARES].map(([type]) => type)
const PRESSURE_TYPES: readonly number[] = [DIASTOLIC, SYSTOLIC]
const TYPES = new Map<number, string>([
  ...BODY_TYPES.map((type) => [type, 'body'] as const),
  ...PRESSURE_TYPES.map((type) => [type, 'blood_pressure'] as const),
  ...SAMPLES.map(([type, series]) => [type, series] as const),
  [TEMPERATURE, 'body_temperature'],
])

/** All types that are requested. */
export const MEASURE_TYPES = [...TYPES.keys()].sort((a, b) => a - b).join(',')

/** Maps groups of measures of one instant and device. */
export function mapMeasures(answer: unknown, data: PageData): void {
  const { timezone } = bodyOf(answer)
  forEachRecord(listOf(answer, 'measuregrps'), data, 'body', (group) => {
    if (group.category === GOAL || group.attrib === AMBIGUOUS) return
    if (group.category !== MEASUREMENT || !Array.isArray(group.measures)) {
      data.quarantine('body', 'invalid_field', group)
      return
    }
    const values = valuesOf(group.measures, data)
    const resource = TYPES.get([...values.keys()][0] ?? WEIGHT) ?? 'body'
    const zone = group.timezone ?? timezone
    const start = instantOf(data, resource, group.date, zone, group)
    if (start !== undefined) addGroup(data, { ...group, timezone: zone }, values, start)
  })
}

/** Returns the values by type: each is a whole number times a power of ten. */
function valuesOf(measures: readonly unknown[], data: PageData): Map<number, number> {
  const values = new Map<number, number>()
  forEachRecord(measures, data, 'body', (measure) => {
    const { type, value, unit } = measure
    const resource = typeof type === 'number' ? TYPES.get(type) : undefined
    if (resource === undefined || values.has(type as number)) return
    const isExact = typeof value === 'number' && Number.isInteger(unit)
    // The text is exact, where a product with 0.001 is not.
    const amount = isExact ? Number(`${value}e${unit}`) : Number.NaN
    if (!Number.isFinite(amount)) data.quarantine(resource, 'invalid_value', measure)
    // No measure is 0 unless it is missing.
    else if (amount !== 0) values.set(type as number, amount)
  })
  return values
}

function addGroup(
  data: PageData,
  group: Fields,
  values: ReadonlyMap<number, number>,
  start: SampleFrame['start'],
): void {
  const frame = {
    start,
    sourceType: deviceOf(group, values),
    recordId: String(group.grpid ?? group.date),
    ...modifiedOf(group.modified),
  }
  for (const [type, series, unit] of SAMPLES) {
    const value = type === BODY_TEMPERATURE ? temperatureOf(values) : values.get(type)
    if (value !== undefined) data.addSample(series, { ...frame, value, unit }, group)
  }
  const [diastolic, systolic] = PRESSURE_TYPES.map((type) => values.get(type))
  if (diastolic !== undefined && systolic !== undefined) {
    data.addBloodPressure({ ...frame, diastolic, systolic, unit: 'mmHg' }, group)
  } else if (diastolic !== systolic) data.quarantine('blood_pressure', 'unpaired', group)
  addBody(data, group, values, frame)
}

const temperatureOf = (values: ReadonlyMap<number, number>): number | undefined =>
  values.get(BODY_TEMPERATURE) ?? values.get(TEMPERATURE)

function addBody(
  data: PageData,
  group: Fields,
  measured: ReadonlyMap<number, number>,
  frame: SampleFrame & { recordId: string },
): void {
  const values: { -readonly [C in BodyColumn]?: number } = {}
  let isSound = true
  const set = (column: BodyColumn, value: number, most: number): void => {
    values[column] = value
    isSound &&= value >= 0 && value <= most
  }
  for (const [type, column, most] of BODY) {
    const value = measured.get(type)
    if (value !== undefined) set(column, value, most)
  }
  const weight = measured.get(WEIGHT)
  for (const [type, column] of SHARES) {
    const mass = measured.get(type)
    if (mass !== undefined && weight !== undefined) set(column, (100 * mass) / weight, 100)
  }
  if (!isSound) data.quarantine('body', 'out_of_range', group)
  if (!isSound || Object.keys(values).length === 0) return
  const { timezone, model } = group
  data.addSummary('body', {
    ...frame,
    ...frameOf({ timezone }, frame.start),
    ...(typeof model === 'string' && { deviceModel: model }),
    values,
    raw: group,
  })
}

/** Returns the type of the device by its model, or by what it measured. */
function deviceOf(group: Fields, values: ReadonlyMap<number, number>): SourceType {
  if (isTypedIn(group)) return 'app'
  const known = sourceTypeOf(group.modelid ?? group.model_id)
  if (known !== undefined) return known
  if (PRESSURE_TYPES.some((type) => values.has(type))) return 'cuff'
  return BODY_TYPES.some((type) => values.has(type)) ? 'scale' : 'unknown'
}

const DEVICES = new Map<string, SourceType>([
  ['Scale', 'scale'],
  ['Blood Pressure Monitor', 'cuff'],
  ['Activity Tracker', 'watch'],
  ['iGlucose', 'fingerprick'],
])

/** Maps the devices of an account; apps of others, which it also lists, are no devices of its. */
export function mapDevices(answer: unknown, data: PageData): void {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  forEachRecord(listOf(answer, 'devices'), data, 'device', (device) => {
    const type = text(device.type) ?? ''
    const isForeign = type.startsWith('HealthKit') || type === 'Lingo'
    data.addDevice({
      sourceType: DEVICES.get(type) ?? sourceTypeOf(device.model_id) ?? 'unknown',
      manufacturer: isForeign ? null : 'Withings',
      model: text(device.model),
      version: text(device.fw),
      deviceId: text(device.deviceid) ?? text(device.hash_deviceid),
    })
  })
}
