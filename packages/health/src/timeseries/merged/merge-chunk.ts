import type { Series } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { runInSlices } from '@salus/kernel/time-slices'
import type { RankedSource, SourceRanking } from '../../source-priorities/index.ts'
import type { Claims } from './claim-samples.ts'
import { createLocalSlots } from './local-slots.ts'
import { mergeSources, rankSources } from './merge-series.ts'
import { FIRST_MS, LAST_MS, MOST_AHEAD_MS, MOST_BEHIND_MS } from './merged-period.ts'
import { readMergeSamples } from './merged-samples.repository.ts'
import type { CountedPart, RollUpOptions, RollUpWindow, Slot } from './roll-up.ts'
import type { SourceSamples } from './source-samples.ts'

/** User, series and options of a merge. */
export interface MergeRequest {
  userId: string
  series: Series
  ranking: SourceRanking
  /** Provider slug, or empty for all. */
  provider: string
  /** IANA zone for samples without an offset. */
  fallbackZone: string
  slotMs: number
  /** Whether the answer lists the samples, each with the source that has its time instead. */
  explain: boolean
  /** Called with each part of a sample that counts, type by type. */
  visit?: (part: CountedPart, of: { type: string; samples: readonly SourceSamples[] }) => void
}

/** Slots of one type of samples, with their samples. */
export interface MergedChunk {
  /** Empty where the series has no types that are merged separately. */
  type: string
  slots: Slot[]
  /** From the best to the last. */
  sources: RankedSource[]
  samples: SourceSamples[]
  /** For sums: the parts of the samples. */
  claims: Claims[]
  options: RollUpOptions
}

/**
 * Which samples count depends on overlapping ones, also outside the window: with a day more on both
 * sides the result is independent of the window.
 */
const CONTEXT_MS = 26 * HOUR_MS

/** Returns the instants that slots and days of a window may have. */
export function instantsOf(window: RollUpWindow, slotMs: number): [from: number, to: number] {
  const byKey =
    slotMs === DAY_MS
      ? [window.fromKey * DAY_MS - MOST_AHEAD_MS, window.toKey * DAY_MS + MOST_BEHIND_MS]
      : [window.fromKey, window.toKey + slotMs]
  const byDay = [window.fromDay * DAY_MS - MOST_AHEAD_MS, window.toDay * DAY_MS + MOST_BEHIND_MS]
  return [
    Math.max(window.from, byKey[0] as number, byDay[0] as number, FIRST_MS),
    Math.min(window.to, byKey[1] as number, byDay[1] as number, LAST_MS),
  ]
}

/**
 * Reads and merges the samples of a window, whose bounds of instants or of days are finite. Returns
 * one chunk for each type of samples, in order of type; slots in order of time.
 * @throws AppError 400 `range_too_large` when the samples overlap in too many parts
 */
export async function mergeChunk(
  scope: Scope,
  request: MergeRequest,
  window: RollUpWindow,
): Promise<MergedChunk[]> {
  const { userId, series, provider, slotMs, visit } = request
  const rule = series.merge
  const context = rule.kind === 'sum' ? CONTEXT_MS : 0
  const [from, to] = instantsOf(window, slotMs)
  const rows = await readMergeSamples(scope, {
    ...{ userId, series, provider },
    from: from - context,
    to: to + context,
  })
  const localSlots = createLocalSlots(slotMs, request.fallbackZone)
  const byType = Map.groupBy(rows, ({ type }) => type)
  const chunks: MergedChunk[] = []
  for (const type of [...byType.keys()].sort()) {
    const ofType = (byType.get(type) ?? []).map(({ samples }) => samples)
    const samples = await runInSlices(rankSources(ofType, request.ranking))
    const options: RollUpOptions = {
      ...{ rule, localSlots, window, slots: new Map<number, Slot>() },
      visit: visit && ((part) => visit(part, { type, samples })),
    }
    const claims = await runInSlices(mergeSources(samples, options, request.explain))
    const slots = [...options.slots.values()].sort((a, b) => a.key - b.key)
    const sources = samples.map(({ source }) => source)
    chunks.push({ type, slots, sources, samples, claims, options })
  }
  return chunks
}
