import type { MergeRule } from '@salus/contracts/series'
import { runAtOnce } from '@salus/kernel/time-slices'
import {
  DEFAULT_RANKING,
  type RankedSource,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { type Claims, claimSamples, MILLIONTHS } from './claim-samples.ts'
import { createLocalSlots } from './local-slots.ts'
import { EVERYTHING, type RollUpOptions, rollUpLevels, rollUpSums, type Slot } from './roll-up.ts'
import { groupBySource, type MergeSample, type SourceSamples } from './source-samples.ts'

/** One slot of a merged series. */
export interface MergedSlot {
  /** Instants, half-open, epoch milliseconds. */
  start: number
  end: number
  /** Offset from UTC in milliseconds at the first sample of the slot. */
  offsetMs: number
  /** The local calendar day, YYYY-MM-DD. */
  calendarDate: string
  /** In the unit of the series: the sum, or the mean of readings. */
  value: number
  /** Number of samples that count. */
  count: number
  /** Smallest and largest reading; null for a sum. */
  min: number | null
  max: number | null
  /** The sources of the value, the best first, with their contributions. */
  sources: { source: RankedSource; value: number; count: number }[]
}

/** Sources between two pauses. */
const SOURCES_BETWEEN_PAUSES = 64

/**
 * Yields sources in order of a ranking, the best first.
 * @param sources In order of provider, source type and app, which decides between sources of equal
 *   rank.
 */
export function* rankSources(
  sources: readonly SourceSamples[],
  ranking: SourceRanking,
): Generator<void, SourceSamples[]> {
  const byRank = new Map<string, { preference: number; rank: number; equals: SourceSamples[] }>()
  for (const [index, samples] of sources.entries()) {
    const preference = ranking.preference(samples.source)
    const rank = ranking.rank(samples.source)
    const known = byRank.get(`${preference} ${rank}`)
    if (known === undefined) {
      byRank.set(`${preference} ${rank}`, { preference, rank, equals: [samples] })
    } else known.equals.push(samples)
    if (index % SOURCES_BETWEEN_PAUSES === 0) yield
  }
  return [...byRank.values()]
    .sort((a, b) => b.preference - a.preference || b.rank - a.rank)
    .flatMap(({ equals }) => equals)
}

/**
 * Merges the samples of sources in order of rank into the slots of the options.
 * @param keepsWinners As in `claimSamples`.
 * @returns For sums: the parts of the samples.
 */
export function* mergeSources(
  ranked: readonly SourceSamples[],
  options: RollUpOptions,
  keepsWinners: boolean,
): Generator<void, Claims[]> {
  if (options.rule.kind === 'level') {
    yield* rollUpLevels(ranked, options)
    return []
  }
  const claims = yield* claimSamples(ranked, options.rule, keepsWinners)
  yield* rollUpSums(claims, options)
  return claims
}

/** Converts a filled slot to units of the series. */
export function toMergedSlot(
  slot: Slot,
  rule: MergeRule,
  sources: readonly RankedSource[],
): MergedSlot {
  const isLevel = rule.kind === 'level'
  const shares = slot.shares.toSorted((a, b) => a.source - b.source)
  const amount = shares.reduce((sum, share) => sum + share.amount, 0)
  const count = shares.reduce((sum, share) => sum + share.count, 0)
  const first = shares[0]
  const inUnits = (sum: number, samples: number): number =>
    isLevel ? roundToMillionths(sum / samples) : sum / MILLIONTHS
  return {
    start: slot.start,
    end: slot.end,
    offsetMs: slot.offsetMs,
    calendarDate: new Date(slot.first + slot.offsetMs).toISOString().slice(0, 10),
    value: inUnits(amount, count),
    count,
    min: isLevel && first !== undefined ? first.min : null,
    max: isLevel && first !== undefined ? first.max : null,
    sources: shares.map((share) => ({
      source: sources[share.source] as RankedSource,
      value: inUnits(share.amount, share.count),
      count: share.count,
    })),
  }
}

const roundToMillionths = (value: number): number => Math.round(value * MILLIONTHS) / MILLIONTHS

/**
 * Merges the samples of all sources of one person and series into one series of slots, in order of
 * time; slots without data are left out. Each instant of a sum counts once, so the sum of all slots
 * is the same whatever their length, and exact: whole counts stay whole.
 * @param rule How the series is merged: `merge` of its row. Not of kind `none`.
 * @param samples In any order. Of a series whose samples have types: samples of one type.
 * @param ranking Which source counts where several have data; DEFAULT_RANKING goes by source type.
 * @param slotMs Length of a slot; 86,400,000 is the local calendar day.
 * @param fallbackZone IANA zone for samples without an offset.
 */
export function mergeSeries(
  rule: MergeRule,
  samples: readonly MergeSample[],
  ranking: SourceRanking = DEFAULT_RANKING,
  slotMs = 900_000,
  fallbackZone = 'UTC',
): MergedSlot[] {
  const ranked = runAtOnce(rankSources(groupBySource(samples), ranking))
  const localSlots = createLocalSlots(slotMs, fallbackZone)
  const slots = new Map()
  runAtOnce(mergeSources(ranked, { rule, localSlots, window: EVERYTHING, slots }, false))
  const sources = ranked.map(({ source }) => source)
  return [...slots.values()]
    .sort((a, b) => a.key - b.key)
    .map((slot) => toMergedSlot(slot, rule, sources))
}
