import type { ExtraField, Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import type { SampleOrigin } from '../day-cache/index.ts'

/**
 * Writes samples as the JSON that sample-json.ts has the engine write, where the samples are at
 * hand already.
 */

const SECONDS_OF_DAY = 86_400
/** Times of a day with their zone, by second; filled when they are needed. */
const clock: string[] = []
let lastDay = Number.NaN
let lastDate = ''

/** Writes an instant in whole seconds, as in all samples. */
export function instantText(epochMilliseconds: number): string {
  const day = Math.floor(epochMilliseconds / DAY_MS)
  if (day !== lastDay) {
    lastDay = day
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  }
  const second = Math.floor((epochMilliseconds - day * DAY_MS) / 1000)
  return lastDate + (clock[second] ?? clockText(second))
}

function clockText(second: number): string {
  const text = `${new Date(second * 1000).toISOString().slice('1970-01-01T'.length, -'.000Z'.length)}+00:00`
  if (second < SECONDS_OF_DAY) clock[second] = text
  return text
}

/** Columns of one sample. */
export interface SampleValues {
  startedAt: number
  endedAt: number
  value: number
  diastolic: number
  text: string
}

type SampleWriter = (sample: SampleValues) => string

/**
 * Returns the function that writes the samples of an origin.
 * @param deviceId Device that a blood pressure names, or null.
 */
export function createSampleWriter(
  series: Series,
  origin: SampleOrigin,
  deviceId: string | null,
): SampleWriter {
  const { sampleType, timezoneOffset } = origin
  const type = series.types === null || sampleType === '' ? null : sampleType
  const head = `{"id":null,"timezone_offset":${timezoneOffset},"type":${JSON.stringify(type)},"unit":${JSON.stringify(series.unit)},"timestamp":"`
  const tail = `${extraTexts(series.extraFields, origin.extra)}}`
  const isInterval = series.shape === 'interval'
  const writeValue = valueWriter(series, origin, deviceId)
  return (sample) => {
    const start = instantText(sample.startedAt)
    const end = isInterval ? instantText(sample.endedAt) : start
    return `${head}${start}","start":"${start}","end":"${end}"${writeValue(sample)}${tail}`
  }
}

function valueWriter(series: Series, origin: SampleOrigin, deviceId: string | null): SampleWriter {
  if (series.shape === 'blood_pressure') {
    const { sourceType, workoutId, sport } = origin
    const grouping = JSON.stringify([sourceType, workoutId || null, sport || null, deviceId])
    return ({ value, diastolic }) =>
      `,"systolic":${value},"diastolic":${diastolic},"grouping":${grouping}`
  }
  if (series.valueKind === 'text') return ({ text }) => `,"value":${JSON.stringify(text)}`
  return ({ value }) => `,"value":${value}`
}

function extraTexts(fields: readonly ExtraField[], extra: string): string {
  if (fields.length === 0) return ''
  const values: Record<string, unknown> = extra === '' ? {} : JSON.parse(extra)
  return fields.map(({ name }) => `,"${name}":${JSON.stringify(values[name] ?? null)}`).join('')
}
