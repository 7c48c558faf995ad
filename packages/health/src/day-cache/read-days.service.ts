import type { Series } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Scope } from '@salus/kernel/scope'
import type { CachedDay, DayRange, FoundDays } from './cached-days.repository.ts'
import * as repository from './cached-days.repository.ts'
import { readAdditions, readDay, writeDay } from './day-codec.ts'
import { type OrderedSamples, type OriginSamples, orderSamples } from './day-samples.ts'
import { dayOf } from './day-writes.global.repository.ts'
import { readStoredDays } from './stored-days.repository.ts'

/** Maximum number of days of a narrow read: a week that begins at any time of a day. */
const MOST_DAYS = 8
/** Days with more samples are not copied, and their reads are left to ClickHouse. */
const MOST_SAMPLES = 10_000
/** Bytes of additions from which a reader merges them into the content. */
const MOST_ADDED_BYTES = 8_192
/** How long a copy is read without noting that it is. */
const NOTED_MS = HOUR_MS

interface DaysFilter {
  userId: string
  series: readonly Series[]
  /** Epoch milliseconds, both included. */
  from: number
  to: number
}

export interface ReadDays extends Pick<FoundDays, 'devices' | 'version'> {
  /** All samples of the days; without series whose days must be read from ClickHouse. */
  samples: ReadonlyMap<Series, OrderedSamples>
}

/** Whether a read is narrow enough to be answered from days. */
export function isNarrow(
  clickhouse: ClickHouse,
  { from, to }: Pick<DaysFilter, 'from' | 'to'>,
): boolean {
  // A second replica may answer when the first one fails, and may be behind: a copy of its answer
  // would stay behind.
  return clickhouse.cluster === undefined && dayOf(to) - dayOf(from) < MOST_DAYS
}

/**
 * Returns the samples of the days of a narrow read, or undefined when there is no such person. A
 * day that was never read before is not copied: many are read once.
 * @param options.isVersioned Whether the version of the data is wanted, which is not newer.
 */
export async function readDays(
  scope: Scope,
  filter: DaysFilter,
  options: { isVersioned: boolean },
): Promise<ReadDays | undefined> {
  const { userId, from, to } = filter
  const range = { userId, firstDay: dayOf(from), lastDay: dayOf(to) }
  const names = filter.series.map(({ name }) => name)
  const found = await repository.findCachedDays(scope, { ...range, series: names }, options)
  if (found === undefined) return undefined
  const samples = new Map<Series, OrderedSamples>()
  for (const series of filter.series) {
    const { name } = series
    if (found.written.has(name)) continue
    const days = found.days.filter((day) => day.series === name).sort((a, b) => a.day - b.day)
    const pieces = await readSeries(scope, series, { ...range, series: name }, days)
    if (pieces !== undefined) samples.set(series, orderSamples(pieces))
  }
  return { devices: found.devices, version: found.version, samples }
}

async function readSeries(
  scope: Scope,
  series: Series,
  range: DayRange,
  days: readonly CachedDay[],
): Promise<OriginSamples[] | undefined> {
  const unread = daysOf(range).filter((day) => !days.some((one) => one.day === day))
  if (unread.length === 0) return readPieces(scope, series, range, days)
  await repository.rememberDays(scope, range, unread)
  return undefined
}

function daysOf({ firstDay, lastDay }: DayRange): number[] {
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
}

async function readPieces(
  scope: Scope,
  series: Series,
  range: DayRange,
  days: readonly CachedDay[],
): Promise<OriginSamples[] | undefined> {
  const copied: OriginSamples[] = []
  const missing: CachedDay[] = []
  let isOld = false
  for (const day of days) {
    if (day.content === null) {
      missing.push(day)
      continue
    }
    const samples = [...readDay(day.content), ...readAdditions(day.additions)]
    copied.push(...samples)
    if (day.additions.length > MOST_ADDED_BYTES) await store(scope, range, day, samples)
    isOld ||= scope.clock.now().getTime() - day.read_at.getTime() > NOTED_MS
  }
  if (isOld) await repository.touchDays(scope, range)
  if (missing.length === 0) return copied
  const others = await copyDays(scope, series, range, missing)
  return others && [...copied, ...others]
}

/**
 * Reads days from ClickHouse, and stores them for the next reader.
 * @returns undefined when they have too many samples
 */
async function copyDays(
  scope: Scope,
  series: Series,
  range: DayRange,
  missing: readonly CachedDay[],
): Promise<OriginSamples[] | undefined> {
  const numbers = missing.map(({ day }) => day)
  const [firstDay, lastDay] = [Math.min(...numbers), Math.max(...numbers)]
  const most = MOST_SAMPLES * (lastDay - firstDay + 1)
  const stored = await readStoredDays(scope, range.userId, series, { firstDay, lastDay, most })
  if (stored === undefined) return undefined
  const byDay = splitByDay(stored)
  const copied: OriginSamples[] = []
  for (const day of missing) {
    const samples = byDay.get(day.day) ?? []
    copied.push(...samples)
    await store(scope, range, day, samples)
  }
  return copied
}

async function store(
  scope: Scope,
  range: DayRange,
  day: CachedDay,
  samples: readonly OriginSamples[],
): Promise<void> {
  const ordered = orderSamples(samples)
  if (ordered.indexOf.length > MOST_SAMPLES) return
  await repository.storeDay(scope, range, day, writeDay(newestOf(ordered)))
}

/** Returns the samples of each piece that are the newest version of their key, in order of time. */
function newestOf({ pieces, pieceOf, indexOf }: OrderedSamples): OriginSamples[] {
  const indexes = pieces.map((): number[] => [])
  for (const [order, piece] of pieceOf.entries()) indexes[piece]?.push(indexOf[order] as number)
  return pieces
    .map((samples, piece) => pick(samples, indexes[piece] ?? []))
    .filter(({ startedAt }) => startedAt.length > 0)
}

function pick(samples: OriginSamples, indexes: readonly number[]): OriginSamples {
  const column = (from: Float64Array): Float64Array =>
    Float64Array.from(indexes, (index) => from[index] as number)
  return {
    origin: samples.origin,
    startedAt: column(samples.startedAt),
    endedAt: column(samples.endedAt),
    value: column(samples.value),
    diastolic: column(samples.diastolic),
    version: column(samples.version),
    text: samples.text && indexes.map((index) => samples.text?.[index] ?? ''),
  }
}

function splitByDay(pieces: readonly OriginSamples[]): Map<number, OriginSamples[]> {
  const byDay = new Map<number, OriginSamples[]>()
  for (const samples of pieces) {
    const indexes = Map.groupBy(samples.startedAt.keys(), (index) =>
      dayOf(samples.startedAt[index] as number),
    )
    for (const [day, ofDay] of indexes) {
      byDay.set(day, [...(byDay.get(day) ?? []), pick(samples, ofDay)])
    }
  }
  return byDay
}
