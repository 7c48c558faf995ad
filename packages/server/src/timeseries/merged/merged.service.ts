import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import type { Series } from '../../series/index.ts'
import { findSourceRanking, type RankedSource } from '../../source-priorities/index.ts'
import type { Tenant } from '../../teams/index.ts'
import { getUserRow } from '../../users/index.ts'
import { type ExplainedSample, explainSlots } from './explain-slots.ts'
import { type MergedChunk, type MergeRequest, mergeChunk } from './merge-chunk.ts'
import { toMergedSlot } from './merge-series.ts'
import type { Merged, MergedItem, MergedQuery, MergedSource } from './merged.schema.ts'
import { keysOf, type MergedPeriod, mergedPeriodOf, reachOf } from './merged-period.ts'
import { DAY_MS, SLOT_MS } from './slot-clock.ts'

export interface MergedContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  tenant: Tenant
}

/** A page ends when it has that many slots, or lists that many samples. */
const PAGE_SLOTS = 2000
const PAGE_SAMPLES = 10_000

const isKey = (position: unknown[]): boolean =>
  position.length === 1 && Number.isSafeInteger(position[0])

/**
 * One page of a merged series: slots that have data, in order of time.
 * @throws AppError 400 `invalid_date_range`, `range_too_large` or `invalid_cursor`, 404 for the user.
 */
export async function readMerged(
  context: MergedContext,
  userId: string,
  series: Series,
  query: MergedQuery,
): Promise<Merged> {
  const { db, clickhouse, clock, tenant } = context
  const { environmentId } = tenant
  const user = await getUserRow(db, environmentId, userId)
  const { slot, explain, provider } = query
  const { mostDays, chunkDays } = reachOf(slot, explain)
  const period = mergedPeriodOf(query, mostDays, clock.now())
  const dates = [query.start_date, query.end_date ?? null]
  const scope = ['merged', user.id, series.name, ...dates, slot, explain, provider]
  const ranking = await findSourceRanking(db, environmentId, user.id, series.name)
  const request: MergeRequest = {
    clickhouse,
    environmentId,
    userId: user.id,
    series,
    ranking,
    provider,
    fallbackZone: user.fallback_time_zone ?? 'UTC',
    slotMs: SLOT_MS[slot],
  }
  const after = query.next_cursor
    ? (decodeCursor(scope, query.next_cursor, isKey)[0] as number)
    : Number.NEGATIVE_INFINITY
  const { data, next } = await readPage(request, period, { after, chunkDays, explain })
  return { data, next_cursor: next === null ? null : encodeCursor(scope, [next]) }
}

/** Slots from a key on, chunk by chunk, until a page is full or all are there. */
async function readPage(
  request: MergeRequest,
  period: MergedPeriod,
  page: { after: number; chunkDays: number; explain: boolean },
): Promise<{ data: MergedItem[]; next: number | null }> {
  const chunkKeys = page.chunkDays * (request.slotMs === DAY_MS ? 1 : DAY_MS)
  const [first, last] = keysOf(period, request.slotMs)
  const data: MergedItem[] = []
  let listed = 0
  let fromKey = Math.max(first, page.after)
  while (fromKey < last && data.length < PAGE_SLOTS && listed < PAGE_SAMPLES) {
    const toKey = Math.min(last, fromKey + chunkKeys)
    const chunks = await mergeChunk(request, { ...period, fromKey, toKey })
    for (const item of toItems(request.series, chunks, page.explain)) {
      data.push(item)
      listed += (item.used?.length ?? 0) + (item.set_aside?.length ?? 0)
    }
    fromKey = toKey
  }
  return { data, next: fromKey < last ? fromKey : null }
}

/** Slots of all types in order of time. */
function toItems(series: Series, chunks: readonly MergedChunk[], explain: boolean): MergedItem[] {
  const items = chunks.flatMap((chunk) => toItemsOfType(series, chunk, explain))
  if (chunks.length > 1) items.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  return items
}

function toItemsOfType(series: Series, chunk: MergedChunk, explain: boolean): MergedItem[] {
  const explanations = explain ? explainSlots(chunk) : undefined
  return chunk.slots.map((slot) => {
    const merged = toMergedSlot(slot, chunk.options.rule, chunk.sources)
    const explanation = explanations?.get(slot)
    return {
      start: formatInstant(merged.start),
      end: formatInstant(merged.end),
      calendar_date: merged.calendarDate,
      timezone_offset: Math.round(merged.offsetMs / 1000),
      type: chunk.type || null,
      value: merged.value,
      unit: series.unit,
      min: merged.min,
      max: merged.max,
      count: merged.count,
      sources: merged.sources.map(({ source, value, count }) => ({
        ...toMergedSource(source),
        value,
        count,
      })),
      used: explanation?.used.map(toUsedSample) ?? null,
      set_aside:
        explanation?.setAside.map((sample) => ({
          ...toUsedSample(sample),
          reason: sample.reason,
          won_by: toMergedSource(sample.wonBy),
        })) ?? null,
    }
  })
}

/** A source as answers about merged data show it. */
export function toMergedSource({ provider, sourceType, appId }: RankedSource): MergedSource {
  return { provider, type: sourceType as MergedSource['type'], app_id: appId || null }
}

function toUsedSample({ source, startedAt, endedAt, value, part }: ExplainedSample) {
  return {
    source: toMergedSource(source),
    start: formatInstant(startedAt),
    end: formatInstant(endedAt),
    value,
    part,
  }
}
