import type { Sample, SampleOwner } from './sample.ts'

/** Columns of `samples` in the order in which rows are written; the key comes first. */
export const SAMPLE_COLUMNS = [
  'environment_id',
  'user_id',
  'series',
  'started_at',
  'provider',
  'source_type',
  'app_id',
  'sample_type',
  'workout_id',
  'sport',
  'ended_at',
  'timezone_offset',
  'time_zone',
  'diastolic',
  'text_value',
  'extra',
  'value',
  'version',
] as const

const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'
const SPECIAL = /[\\\t\n\r\0\b\f]/
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
}

/** Escapes a text for ClickHouse's TabSeparated format. */
export function escapeTsv(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[\\\t\n\r\0\b\f]/g, (character) => ESCAPES[character] ?? character)
}

/** DateTime64(3) as TabSeparated reads it: seconds, a dot, three digits. */
function timestampText(epochMilliseconds: number): string {
  const text = String(epochMilliseconds)
  // Instants near or before 1970 have too few digits, or a sign, for the short way.
  if (text.length < 12 || epochMilliseconds < 0) return (epochMilliseconds / 1000).toFixed(3)
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

/** Environment, user and series: what one sample of a group shares with the others. */
export function groupText(owner: SampleOwner, series: string): string {
  return `${owner.environmentId}\t${owner.userId}\t${series}`
}

/** The rest of the natural key after the group: time, provider, source, type, workout. */
export function keyText(owner: SampleOwner, sample: Sample): string {
  return `${timestampText(sample.startedAt)}\t${owner.provider}\t${sample.sourceType}\t${escapeTsv(
    sample.appId,
  )}\t${escapeTsv(sample.sampleType)}\t${sample.workoutId || NO_WORKOUT}`
}

/** Everything that is not key, value or version; equal texts mean equal content. */
export function contentText(sample: Sample): string {
  const offset = sample.timezoneOffset === null ? '\\N' : sample.timezoneOffset
  return `${escapeTsv(sample.sport)}\t${timestampText(sample.endedAt)}\t${offset}\t${
    sample.timeZone
  }\t${sample.diastolic}\t${escapeTsv(sample.text)}\t${escapeTsv(sample.extra)}`
}
