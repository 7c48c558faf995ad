import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'freestyle_libre'

type Fields = Record<string, unknown>

/** Common fields of all records: local time and id. */
interface Entry {
  start: VendorInstant
  recordId: string
}

const GLUCOSE_KINDS = { historic: 'automatic', scan: 'manual_scan' } as const
const INSULIN_TYPES: Readonly<Record<string, string>> = {
  rapid: 'rapid_acting',
  long: 'long_acting',
}

type Add = (data: PageData, record: Fields, entry: Entry) => void

/**
 * Maps the records of a page of one resource.
 * @throws VendorError `unexpected` for an answer that is not a page
 */
const mapping =
  (resource: string, add: Add) =>
  (answer: unknown, data: PageData): void => {
    if (!isFields(answer) || !Array.isArray(answer.data)) {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    for (const record of answer.data) {
      if (!isFields(record)) {
        data.quarantine(resource, 'not_an_object', record)
        continue
      }
      const start = data.instant(resource, record.recorded_at, record)
      const recordId = typeof record.id === 'string' ? record.id : ''
      if (start !== undefined) add(data, record, { start: toFloating(start), recordId })
    }
  }

/** Converts to local time as if it were UTC (docs/contract/01-conventions.md#base-rules). */
const toFloating = ({ at, offset }: VendorInstant): VendorInstant => ({
  at: at + (offset ?? 0) * 1000,
  offset: null,
})

export const mapGlucose = mapping('glucose', (data, record, entry) => {
  const type = GLUCOSE_KINDS[record.kind as keyof typeof GLUCOSE_KINDS]
  const sample = {
    ...entry,
    value: record.value as number,
    unit: String(record.unit),
    ...(type !== undefined && { type, sourceType: type }),
  }
  data.addSample('glucose', sample, record)
})

export const mapInsulin = mapping('insulin_injection', (data, record, entry) => {
  const type = INSULIN_TYPES[String(record.kind)] ?? ''
  const sample = { ...entry, value: record.units as number, unit: 'unit', type }
  data.addSample('insulin_injection', sample, record)
})

export const mapCarbohydrates = mapping('carbohydrates', (data, record, entry) => {
  data.addSample('carbohydrates', { ...entry, value: record.grams as number, unit: 'g' }, record)
})

export const mapNotes = mapping('note', (data, record, entry) => {
  if (typeof record.text === 'string') data.addNote({ ...entry, text: record.text }, record)
  else data.quarantine('note', 'invalid_value', record)
})
