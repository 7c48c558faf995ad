import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Sample } from '../../../ingest/index.ts'
import { type NewSummary, newSummary } from '../../../summaries/index.ts'
import { instantName } from './apple-dates.ts'
import { productOf } from './apple-device.ts'
import type { HealthRecord } from './health-data.ts'

type BodyColumn = keyof NewSummary<'body'>['values']

/** Record types that become body summaries; their samples have the unit of the column. */
export const BODY_COLUMNS: Readonly<Record<string, BodyColumn>> = {
  HKQuantityTypeIdentifierBodyMass: 'weight_kilogram',
  HKQuantityTypeIdentifierBodyFatPercentage: 'fat_mass_percentage',
  HKQuantityTypeIdentifierBodyMassIndex: 'body_mass_index',
  HKQuantityTypeIdentifierLeanBodyMass: 'lean_body_mass_kilogram',
  HKQuantityTypeIdentifierWaistCircumference: 'waist_circumference_centimeter',
}

interface Measurement {
  first: Sample
  deviceModel: string
  values: Map<BodyColumn, Sample>
}

/** Collects body measurements: the values of one source and minute together. */
export class BodyMeasurements {
  readonly #measurements = new Map<string, Measurement>()

  add({ device }: HealthRecord, column: BodyColumn, sample: Sample): void {
    const minute = Math.floor(sample.startedAt / MINUTE_MS)
    const key = `${minute} ${sample.sourceType} ${sample.appId}`
    let known = this.#measurements.get(key)
    if (known === undefined) {
      known = { first: sample, deviceModel: productOf(device), values: new Map() }
      this.#measurements.set(key, known)
    }
    if (sample.startedAt < known.first.startedAt) known.first = sample
    const other = known.values.get(column)
    if (other === undefined || isLater(sample, other)) known.values.set(column, sample)
  }

  /** @param modifiedAt Time of writing of the summaries, or null. */
  toSummaries(modifiedAt: number | null): NewSummary<'body'>[] {
    return [...this.#measurements.values()].map(({ first, deviceModel, values }) => {
      const { sourceType, appId, startedAt, timezoneOffset, timeZone } = first
      const columns = [...values].map(([column, { value }]) => [column, value] as const)
      const raw = [...values].map(([column, { value, startedAt: at }]) => [
        column,
        { value, startDate: instantName(at) },
      ])
      return newSummary(
        'body',
        {
          recordId: `${instantName(Math.floor(startedAt / MINUTE_MS) * MINUTE_MS)} ${sourceType}`,
          sourceType,
          appId,
          deviceModel,
          startedAt,
          endedAt: startedAt,
          timezoneOffset,
          timeZone,
          modifiedAt,
          raw: Object.fromEntries(raw),
        },
        Object.fromEntries(columns),
      )
    })
  }
}

/** Of two values of one minute the later counts; of one instant the one that was written later. */
function isLater(a: Sample, b: Sample): boolean {
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt
  if (a.modifiedAt !== b.modifiedAt) return (a.modifiedAt ?? 0) > (b.modifiedAt ?? 0)
  return a.value > b.value
}
