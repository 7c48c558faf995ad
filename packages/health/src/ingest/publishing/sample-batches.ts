import { toSource } from '@salus/contracts/providers'
import type { Sample } from '../sample.ts'
import { createSampleJson } from './sample-json.ts'

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
 * time, split by size. JSON texts.
 */
export function writeSampleBatches(samples: readonly Sample[], context: BatchContext): string[] {
  return groupBySource(samples).flatMap((group) => writeGroup(group, context))
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

function writeGroup(group: Sample[], context: BatchContext): string[] {
  const first = group[0] as Sample
  const source = JSON.stringify(
    toSource({ ...first, provider: context.provider }, context.deviceId, context.baseUrl),
  )
  const before = `{"source":${source},"data":[`
  const after = `],"user_id":"${context.userId}"}`
  const room = MOST_BYTES - ENVELOPE_BYTES
  const writeSample = createSampleJson(first.series, context.deviceId)
  const batches: string[] = []
  let items = ''
  let count = 0
  let bytes = 0
  for (const sample of inOrderOfTime(group)) {
    const item = writeSample(sample)
    // Only a text value contains characters of several bytes.
    const size = (sample.text === '' ? item.length : Buffer.byteLength(item)) + 1
    if (count === MOST_SAMPLES || (count > 0 && bytes + size > room)) {
      batches.push(before + items + after)
      items = ''
      count = 0
      bytes = 0
    }
    items += count === 0 ? item : `,${item}`
    count += 1
    bytes += size
  }
  batches.push(before + items + after)
  return batches
}

function inOrderOfTime(group: Sample[]): Sample[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { startedAt } of group) {
    if (startedAt < last) return group.toSorted((a, b) => a.startedAt - b.startedAt)
    last = startedAt
  }
  return group
}
