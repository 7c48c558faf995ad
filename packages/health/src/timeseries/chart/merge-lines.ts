import type { Scope } from '@salus/kernel/scope'
import type { RankedSource, SourceRanking } from '../../source-priorities/index.ts'
import { MILLIONTHS } from '../merged/claim-samples.ts'
import { mergeChunk } from '../merged/merge-chunk.ts'
import type { RollUpWindow, Slot } from '../merged/roll-up.ts'
import type { Chart } from './chart.schema.ts'
import {
  type BucketFilter,
  type BucketValues,
  listMergedBuckets,
  QUARTER_MS,
  type SourceBucket,
} from './chart-buckets.repository.ts'
import { type ChartPoint, MOST_SOURCES, type PointLine } from './chart-lines.ts'

/** The sources of a chart, the best first. */
export interface ChartSources {
  list: readonly RankedSource[]
  /** Codes of the engine, in the same order. */
  codes: readonly number[]
}

const toSource = ({ provider, source_type, app_id }: SourceBucket): RankedSource => ({
  provider,
  sourceType: source_type,
  appId: app_id,
})

/** Ranks the sources of buckets. */
export function rankBucketSources(
  rows: readonly SourceBucket[],
  ranking: SourceRanking,
): ChartSources {
  const byCode = new Map(rows.map((row) => [row.source, row]))
  const ranked = [...byCode]
    .map(([code, row]) => ({ code, source: toSource(row) }))
    .sort((a, b) => ranking.compare(a.source, b.source))
  return { list: ranked.map(({ source }) => source), codes: ranked.map(({ code }) => code) }
}

const positionsOf = ({ codes }: ChartSources): Map<number, number> =>
  new Map(codes.map((code, position) => [code, position]))

/** Returns a line for each type and source. */
export function listSourceLines(rows: readonly SourceBucket[], sources: ChartSources): PointLine[] {
  const positions = positionsOf(sources)
  const lines = Map.groupBy(rows, ({ type, source }) => `${positions.get(source)}\t${type}`)
  return [...lines.values()]
    .map((ofLine) => {
      const { type, source } = ofLine[0] as SourceBucket
      const position = positions.get(source) as number
      const only = [position]
      const points = ofLine.map((row) => ({ ...row, used: only, present: only }))
      return { type, source: position, points }
    })
    .filter(({ source }) => source < MOST_SOURCES)
    .sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : a.source - b.source))
}

interface MergeInput {
  filter: BucketFilter
  ranking: SourceRanking
  rows: readonly SourceBucket[]
  sources: ChartSources
  window: RollUpWindow
}

interface MergedLines {
  lines: PointLine[]
  precision: Chart['precision']
}

/**
 * Maximum number of samples up to which sums are merged sample by sample, which takes some 100 ms.
 */
const MOST_EXACT_SAMPLES = 100_000

/**
 * Returns one line for each type, of all sources. Amounts are merged like the merged read while
 * that is fast; otherwise, and for readings, the best source with data counts in each bucket, or,
 * where a bucket is longer, in each quarter of an hour. So an hour with a chest strap does not hide
 * the day of a watch.
 */
export async function mergeLines(scope: Scope, input: MergeInput): Promise<MergedLines> {
  const { filter, rows, sources } = input
  const isSum = filter.series.merge.kind === 'sum'
  const samples = rows.reduce((sum, { count }) => sum + count, 0)
  const present = listPresent(rows, sources)
  if (isSum && samples <= MOST_EXACT_SAMPLES) {
    return { lines: await mergeExactly(scope, input, present), precision: 'exact' }
  }
  const isContested = present.size < rows.length
  if (isContested && filter.bucketMs > QUARTER_MS) {
    const positions = positionsOf(sources)
    const merged = await listMergedBuckets(scope, filter, sources.codes)
    const points = merged.map((row) =>
      toPoint(row, row.used.map((code) => positions.get(code) as number).sort(), present),
    )
    return { lines: linesOf(points), precision: 'quarter_hours' }
  }
  const points = [...Map.groupBy(rows, keyOf).values()].map((ofBucket) => {
    const best = pickBest(ofBucket, sources)
    return toPoint(best.row, [best.position], present)
  })
  return { lines: linesOf(points), precision: isSum ? 'quarter_hours' : 'exact' }
}

const keyOf = ({ key, type }: Pick<BucketValues, 'key' | 'type'>): string => `${key}\t${type}`

/** Returns the sources with samples, by bucket and type. */
function listPresent(
  rows: readonly SourceBucket[],
  sources: ChartSources,
): Map<string, readonly number[]> {
  const positions = positionsOf(sources)
  const present = new Map<string, number[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const position = positions.get(row.source) as number
    const known = present.get(key)
    if (known === undefined) present.set(key, [position])
    else known.push(position)
  }
  return present
}

function pickBest(
  rows: readonly SourceBucket[],
  sources: ChartSources,
): { row: SourceBucket; position: number } {
  const ranked = rows.map((row) => ({ row, position: sources.codes.indexOf(row.source) }))
  return ranked.reduce((best, other) => (other.position < best.position ? other : best))
}

function toPoint(
  values: BucketValues,
  used: readonly number[],
  present: ReadonlyMap<string, readonly number[]>,
): ChartPoint {
  return { ...values, used, present: present.get(keyOf(values)) ?? used }
}

function linesOf(points: readonly ChartPoint[]): PointLine[] {
  const byType = Map.groupBy(points, ({ type }) => type)
  return [...byType.keys()]
    .sort()
    .map((type) => ({ type, source: null, points: byType.get(type) ?? [] }))
}

/** Merges like the merged read: each instant counts once. */
async function mergeExactly(
  scope: Scope,
  { filter, ranking, window, sources }: MergeInput,
  present: ReadonlyMap<string, readonly number[]>,
): Promise<PointLine[]> {
  const { userId, series, provider, fallbackZone, bucketMs } = filter
  const chunks = await mergeChunk(
    scope,
    { userId, series, ranking, provider, fallbackZone, slotMs: bucketMs, explain: false },
    window,
  )
  const name = (source: RankedSource) => JSON.stringify(Object.values(source))
  const positions = new Map(sources.list.map((source, position) => [name(source), position]))
  const points = chunks.flatMap(({ type, slots, sources: ofChunk }) =>
    slots.map((slot) => {
      const used = slot.shares
        .map(({ source }) => positions.get(name(ofChunk[source] as RankedSource)) ?? -1)
        .filter((position) => position >= 0)
        .sort((a, b) => a - b)
      return toPoint(valuesOfSlot(slot, type), used, present)
    }),
  )
  return linesOf(points)
}

function valuesOfSlot(slot: Slot, type: string): BucketValues {
  const sum = slot.shares.reduce((total, { amount }) => total + amount, 0) / MILLIONTHS
  const count = slot.shares.reduce((total, share) => total + share.count, 0)
  const nothing = { diastolic_sum: 0, diastolic_min: 0, diastolic_max: 0, diastolic_last: 0 }
  const values = { count, sum, min: sum, max: sum, last: sum, ...nothing }
  return { key: slot.key, type, first: slot.first, offset: slot.offsetMs / 1000, ...values }
}
