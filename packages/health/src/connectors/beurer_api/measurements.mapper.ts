import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'beurer_api'

type Fields = Record<string, unknown>

/** Columns of a body measurement. */
const BODY = [
  ['kilograms', 'weight_kilogram', 700],
  ['fat_percent', 'fat_mass_percentage', 100],
  ['water_percent', 'water_percentage', 100],
  ['muscle_percent', 'muscle_mass_percentage', 100],
  ['bmi', 'body_mass_index', 150],
] as const

/** Calls back with each record that has an id and a time; others are quarantined. */
function forEachRecord(
  answer: unknown,
  data: PageData,
  resource: string,
  add: (record: Fields, frame: { start: VendorInstant; recordId: string }) => void,
): void {
  if (!isFields(answer) || !Array.isArray(answer.data)) {
    throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  }
  for (const record of answer.data) {
    if (!isFields(record)) {
      data.quarantine(resource, 'not_an_object', record)
      continue
    }
    const { id, measured_at: time } = record
    if (typeof id !== 'string' || id === '') {
      data.quarantine(resource, 'invalid_field', record)
      continue
    }
    const start = data.instant(resource, time, record)
    if (start !== undefined) add(record, { start, recordId: id })
  }
}

/** Maps blood pressures in mmHg. */
export function mapPressures(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'blood_pressure', (record, frame) => {
    const { systolic, diastolic } = record as { systolic: number; diastolic: number }
    const pressure = { ...frame, systolic, diastolic, unit: 'mmHg', sourceType: 'cuff' } as const
    data.addBloodPressure(pressure, record)
  })
}

/** Maps glucose, in the unit of the meter. */
export function mapGlucose(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'glucose', (record, frame) => {
    const { value, unit } = record as { value: number; unit: unknown }
    const kind = { sourceType: 'fingerprick', type: 'fingerprick' } as const
    data.addSample('glucose', { ...frame, ...kind, value, unit: String(unit) }, record)
  })
}

/** Maps weighings; 0 is a value that was not measured. */
export function mapWeighings(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'body', (record, frame) => {
    const reader = data.read('body', record)
    if (reader === undefined) return
    const values: Partial<Record<(typeof BODY)[number][1] | 'bone_mass_percentage', number>> = {}
    for (const [name, column, most] of BODY) {
      const value = reader.measured(name, most)
      if (value !== null) values[column] = value
    }
    const { weight_kilogram: kilograms, fat_mass_percentage: percent } = values
    const bones = reader.measured('bone_kilograms', kilograms ?? 100)
    if (bones !== null && kilograms !== undefined) {
      values.bone_mass_percentage = (100 * bones) / kilograms
    }
    if (!data.isValid('body', reader, record) || Object.keys(values).length === 0) return
    const scale = { ...frame, sourceType: 'scale' } as const
    if (kilograms !== undefined) {
      data.addSample('body_weight', { ...scale, value: kilograms, unit: 'kg' }, record)
    }
    if (percent !== undefined) {
      data.addSample('body_fat', { ...scale, value: percent, unit: '%' }, record)
    }
    data.addSummary('body', { ...scale, values, raw: record })
  })
}
