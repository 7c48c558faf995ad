import type { Sample, SampleOwner } from './sample.ts'

/** Stored columns of `samples` in the order of look-ups; the key comes first. */
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

/** Means no workout in the key. */
export const NO_WORKOUT = '00000000-0000-0000-0000-000000000000'
const SPECIAL = /[\\'\t\n\r\0\b\f]/
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
}

/**
 * Escapes a text for ClickHouse's TabSeparated format exactly as the engine writes it: texts of new
 * rows are compared with those of stored ones.
 */
export function escapeTsv(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(/[\\'\t\n\r\0\b\f]/g, (character) => ESCAPES[character] ?? character)
}

/** From here on (1973) milliseconds have twelve digits or more. */
const SHORT_FORM_FROM = 100_000_000_000
/** Up to here (2286) seconds have ten digits or less. */
const SHORT_FORM_TO = 9_999_999_999_999

/**
 * Formats a DateTime64(3) as TabSeparated reads it: seconds, a dot, three digits, which the engine
 * parses fastest; a date and time for instants far away, where a sign or another number of digits
 * is misread.
 */
export function timestampText(epochMilliseconds: number): string {
  if (epochMilliseconds < SHORT_FORM_FROM || epochMilliseconds > SHORT_FORM_TO) {
    return new Date(epochMilliseconds).toISOString().slice(0, 23).replace('T', ' ')
  }
  const text = String(epochMilliseconds)
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

/** Returns an expression that writes a DateTime64(3) column as timestampText does. */
export function timestampSql(column: string): string {
  const milliseconds = `toUnixTimestamp64Milli(${column})`
  const short = `concat(toString(intDiv(${milliseconds}, 1000)), '.',
    leftPad(toString(${milliseconds} % 1000), 3, '0'))`
  return `if(${milliseconds} between ${SHORT_FORM_FROM} and ${SHORT_FORM_TO},
    ${short}, toString(${column}))`
}

/** Parses the format of timestampText to epoch milliseconds. */
export function readTimestamp(text: string): number {
  if (text.includes(' ')) return Date.parse(`${text.replace(' ', 'T')}Z`)
  return Math.round(Number(text) * 1000)
}

/** Returns the key columns before the time: environment, user and series. */
export function keyBeforeTime({ environmentId, userId }: SampleOwner, { series }: Sample): string {
  return `${environmentId}\t${userId}\t${series}`
}

/** Returns the key columns after the time: provider, source type, app, sample type and workout. */
export function keyAfterTime({ provider }: SampleOwner, sample: Sample): string {
  const { sourceType, appId, sampleType, workoutId } = sample
  return `${provider}\t${sourceType}\t${escapeTsv(appId)}\t${escapeTsv(sampleType)}\t${
    workoutId || NO_WORKOUT
  }`
}

/** Returns everything except key, value and version; equal texts mean equal content. */
export function contentText(sample: Sample): string {
  const { sport, endedAt, timezoneOffset, timeZone, diastolic, text, extra } = sample
  return `${escapeTsv(sport)}\t${timestampText(endedAt)}\t${timezoneOffset ?? '\\N'}\t${
    timeZone
  }\t${diastolic}\t${escapeTsv(text)}\t${escapeTsv(extra)}`
}

/** Returns the content without the local time: offset and zone, which are in its middle. */
export function withoutLocalTime(content: string): string {
  const [sport, endedAt, , , ...rest] = content.split('\t')
  return [sport, endedAt, ...rest].join('\t')
}

/** Separates the fields of an origin; cleanIdentifier removes it from identifiers. */
export const SEPARATOR = '\x1f'

/** Identifiers of apps have some dozen characters. */
const MOST_IDENTIFIER_LENGTH = 1_024

/**
 * Cleans an app id, sample type or the like for the store: short, without the separator of origins.
 */
export function cleanIdentifier(text: string): string {
  const short =
    text.length > MOST_IDENTIFIER_LENGTH
      ? text.slice(0, MOST_IDENTIFIER_LENGTH).toWellFormed()
      : text
  return short.includes(SEPARATOR) ? short.replaceAll(SEPARATOR, ' ') : short
}
