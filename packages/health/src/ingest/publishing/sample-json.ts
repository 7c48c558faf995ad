import { type Series, type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { formatInstant } from '@salus/kernel/time/instants'
import type { Sample } from '../sample.ts'

/**
 * Writes samples of one series as in the grouped read
 * (docs/contract/05-timeseries.md#sample-shapes), where the engine makes their JSON; a test
 * compares the two.
 * @param deviceId The user's only device of the provider; a blood pressure names it.
 */
export function createSampleJson(
  seriesName: string,
  deviceId: string | null,
): (sample: Sample) => string {
  const series = seriesOf(seriesName as SeriesName)
  const beforeTime = `,"unit":${JSON.stringify(series.unit)},"timestamp":"`
  const extraNames = series.extraFields.map((field) => field.name)
  const hasTypes = series.types !== null
  const isInterval = series.shape === 'interval'
  return (sample) => {
    const at = formatInstant(sample.startedAt)
    const end = isInterval ? formatInstant(sample.endedAt) : at
    const type = hasTypes && sample.sampleType !== '' ? JSON.stringify(sample.sampleType) : 'null'
    const head = `{"id":null,"timezone_offset":${sample.timezoneOffset},"type":${type}`
    const value = valueJson(series, sample, deviceId)
    const times = `${beforeTime}${at}","start":"${at}","end":"${end}"`
    return `${head}${times}${value}${extraJson(sample.extra, extraNames)}}`
  }
}

function valueJson({ shape, valueKind }: Series, sample: Sample, deviceId: string | null): string {
  if (shape === 'blood_pressure') {
    const { sourceType, workoutId, sport, value, diastolic } = sample
    const grouping = JSON.stringify([sourceType, workoutId || null, sport || null, deviceId])
    return `,"systolic":${value},"diastolic":${diastolic},"grouping":${grouping}`
  }
  return valueKind === 'text'
    ? `,"value":${JSON.stringify(sample.text)}`
    : `,"value":${sample.value}`
}

/** Returns the fields of `extra`, a JSON object or empty, and null for unknown ones. */
function extraJson(extra: string, names: readonly string[]): string {
  let text = extra === '' ? '' : `,${extra.slice(1, -1)}`
  for (const name of names) {
    if (!extra.includes(`"${name}":`)) text += `,"${name}":null`
  }
  return text
}
