import { toSource } from '@salus/contracts/providers'
import { type SeriesName, series as seriesOf } from '@salus/contracts/series'
import type { Sample } from '../sample.ts'
import { SampleBytes, SampleWriter } from './sample-bytes.ts'

/**
 * Maximum number of samples, and of their bytes, in one event
 * (docs/contract/08-webhooks-and-events.md#event-types).
 */
export const MOST_SAMPLES = 1_000
export const MOST_BYTES = 256 * 1024
/** Room for the envelope around the samples. */
const ENVELOPE_BYTES = 4 * 1024

interface BatchContext {
  provider: string
  userId: string
  /** The user's only device of the provider. */
  deviceId: string | null
  baseUrl: string
}

/**
 * Writes the data of events about samples: groups by source as in the grouped read, in order of
 * time, split by size.
 * @param take Takes the JSON text of each; its bytes are written over afterwards.
 */
export function writeSampleBatches(
  samples: readonly Sample[],
  context: BatchContext,
  take: (json: Uint8Array) => void,
): void {
  for (const group of groupBySource(samples)) writeGroup(group, context, take)
}

function isSameSource(a: Sample, b: Sample): boolean {
  return (
    a.series === b.series &&
    a.sourceType === b.sourceType &&
    a.appId === b.appId &&
    a.sport === b.sport &&
    a.workoutId === b.workoutId
  )
}

function groupBySource(samples: readonly Sample[]): Sample[][] {
  const groups = new Map<string, Sample[]>()
  let last: Sample[] | undefined
  for (const sample of samples) {
    // Consecutive samples mostly share their source.
    if (last?.[0] === undefined || !isSameSource(last[0], sample)) {
      const { series, sourceType, appId, sport, workoutId } = sample
      const key = JSON.stringify([series, sourceType, appId, sport, workoutId])
      last = groups.get(key)
      if (last === undefined) {
        last = []
        groups.set(key, last)
      }
    }
    last.push(sample)
  }
  return [...groups.values()]
}

/** Memory of one batch, which each call uses again: fresh pages cost as much as writing them. */
const BYTES = new SampleBytes()

function writeGroup(
  group: Sample[],
  { provider, userId, deviceId, baseUrl }: BatchContext,
  take: (json: Uint8Array) => void,
): void {
  const first = group[0] as Sample
  const source = JSON.stringify(toSource({ ...first, provider }, deviceId, baseUrl))
  const before = `{"source":${source},"data":[`
  const after = Buffer.from(`],"user_id":"${userId}"}`)
  const room = MOST_BYTES - ENVELOPE_BYTES
  const writerOf = createWriterFinder(first.series, deviceId)
  BYTES.begin(before)
  const begin = BYTES.length
  let count = 0
  for (const sample of inOrderOfTime(group)) {
    const start = BYTES.length
    writerOf(sample).write(BYTES, sample)
    if (count === MOST_SAMPLES || (count > 0 && BYTES.length - begin >= room)) {
      // Without the comma before it.
      const item = BYTES.cut(start).subarray(1)
      BYTES.addBytes(after)
      take(BYTES.finish())
      BYTES.begin(before)
      BYTES.addBytes(item)
      count = 0
    }
    count += 1
  }
  BYTES.addBytes(after)
  take(BYTES.finish())
}

/** Finds the writer of each sample of a source; consecutive samples mostly share it. */
function createWriterFinder(seriesName: string, deviceId: string | null) {
  const series = seriesOf(seriesName as SeriesName)
  let last: Sample | undefined
  let writer: SampleWriter | undefined
  return (sample: Sample): SampleWriter => {
    const { sampleType, timezoneOffset, extra } = sample
    const isSame =
      last?.sampleType === sampleType &&
      last.timezoneOffset === timezoneOffset &&
      last.extra === extra
    if (writer === undefined || !isSame) writer = new SampleWriter(series, sample, deviceId)
    last = sample
    return writer
  }
}

function inOrderOfTime(group: Sample[]): Sample[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { startedAt } of group) {
    if (startedAt < last) return group.toSorted((a, b) => a.startedAt - b.startedAt)
    last = startedAt
  }
  return group
}
