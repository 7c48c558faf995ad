import type { RankedSource } from '../../source-priorities/index.ts'
import { type MergedSlot, toMergedSource } from '../../timeseries/index.ts'
import type { SummaryRow } from '../summary.ts'
import {
  MERGED_FIELDS,
  type MergedActivityDay,
  type MergedField,
} from './merged-activity.schema.ts'

/** Series from which a merged day is computed. */
export const DAY_SERIES = [
  'steps',
  'distance',
  'calories_active',
  'calories_basal',
  'floors_climbed',
  'wheelchair_push',
] as const
export type DaySeries = (typeof DAY_SERIES)[number]

/** Merged samples of one day, by series; absent where no source has any. */
type DaySamples = Partial<Record<DaySeries, MergedSlot>>

/** Column of a summary for each field. */
const COLUMNS = {
  steps: 'steps',
  distance: 'distance_meter',
  calories_active: 'calories_active',
  calories_total: 'calories_total',
  floors_climbed: 'floors_climbed',
  wheelchair_push: 'wheelchair_push',
} as const satisfies Record<MergedField, keyof SummaryRow<'activity'>>

/** Series whose sum is a field; all of them must have samples. */
const SERIES_OF_FIELD: Readonly<Record<MergedField, readonly DaySeries[]>> = {
  steps: ['steps'],
  distance: ['distance'],
  calories_active: ['calories_active'],
  calories_total: ['calories_active', 'calories_basal'],
  floors_climbed: ['floors_climbed'],
  wheelchair_push: ['wheelchair_push'],
}

const WHOLE: ReadonlySet<MergedField> = new Set(['steps', 'floors_climbed', 'wheelchair_push'])

interface FieldValue {
  value: number
  from: 'samples' | 'summary'
  sources: RankedSource[]
}

const MILLIONTHS = 1e6

function fromSamples(field: MergedField, samples: DaySamples): FieldValue | undefined {
  const slots = SERIES_OF_FIELD[field].map((name) => samples[name])
  if (!slots.every((slot) => slot !== undefined)) return undefined
  const sum = slots.reduce((total, slot) => total + slot.value, 0)
  const step = WHOLE.has(field) ? 1 : MILLIONTHS
  return {
    value: Math.round(sum * step) / step,
    from: 'samples',
    sources: slots.flatMap((slot) => slot.sources.map(({ source }) => source)),
  }
}

function fromSummary(
  field: MergedField,
  summaries: readonly SummaryRow<'activity'>[],
): FieldValue | undefined {
  for (const row of summaries) {
    const value = row[COLUMNS[field]]
    if (value !== null) return { value, from: 'summary', sources: [sourceOfSummary(row)] }
  }
  return undefined
}

/** Returns the source of a summary. */
export const sourceOfSummary = (row: SummaryRow<'activity'>): RankedSource => ({
  provider: row.provider,
  sourceType: row.source_type,
  appId: row.app_id,
})

/**
 * Composes one day of a user: each field from the merged samples, or where no source has samples of
 * it, from the first summary with a value.
 * @param summaries Summaries of the day, the highest-ranked source first.
 */
export function composeDay(
  calendarDate: string,
  samples: DaySamples,
  summaries: readonly SummaryRow<'activity'>[],
): MergedActivityDay {
  const values = new Map(
    MERGED_FIELDS.map((field) => [
      field,
      fromSamples(field, samples) ?? fromSummary(field, summaries),
    ]),
  )
  const fieldsBySource = new Map<string, { source: RankedSource; fields: Set<MergedField> }>()
  for (const [field, found] of values) {
    for (const source of found?.sources ?? []) {
      const key = JSON.stringify([source.provider, source.sourceType, source.appId])
      const known = fieldsBySource.get(key) ?? { source, fields: new Set() }
      fieldsBySource.set(key, known)
      known.fields.add(field)
    }
  }
  const valueOfField = (field: MergedField): number | null => values.get(field)?.value ?? null
  const originOf = (field: MergedField) => values.get(field)?.from ?? null
  return {
    calendar_date: calendarDate,
    ...toRecord(valueOfField),
    from: toRecord(originOf),
    sources: [...fieldsBySource.values()].map(({ source, fields }) => ({
      ...toMergedSource(source),
      fields: [...fields],
    })),
  }
}

function toRecord<Value>(read: (field: MergedField) => Value): Record<MergedField, Value> {
  const entries = MERGED_FIELDS.map((field) => [field, read(field)])
  return Object.fromEntries(entries) as Record<MergedField, Value>
}
