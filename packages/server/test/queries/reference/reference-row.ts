import { formatDay, formatOffset, offsetAt, parseDay } from './floating-time.ts'
import type { PersonData, ReferenceTarget, StoredSample, StoredSummary } from './person-data.ts'
import { ELEMENT_FIELDS, STORED_SERIES, SUMMARY_COLUMNS } from './reference-columns.registry.ts'
import { sleepMacros } from './sleep-macros.ts'
import type { SummaryTable } from './wire-query.ts'

/**
 * Dates and date-times are floating epoch milliseconds; the type of the column distinguishes them.
 */
export type Scalar = number | string | boolean | null
export type Cell = Scalar | readonly Scalar[] | readonly Record<string, Scalar>[]

/** A row as queries see it. */
export interface ReferenceRow {
  cells: Record<string, Cell>
  /** Macros of a sleep. */
  macros: Record<string, Scalar>
  /** Floating. */
  index: number
  provider: string
  sourceType: string
  /** Distinguishes rows of one index; the larger is newer. */
  updatedAt: number
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Of versions of one thing the newest, unless that says it was removed. */
function newestOf<T extends { version: number }>(
  rows: readonly T[],
  keyOf: (row: T) => string,
): T[] {
  const newest = new Map<string, T>()
  for (const row of rows) {
    const known = newest.get(keyOf(row))
    if (known === undefined || row.version > known.version) newest.set(keyOf(row), row)
  }
  return [...newest.values()]
}

function sampleKey(sample: StoredSample): string {
  const { series, startedAt, provider, sourceType, appId, sampleType, workoutId } = sample
  return JSON.stringify([series, startedAt, provider, sourceType, appId, sampleType, workoutId])
}

/** All samples of a series, named as queries name it. */
export function seriesRows(
  data: PersonData,
  target: ReferenceTarget,
  resource: string,
): ReferenceRow[] {
  const stored = STORED_SERIES[resource] ?? resource
  const samples = data.samples.filter(({ series }) => series === stored)
  return newestOf(samples, sampleKey).map((sample) => toSeriesRow(sample, target, stored))
}

function toSeriesRow(sample: StoredSample, target: ReferenceTarget, series: string): ReferenceRow {
  const { provider, sourceType, startedAt } = sample
  const extra = sample.extra === '' ? {} : JSON.parse(sample.extra)
  const values: Record<string, Cell> =
    series === 'blood_pressure'
      ? { systolic: sample.value, diastolic: sample.diastolic }
      : series === 'note'
        ? { content: sample.text }
        : { value: sample.value, duration: Math.floor((sample.endedAt - startedAt) / 1000) }
  return {
    cells: {
      ...values,
      sensor_location: extra.sensor_location ?? null,
      intensity: extra.intensity ?? null,
      delivery_mode: extra.delivery_mode ?? null,
      delivery_form: extra.delivery_form ?? null,
      bolus_purpose: extra.bolus_purpose ?? null,
      tags: extra.tags ?? [],
      timezone_offset: knownOffset(sample, target, startedAt),
      type: orNull(sample.sampleType),
      source_provider: provider,
      source_type: sourceType,
      source_app_id: orNull(sample.appId),
      source_workout_id: orNull(sample.workoutId),
      source_sport: orNull(sample.sport),
    },
    macros: {},
    index: localTime(startedAt, sample, target),
    provider,
    sourceType,
    updatedAt: sample.version,
  }
}

function localTime(
  instant: number,
  row: { timezoneOffset: number | null; timeZone: string },
  target: ReferenceTarget,
): number {
  return instant + offsetAt(instant, row, target.fallbackZone) * 1000
}

/** The offset of a row, null where nothing is known about the zone. */
function knownOffset(
  row: { timezoneOffset: number | null; timeZone: string },
  target: ReferenceTarget,
  instant: number,
): number | null {
  const isUnknown =
    row.timezoneOffset === null && row.timeZone === '' && target.fallbackZone === null
  return isUnknown ? null : offsetAt(instant, row, target.fallbackZone)
}

const RESOURCES: Partial<Record<SummaryTable, string>> = { workout: 'workouts' }

/** The stored summaries of one of the tables, not of derived_readiness. */
export function storedRows(data: PersonData, table: SummaryTable): StoredSummary[] {
  const resource = RESOURCES[table] ?? table
  const rows = data.summaries.filter((row) => row.resource === resource)
  return newestOf(rows, ({ id }) => id).filter(({ isRemoved }) => !isRemoved)
}

export function summaryRow(
  row: StoredSummary,
  table: SummaryTable,
  target: ReferenceTarget,
): ReferenceRow {
  const types = SUMMARY_COLUMNS[table] as Record<string, string>
  const cells: Record<string, Cell> = {}
  for (const [name, type] of Object.entries(types)) {
    const value = row.values[name] ?? null
    if (type === 'list') cells[name] = toElements(name, value as string | null)
    else if (type === 'date') cells[name] = value === null ? null : parseDay(value as string)
    else cells[name] = value as Scalar
  }
  const own = ownCells(row, table, target)
  return {
    cells: { ...cells, ...own.cells },
    macros:
      table === 'sleep' ? sleepMacros(row, own.index, (at) => localTime(at, row, target)) : {},
    index: own.index,
    provider: row.provider,
    sourceType: row.sourceType,
    updatedAt: row.updatedAt,
  }
}

function toElements(list: string, json: string | null): Record<string, Scalar>[] {
  if (json === null || json === '') return []
  const fields = Object.entries(ELEMENT_FIELDS[list] as Record<string, string>)
  return (JSON.parse(json) as Record<string, Scalar>[]).map((element) =>
    Object.fromEntries(
      fields.map(([name, type]) => {
        const value = element[name] ?? null
        return [name, type === 'date' && value !== null ? parseDay(value as string) : value]
      }),
    ),
  )
}

/** The local day of a row: as the source said it, else of its start, of a sleep of its end. */
export function localDay(row: StoredSummary, target: ReferenceTarget): number {
  if (row.calendarDate !== null) return parseDay(row.calendarDate)
  const instant = row.resource === 'sleep' ? row.endedAt : row.startedAt
  return parseDay(formatDay(localTime(instant, row, target)))
}

/** Columns that are no plain copy, and the index. */
function ownCells(
  row: StoredSummary,
  table: SummaryTable,
  target: ReferenceTarget,
): { cells: Record<string, Cell>; index: number } {
  const start = localTime(row.startedAt, row, target)
  const end = localTime(row.endedAt, row, target)
  const offset = knownOffset(row, target, table === 'sleep' ? row.endedAt : row.startedAt)
  const cells: Record<string, Cell> = {
    id: row.id,
    external_id: orNull(row.externalId),
    time_zone: orNull(row.timeZone) ?? (offset === null ? null : formatOffset(offset)),
    time_zone_offset: offset,
    source_provider: row.provider,
    source_type: row.sourceType,
    source_app_id: orNull(row.appId),
    source_device_id: target.devices[row.provider] ?? null,
  }
  const day = localDay(row, target)
  switch (table) {
    case 'activity':
      return { cells: { ...cells, date: day }, index: day }
    case 'meal':
      return { cells: { ...cells, date: day }, index: start }
    case 'sleep':
      return { cells: { ...cells, session_start: start, session_end: end }, index: end }
    case 'workout':
      return { cells: { ...cells, session_start: start, session_end: end }, index: start }
    case 'body':
      return { cells: { ...cells, measured_at: start }, index: start }
    case 'menstrual_cycle': {
      const given = row.values.period_start ?? null
      const first = given === null ? day : parseDay(given as string)
      return { cells: { ...cells, period_start: first }, index: first }
    }
    default:
      return {
        cells: { ...cells, created_at: row.createdAt, updated_at: row.updatedAt },
        index: row.updatedAt,
      }
  }
}
