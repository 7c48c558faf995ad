import { getUserRow } from '@salus/accounts/users'
import { SERIES, type Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findSourceRanking } from '../../source-priorities/index.ts'
import { createLocalSlots } from '../merged/local-slots.ts'
import { instantsOf } from '../merged/merge-chunk.ts'
import { toMergedSource } from '../merged/merged.service.ts'
import { keysOf, type MergedPeriod, mergedPeriodOf } from '../merged/merged-period.ts'
import { EVERYTHING } from '../merged/roll-up.ts'
import { type BucketName, chooseBucket, storedLengthOf } from './bucket-lengths.ts'
import type { Chart, ChartList, ChartQuery } from './chart.schema.ts'
import * as repository from './chart-buckets.repository.ts'
import {
  chartKindOf,
  hasChart,
  MOST_SOURCES,
  Origins,
  type PointLine,
  rollUpDays,
  toChartLine,
} from './chart-lines.ts'
import { listLocalTimes, readingsByHour } from './local-times.ts'
import { listSourceLines, mergeLines, rankBucketSources } from './merge-lines.ts'
import type { ChartAnswers, SeveralCharts } from './several-charts.schema.ts'

/** More buckets of single sources than any screen shows. */
const MOST_BUCKETS = 100_000

/**
 * Returns buckets of a series over any range, at most as many as requested.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function readChart(
  scope: Scope,
  userId: string,
  series: Series,
  query: ChartQuery,
): Promise<Chart> {
  const user = await getUserRow(scope, userId)
  const period = mergedPeriodOf(query, scope.clock.now())
  const bucket = chooseBucket(lengthOf(period), query.points)
  const bucketMs = storedLengthOf(bucket)
  const fallbackZone = user.fallback_time_zone ?? 'UTC'
  const [from, to] = instantsOf({ ...EVERYTHING, ...period }, bucketMs)
  const wanted = { userId: user.id, series, provider: query.provider, fallbackZone }
  const filter = { ...wanted, period, from, to, bucketMs }
  const [ranking, rows] = await Promise.all([
    findSourceRanking(scope, user.id, series.name),
    repository.listSourceBuckets(scope, filter, MOST_BUCKETS),
  ])
  if (rows.length > MOST_BUCKETS) {
    throw badRequest('range_too_large', 'Too many sources. Request fewer points or one provider.')
  }
  const sources = rankBucketSources(rows, ranking)
  const [fromKey, toKey] = keysOf(period, bucketMs)
  const window = { ...period, fromKey, toKey }
  const { lines, precision } =
    query.by === 'merged' && series.merge.kind !== 'none'
      ? await mergeLines(scope, { filter, ranking, rows, sources, window })
      : { lines: listSourceLines(rows, sources), precision: 'exact' as const }
  const kind = chartKindOf(series)
  const context = { slots: createLocalSlots(bucketMs, fallbackZone), origins: new Origins() }
  return {
    resource: series.name,
    unit: series.unit,
    kind,
    bucket,
    precision,
    lines: rollUp(lines, bucket).map((line) => toChartLine(line, kind, bucket, context)),
    sources: sources.list.slice(0, MOST_SOURCES).map(toMergedSource),
    origins: context.origins.list,
    local_times: listLocalTimes(
      lines.flatMap(({ points }) => points),
      fallbackZone,
    ),
  }
}

/**
 * Returns several charts, in the order of the requests.
 * @throws AppError as readChart does, for the first that is refused.
 */
export async function readCharts(
  scope: Scope,
  userId: string,
  { charts }: SeveralCharts,
): Promise<ChartAnswers> {
  const data = await Promise.all(
    charts.map(({ resource, ...query }) => readChart(scope, userId, getSeries(resource), query)),
  )
  return { data }
}

function getSeries(name: string): Series {
  const series = SERIES.find((one) => one.name === name)
  if (series === undefined) throw new Error(`There is no series ${name}.`)
  return series
}

function lengthOf({ from, to, fromDay, toDay }: MergedPeriod): number {
  return Math.min(to, toDay * DAY_MS) - Math.max(from, fromDay * DAY_MS)
}

function rollUp(lines: readonly PointLine[], bucket: BucketName): readonly PointLine[] {
  if (bucket !== 'week' && bucket !== 'month') return lines
  return lines.map((line) => ({ ...line, points: rollUpDays(line.points, bucket) }))
}

/**
 * Returns the charts of a user with their time ranges, and the user's local times.
 * @throws AppError 404 for the user.
 */
export async function listCharts(scope: Scope, userId: string): Promise<ChartList> {
  const [user, extents, hours] = await Promise.all([
    getUserRow(scope, userId),
    repository.listExtents(scope, userId),
    repository.listLocalHours(scope, userId),
  ])
  const bySeries = new Map(extents.map((extent) => [extent.series, extent]))
  return {
    data: SERIES.filter(hasChart).flatMap((series) => {
      const extent = bySeries.get(series.name)
      if (extent === undefined) return []
      return {
        resource: series.name,
        unit: series.unit,
        kind: chartKindOf(series),
        oldest_data: formatInstant(extent.oldest),
        newest_data: formatInstant(extent.newest),
      }
    }),
    local_times: listLocalTimes(readingsByHour(hours), user.fallback_time_zone ?? 'UTC'),
  }
}
