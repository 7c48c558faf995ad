import { getUserRow, type UserRow } from '@salus/accounts/users'
import type { Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  findSourceRanking,
  type RankedSource,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { type ExplainedSample, explainSlots, type SlotExplanation } from './explain-slots.ts'
import { SLOT_MS, type SlotName } from './local-slots.ts'
import { type MergedChunk, type MergeRequest, mergeChunk } from './merge-chunk.ts'
import { toMergedSlot } from './merge-series.ts'
import type { Merged, MergedItem, MergedQuery, MergedSource } from './merged.schema.ts'
import {
  chunkDaysOf,
  dayNumber,
  keysOf,
  type MergedPeriod,
  mergedPeriodOf,
} from './merged-period.ts'
import { findNextSample } from './merged-samples.repository.ts'
import { EVERYTHING, type Slot } from './roll-up.ts'

/** A page ends when it has this many slots, or lists this many samples and sources. */
const PAGE_SLOTS = 2000
const PAGE_LISTED = 10_000
/** A page with any slot ends after this many chunks of the range. */
const PAGE_CHUNKS = 32

/** Maximum number of sources in a slot: no user wears more, but a client may send thousands. */
const MOST_SOURCES = 50

const PAGES = new KeysetPages({ key: integerKey() })

/**
 * Returns one page of a merged series: slots with data, in order of time.
 * @throws AppError 400 `invalid_date_range` or `invalid_cursor`, `range_too_large` where samples
 *   overlap too much, 404 for the user.
 */
export async function readMerged(
  scope: Scope,
  userId: string,
  series: Series,
  query: MergedQuery,
): Promise<Merged> {
  const user = await getUserRow(scope, userId)
  const { slot, explain, provider } = query
  const chunkDays = chunkDaysOf(slot, explain)
  const period = mergedPeriodOf(query, scope.clock.now())
  const dates = [query.start_date, query.end_date ?? null]
  const list = ['merged', user.id, series.name, ...dates, slot, explain, provider]
  const ranking = await findSourceRanking(scope, user.id, series.name)
  const request: MergeRequest = {
    userId: user.id,
    series,
    ranking,
    provider,
    fallbackZone: user.fallback_time_zone ?? 'UTC',
    slotMs: SLOT_MS[slot],
    explain,
  }
  const after = PAGES.read(list, query.next_cursor)?.key ?? Number.NEGATIVE_INFINITY
  const { data, next } = await readPage(scope, request, period, { after, chunkDays })
  return { data, next_cursor: PAGES.write(list, next === null ? null : { key: next }) }
}

/** One local day of a merged series, by one ranking of the sources. */
interface RankedDay {
  /** One item for each type of samples. */
  day: MergedItem[]
  hours: MergedItem[]
  /** Sources with samples on the day or within a day of it, best first. */
  sources: MergedSource[]
}

/**
 * Merges one local day of a user, whatever rules are stored.
 * @param date Calendar date of the user.
 * @throws AppError 400 `range_too_large` where samples overlap too much
 */
export async function mergeRankedDay(
  scope: Scope,
  user: UserRow,
  of: { series: Series; date: string; ranking: SourceRanking },
): Promise<RankedDay> {
  const fromDay = dayNumber(of.date)
  const period = { ...EVERYTHING, fromDay, toDay: fromDay + 1 }
  const merge = async (slot: SlotName) => {
    const request: MergeRequest = {
      userId: user.id,
      series: of.series,
      ranking: of.ranking,
      provider: '',
      fallbackZone: user.fallback_time_zone ?? 'UTC',
      slotMs: SLOT_MS[slot],
      explain: false,
    }
    const [fromKey, toKey] = keysOf(period, request.slotMs)
    const chunks = await mergeChunk(scope, request, { ...period, fromKey, toKey })
    return { items: await toItems(request, chunks), chunks }
  }
  const day = await merge('day')
  const hours = await merge('hour')
  const sources = day.chunks.flatMap((chunk) => chunk.sources).sort(of.ranking.compare)
  const byText = new Map(sources.map((one) => [JSON.stringify(toMergedSource(one)), one]))
  return {
    day: day.items,
    hours: hours.items,
    sources: [...byText.values()].slice(0, MOST_SOURCES).map(toMergedSource),
  }
}

/** Reads slots from a key on, chunk by chunk, until a page is full or the range ends. */
async function readPage(
  scope: Scope,
  request: MergeRequest,
  period: MergedPeriod,
  page: { after: number; chunkDays: number },
): Promise<{ data: MergedItem[]; next: number | null }> {
  const chunkKeys = page.chunkDays * (request.slotMs === DAY_MS ? 1 : DAY_MS)
  const [first, last] = keysOf(period, request.slotMs)
  const data: MergedItem[] = []
  let listed = 0
  let fromKey = Math.max(first, page.after)
  for (let count = 0; fromKey < last; count++) {
    if (data.length >= PAGE_SLOTS || listed >= PAGE_LISTED) break
    if (count >= PAGE_CHUNKS && data.length > 0) break
    const toKey = Math.min(last, fromKey + chunkKeys)
    const chunks = await mergeChunk(scope, request, { ...period, fromKey, toKey })
    if (chunks.length === 0) {
      fromKey = (await findNextKey(scope, request, toKey)) ?? last
      continue
    }
    for (const item of await toItems(request, chunks)) {
      data.push(item)
      listed += item.sources.length + (item.used?.length ?? 0) + (item.set_aside?.length ?? 0)
    }
    fromKey = toKey
  }
  return { data, next: fromKey < last ? fromKey : null }
}

/**
 * Returns where to continue after a time without samples: shortly before the next one; undefined
 * when there are no more.
 */
async function findNextKey(
  scope: Scope,
  { userId, series, provider, slotMs }: MergeRequest,
  key: number,
): Promise<number | undefined> {
  const keyMs = slotMs === DAY_MS ? DAY_MS : 1
  const filter = { userId, series, provider, from: key * keyMs - NEAR_MS }
  const next = await findNextSample(scope, filter)
  return next === undefined ? undefined : Math.max(key, Math.floor((next - NEAR_MS) / keyMs))
}

/** More than a sample may begin before its slot, or local time be off. */
const NEAR_MS = 3 * DAY_MS

/** Converts slots of all types in order of time. */
async function toItems(
  request: MergeRequest,
  chunks: readonly MergedChunk[],
): Promise<MergedItem[]> {
  const items: MergedItem[] = []
  for (const chunk of chunks) {
    const explanations = request.explain ? await explainSlots(chunk) : undefined
    for (const slot of chunk.slots) {
      items.push(toItem(request.series, chunk, slot, explanations?.get(slot)))
    }
  }
  if (chunks.length > 1) items.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  return items
}

function toItem(
  series: Series,
  chunk: MergedChunk,
  slot: Slot,
  explanation: SlotExplanation | undefined,
): MergedItem {
  const merged = toMergedSlot(slot, chunk.options.rule, chunk.sources)
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
    sources: merged.sources.slice(0, MOST_SOURCES).map(({ source, value, count }) => ({
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
}

/** Converts a source for answers about merged data. */
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
