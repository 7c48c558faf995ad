import { getUserRow } from '@salus/accounts/users'
import { findProvider } from '@salus/contracts/providers'
import { SERIES, type Series } from '@salus/contracts/series'
import { DAY_MS, HOUR_SECONDS } from '@salus/contracts/time-units'
import { readMergedSessions } from '@salus/health/summaries'
import { type Chart, listCharts, readChart } from '@salus/health/timeseries'
import type { Scope } from '@salus/kernel/scope'
import { dateInZone, startOfUtcDay } from '@salus/kernel/time/instants'
import type { PortalData, PortalSeries } from './portal.schema.ts'
import { PORTAL_SERIES, type SharedKind } from './shared-kinds.registry.ts'

const DAYS = 30

/**
 * Returns what the page shows of the last 30 local days: a value for each day.
 * @param kinds Kinds of data to return; null means all.
 * @param baseUrl Public address of the deployment.
 * @throws AppError 404 for the user
 */
export async function readPortalData(
  scope: Scope,
  userId: string,
  { kinds, baseUrl }: { kinds: readonly SharedKind[] | null; baseUrl: string },
): Promise<PortalData> {
  const user = await getUserRow(scope, userId)
  const days = lastDays(scope.clock.now(), user.fallback_time_zone ?? 'UTC')
  const isShown = (kind: SharedKind): boolean => kinds === null || kinds.includes(kind)
  const { data: charts } = await listCharts(scope, user.id)
  const stored = new Set(charts.map(({ resource }) => resource))
  const wanted = PORTAL_SERIES.filter(([name, kind]) => isShown(kind) && stored.has(name))
  const found = await Promise.all([
    ...wanted.map(([name, kind]) => readDays(scope, user.id, { name, kind, days })),
    isShown('sleep') ? readNights(scope, user.id, days, baseUrl) : undefined,
  ])
  return {
    days,
    series: found.filter(
      (series): series is PortalSeries => series?.values.some((value) => value !== null) ?? false,
    ),
  }
}

function lastDays(now: Date, zone: string): string[] {
  const today = startOfUtcDay(dateInZone(now, zone))
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
}

async function readDays(
  scope: Scope,
  userId: string,
  { name, kind, days }: { name: string; kind: SharedKind; days: readonly string[] },
): Promise<PortalSeries> {
  const series = SERIES.find((one) => one.name === name) as Series
  const period = { start_date: days[0] as string, end_date: days.at(-1) as string }
  // As many points as days make each a day.
  const query = { ...period, points: DAYS + 2, by: 'merged', provider: '' } as const
  const chart = await readChart(scope, userId, series, query)
  return toSeries(chart, kind, days)
}

type Line = Chart['lines'][number]

function toSeries(chart: Chart, kind: SharedKind, days: readonly string[]): PortalSeries {
  const column = chart.kind === 'sum' ? 'sum' : 'mean'
  return {
    resource: chart.resource,
    kind,
    unit: chart.unit,
    of: column,
    values: byDay(chart.lines, days, (line) => line[column]),
    diastolic:
      chart.kind === 'pair'
        ? byDay(chart.lines, days, (line) => line.diastolic?.mean ?? null)
        : null,
    sources: namesOf(chart.sources.map(({ provider }) => provider)),
  }
}

/** Returns the value of each day, of the first line that has one: the best source comes first. */
function byDay(
  lines: readonly Line[],
  days: readonly string[],
  columnOf: (line: Line) => readonly number[] | null,
): (number | null)[] {
  const values = new Map<string, number>()
  for (const line of lines) {
    const column = columnOf(line)
    for (const [index, date] of (line.calendar_date ?? []).entries()) {
      const value = column?.[index]
      if (value !== undefined && !values.has(date)) values.set(date, value)
    }
  }
  return days.map((date) => values.get(date) ?? null)
}

/** The fields of a merged sleep that a night consists of. */
interface Night {
  calendar_date: string
  /** Seconds asleep. */
  total: number
  source: { provider: string }
}

/** Returns the hours asleep of each day, naps included. */
async function readNights(
  scope: Scope,
  userId: string,
  days: readonly string[],
  baseUrl: string,
): Promise<PortalSeries> {
  const period = { start_date: days[0] as string, end_date: days.at(-1) as string, provider: '' }
  const seconds = new Map<string, number>()
  const providers: string[] = []
  for await (const part of readMergedSessions(scope, 'sleep', userId, period, baseUrl)) {
    for (const { calendar_date: date, total, source } of part as Night[]) {
      if (total > 0) seconds.set(date, (seconds.get(date) ?? 0) + total)
      providers.push(source.provider)
    }
  }
  return {
    resource: 'sleep',
    kind: 'sleep',
    unit: 'h',
    of: 'sum',
    values: days.map((date) => {
      const total = seconds.get(date)
      return total === undefined ? null : total / HOUR_SECONDS
    }),
    diastolic: null,
    sources: namesOf(providers),
  }
}

const namesOf = (slugs: readonly string[]): string[] => [
  ...new Set(slugs.map((slug) => findProvider(slug)?.name ?? slug)),
]
