import { getUserRow } from '@salus/accounts/users'
import { type SeriesName, series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { findSourceRankings, type SourceRanking } from '../../source-priorities/index.ts'
import { mergeChunk } from './merge-chunk.ts'
import { type MergedSlot, toMergedSlot } from './merge-series.ts'
import { chunkDaysOf, dayNumber } from './merged-period.ts'
import { EVERYTHING } from './roll-up.ts'

/**
 * Returns local days of a user, each series merged from all sources: by series, then by calendar
 * date. A day without samples is missing. For series whose samples need no type.
 * @param fromDate First calendar date.
 * @param toDate Last calendar date, included.
 * @throws AppError 404 for the user.
 */
export async function mergeDays<Name extends SeriesName>(
  scope: Scope,
  userId: string,
  resources: readonly Name[],
  fromDate: string,
  toDate: string,
): Promise<Map<Name, Map<string, MergedSlot>>> {
  const user = await getUserRow(scope, userId)
  const rankings = await findSourceRankings(scope, user.id, resources)
  const zone = user.fallback_time_zone ?? 'UTC'
  const range: [number, number] = [dayNumber(fromDate), dayNumber(toDate) + 1]
  const days = new Map<Name, Map<string, MergedSlot>>()
  for (const name of resources) {
    const ranking = rankings.get(name) as SourceRanking
    days.set(name, await mergeDaysOfSeries(scope, user.id, { name, ranking, zone, range }))
  }
  return days
}

async function mergeDaysOfSeries(
  scope: Scope,
  userId: string,
  part: {
    name: SeriesName
    ranking: SourceRanking
    zone: string
    range: [fromDay: number, toDay: number]
  },
): Promise<Map<string, MergedSlot>> {
  const [fromDay, toDay] = part.range
  const request = {
    userId,
    series: series(part.name),
    ranking: part.ranking,
    provider: '',
    fallbackZone: part.zone,
    slotMs: DAY_MS,
    explain: false,
  }
  const chunkDays = chunkDaysOf('day', false)
  const days = new Map<string, MergedSlot>()
  for (let fromKey = fromDay; fromKey < toDay; fromKey += chunkDays) {
    const toKey = Math.min(toDay, fromKey + chunkDays)
    const window = { ...EVERYTHING, fromDay, toDay, fromKey, toKey }
    const [chunk] = await mergeChunk(scope, request, window)
    if (chunk === undefined) continue
    for (const slot of chunk.slots) {
      const day = toMergedSlot(slot, chunk.options.rule, chunk.sources)
      days.set(day.calendarDate, day)
    }
  }
  return days
}
