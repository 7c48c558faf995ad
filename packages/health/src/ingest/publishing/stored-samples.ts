import { WorkSlice } from '@salus/kernel/time-slices'
import type { Sample } from '../sample.ts'
import { NO_WORKOUT, readTimestamp, SAMPLE_COLUMNS } from '../sample-rows.ts'

/** A stored sample, with data that are not part of the sample. */
export interface StoredSample {
  provider: string
  version: number
  sample: Sample
}

const UNESCAPED: Record<string, string> = { t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' }

const unescapeTsv = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => UNESCAPED[character] ?? character)

/**
 * Reads TabSeparated lines in the order of SAMPLE_COLUMNS; keeps the newest version of each key.
 */
export async function readSamples(lines: string): Promise<StoredSample[]> {
  const slice = new WorkSlice()
  const newest = new Map<string, StoredSample>()
  for (const line of lines.split('\n')) {
    if (line === '') continue
    if (slice.isOver()) await slice.rest()
    const fields = line.split('\t')
    const row = Object.fromEntries(
      SAMPLE_COLUMNS.map((column, index) => [column, fields[index] ?? '']),
    ) as Record<(typeof SAMPLE_COLUMNS)[number], string>
    const key = fields.slice(0, SAMPLE_COLUMNS.indexOf('sport')).join('\t')
    const stored = toStoredSample(row)
    const known = newest.get(key)
    if (known === undefined || stored.version > known.version) newest.set(key, stored)
  }
  return [...newest.values()]
}

function toStoredSample(row: Record<(typeof SAMPLE_COLUMNS)[number], string>): StoredSample {
  const sample: Sample = {
    series: row.series,
    startedAt: readTimestamp(row.started_at),
    endedAt: readTimestamp(row.ended_at),
    value: Number(row.value),
    diastolic: Number(row.diastolic),
    text: unescapeTsv(row.text_value),
    sourceType: row.source_type,
    appId: unescapeTsv(row.app_id),
    sampleType: unescapeTsv(row.sample_type),
    workoutId: row.workout_id === NO_WORKOUT ? '' : row.workout_id,
    sport: unescapeTsv(row.sport),
    timezoneOffset: row.timezone_offset === '\\N' ? null : Number(row.timezone_offset),
    timeZone: row.time_zone,
    extra: unescapeTsv(row.extra),
    modifiedAt: null,
  }
  return { provider: row.provider, version: Number(row.version), sample }
}
