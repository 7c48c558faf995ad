import { findSeries } from '@salus/contracts/series'
import { formatInstant } from '@salus/kernel/time/instants'
import type { ArrivedData, QuarantinedItem, Sample } from '../ingest/index.ts'
import {
  dateOfSummary,
  type NewSummary,
  SUMMARY_TABLES,
  summaryId,
  type WorkoutStream,
} from '../summaries/index.ts'

/** One thing that a payload becomes, as a JSON object. Unknown fields are left out. */
export type PayloadLine = Readonly<Record<string, unknown>> & { readonly resource: string }

/** Names of the stage types of a sleep cycle (docs/contract/06-summaries.md#sleep-cycle). */
const STAGES: Readonly<Record<number, string>> = {
  1: 'deep',
  2: 'light',
  3: 'rem',
  4: 'awake',
  5: 'manual',
  [-1]: 'unknown',
}
const STAGE_COLUMNS = ['stage_type', 'stage_start_offset_second', 'stage_end_offset_second']

/** Returns everything that a page brings, a line each. */
export function toPayloadLines(
  data: ArrivedData,
  removed: readonly { resource: string; recordId: string }[],
  owner: { userId: string; provider: string },
): PayloadLine[] {
  const { samples = [], summaries = [], streams = new Map(), quarantined = [], devices = [] } = data
  const recordIds = new Map(
    summaries.map((summary) => [summaryId(owner, summary), summary.recordId]),
  )
  return [
    ...samples.map((sample) => sampleLine(sample, recordIds)),
    ...summaries.map(summaryLine),
    ...[...streams].map(([id, stream]) => streamLine(recordIds.get(id) ?? id, stream)),
    ...removed.map(({ resource, recordId }) => ({ resource, removed: recordId })),
    ...devices.map(({ identity: _, provider: __, ...device }) =>
      withoutUnknown({ resource: 'device', ...device }),
    ),
    ...quarantined.map(refusedLine),
  ]
}

/** The time of a record, as answers of the API have it; a profile has none. */
const timesOf = ({ startedAt, endedAt, timezoneOffset, ...record }: Sample | NewSummary) => {
  const isTimeless = 'resource' in record && record.resource === 'profile'
  return {
    start: isTimeless ? null : formatInstant(startedAt),
    end: isTimeless ? null : formatInstant(endedAt),
    timezone_offset: timezoneOffset,
  }
}

function sampleLine(sample: Sample, recordIds: ReadonlyMap<string, string>): PayloadLine {
  const { series: resource, workoutId } = sample
  const extra = sample.extra === '' ? {} : (JSON.parse(sample.extra) as object)
  return {
    resource,
    ...timesOf(sample),
    ...contentOf(sample),
    ...withoutUnknown({
      type: sample.sampleType,
      source_type: sample.sourceType,
      workout: recordIds.get(workoutId) ?? workoutId,
      sport: sample.sport,
      modified_at: sample.modifiedAt && formatInstant(sample.modifiedAt),
      ...extra,
    }),
  }
}

function contentOf({ series, value, diastolic, text }: Sample): object {
  const unit = findSeries(series)?.unit
  if (series === 'note') return { value: text }
  return series === 'blood_pressure' ? { systolic: value, diastolic, unit } : { value, unit }
}

function summaryLine(summary: NewSummary): PayloadLine {
  const { resource, recordId: id, sourceType, deviceModel, timeZone, modifiedAt } = summary
  const { columns } = SUMMARY_TABLES[resource] as { columns: Readonly<Record<string, string>> }
  const values = Object.entries(withoutUnknown(summary.values)).map(([name, value]) =>
    columns[name] === 'json' ? [name, JSON.parse(String(value))] : [name, value],
  )
  const stages = stagesOf(summary)
  return {
    resource,
    id,
    ...timesOf(summary),
    calendar_date: dateOfSummary(summary),
    source_type: sourceType,
    ...withoutUnknown({
      device_model: deviceModel,
      time_zone: timeZone,
      modified_at: modifiedAt && formatInstant(modifiedAt),
    }),
    values: Object.fromEntries(values.filter(([name]) => !stages || !STAGE_COLUMNS.includes(name))),
    ...(stages && { stages }),
  }
}

/** Returns the stages of a sleep with their seconds from its start. */
function stagesOf({ resource, values }: NewSummary): unknown[] | undefined {
  if (resource !== 'sleep') return undefined
  const [types = [], from = [], to = []] = STAGE_COLUMNS.map(
    (name) => (values as Readonly<Record<string, unknown>>)[name] as readonly number[],
  )
  return types.map((type, index) => [STAGES[type] ?? type, from[index], to[index]])
}

const streamLine = (id: string, stream: WorkoutStream): PayloadLine => ({
  resource: 'workout_stream',
  id,
  ...stream,
})

const refusedLine = ({ resource, reason, item }: QuarantinedItem): PayloadLine => ({
  resource,
  refused: reason,
  ...(item !== undefined && { item }),
})

/** Leaves out fields without a value: null, an empty text or an empty list. */
function withoutUnknown<Fields extends object>(fields: Fields): Fields {
  const isKnown = (value: unknown) =>
    value !== null && value !== undefined && value !== '' && !isEmptyList(value)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isKnown(value))) as Fields
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
