import type { Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import type { RankedSource, SourceRanking } from '../../source-priorities/index.ts'
import { MILLIONTHS } from './claim-samples.ts'
import { createLocalSlots, SLOT_MS, type SlotName } from './local-slots.ts'
import { type MergedChunk, type MergeRequest, mergeChunk } from './merge-chunk.ts'
import { keysOf } from './merged-period.ts'
import { EVERYTHING } from './roll-up.ts'
import { elementAt } from './source-samples.ts'

/** User and options of a merge whose parts other code computes with. */
export interface MergedPartsRequest {
  userId: string
  series: Series
  ranking: SourceRanking
  /** IANA zone for samples without an offset; null when none is known, which means UTC. */
  fallbackZone: string | null
  /** No part extends over the end of a slot; for readings, the best source of each slot counts. */
  slot: SlotName
  /** Local days since 1970-01-01, half-open. */
  fromDay: number
  toDay: number
  /** For a sum in days: one part for each day, type and source, instead of one for each sample. */
  isSummed: boolean
  /** Maximum number of samples to read. */
  mostSamples: number
}

/** The part of a sample that counts, within one slot. */
export interface MergedPart {
  /** Empty where the series has no types that are merged separately. */
  type: string
  source: RankedSource
  /** Its start in local time, epoch milliseconds as if it were UTC. */
  localMs: number
  /** Offset from UTC in seconds; null when unknown. */
  offset: number | null
  /** Seconds; 0 for a point, and where parts are summed. */
  duration: number
  /** In the unit of the series. */
  value: number
}

/** Days that are merged at a time, which bounds the memory. */
const CHUNK_DAYS = 31

/**
 * Yields the parts of samples that count in merged reads, chunk by chunk in order of time. Their
 * sum over a day equals that of the merged read.
 * @throws AppError 400 `range_too_large`
 */
export async function* readMergedParts(
  scope: Scope,
  request: MergedPartsRequest,
): AsyncGenerator<MergedPart[], void, undefined> {
  const { fromDay, toDay, slot, fallbackZone } = request
  const slotMs = SLOT_MS[slot]
  const zone = fallbackZone ?? 'UTC'
  const localSlots = createLocalSlots(slotMs, zone)
  const period = { ...EVERYTHING, fromDay, toDay }
  const [first, last] = keysOf(period, slotMs)
  const chunkKeys = CHUNK_DAYS * (slotMs === DAY_MS ? 1 : DAY_MS)
  let samplesLeft = request.mostSamples
  for (let fromKey = first; fromKey < last; fromKey += chunkKeys) {
    const parts: MergedPart[] = []
    const visit: MergeRequest['visit'] = (part, { type, samples }) => {
      const { source, startedAt, offset } = samples[part.source] as (typeof samples)[number]
      const own = elementAt(offset, part.index)
      const offsetMs = localSlots.offsetMs(
        part.from,
        localSlots.zoneOf(elementAt(startedAt, part.index), own),
      )
      parts.push({
        ...{ type, source, localMs: part.from + offsetMs },
        offset: Number.isNaN(own) && fallbackZone === null ? null : offsetMs / 1000,
        duration: Math.floor((part.to - part.from) / 1000),
        value: request.series.merge.kind === 'sum' ? part.amount / MILLIONTHS : part.amount,
      })
    }
    const merge = { ...request, provider: '', fallbackZone: zone, slotMs, explain: false }
    const toKey = Math.min(last, fromKey + chunkKeys)
    const chunks = await mergeChunk(scope, request.isSummed ? merge : { ...merge, visit }, {
      ...period,
      fromKey,
      toKey,
    })
    samplesLeft -= countSamples(chunks)
    if (samplesLeft < 0) {
      throw badRequest(
        'range_too_large',
        'The query reads too much data. Query a shorter time range.',
      )
    }
    yield request.isSummed ? chunks.flatMap(sumParts) : parts
  }
}

const countSamples = (chunks: readonly MergedChunk[]): number =>
  chunks.flatMap(({ samples }) => samples).reduce((sum, { startedAt }) => sum + startedAt.length, 0)

function sumParts({ type, slots, sources }: MergedChunk): MergedPart[] {
  return slots.flatMap(({ first, offsetMs, shares }) =>
    shares.map((share) => ({
      type,
      source: sources[share.source] as RankedSource,
      localMs: first + offsetMs,
      offset: null,
      duration: 0,
      value: share.amount / MILLIONTHS,
    })),
  )
}
