import { createHash } from 'node:crypto'
import { findProvider } from '@salus/contracts/providers'
import { SERIES_BY_UPLOAD_NAME } from '@salus/contracts/series'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { VERSION } from '@salus/kernel/version'
import type { HistoricalPullRow } from '../ingest/index.ts'
import { listSummaryDays } from '../summaries/index.ts'
import * as repository from './introspection.repository.ts'
import type { HistoricalPulls, IntrospectionQuery, PullStatistics } from './introspection.schema.ts'

const PAGES = new KeysetPages({ userId: UUID_KEY })

/**
 * Returns the history that clients sent or pulls brought, by user, provider and resource, a page of
 * users at a time.
 */
export async function listHistoricalPulls(
  scope: Scope,
  query: IntrospectionQuery,
): Promise<HistoricalPulls> {
  const { user_id: userId = null, provider = null, user_limit: limit } = query
  const list = ['historical_pull', scope.environment.id, userId, provider]
  const after = PAGES.read(list, query.next_cursor || query.cursor)?.userId ?? null
  const filter = { userId, provider }
  const found = await repository.listPulledUsers(scope, filter, after, limit + 1)
  const { page: userIds, nextCursor } = PAGES.cut(list, found, limit, (userId) => ({ userId }))
  const pulls = userIds.length === 0 ? [] : await repository.listPulls(scope, userIds, provider)
  const countDays = await loadDays(scope, pulls)
  const data = userIds.map((user_id) => {
    const ofUser = pulls.filter((pull) => pull.user_id === user_id)
    const byProvider = Map.groupBy(ofUser, (pull) => pull.provider)
    const entries = [...byProvider].map(([slug, ofProvider]) => {
      const pulled = ofProvider.map((pull) => [pull.resource, toStatistics(pull, countDays(pull))])
      const names = new Set(ofProvider.map((pull) => pull.resource))
      const not_pulled = (findProvider(slug)?.resources ?? []).filter((name) => !names.has(name))
      return [slug, { pulled: Object.fromEntries(pulled), not_pulled }]
    })
    return { user_id, provider: Object.fromEntries(entries) }
  })
  return { data, next: nextCursor, next_cursor: nextCursor }
}

/** Loads the days with samples or summaries once, and counts those in the range of a pull. */
async function loadDays(
  scope: Scope,
  pulls: readonly HistoricalPullRow[],
): Promise<(pull: HistoricalPullRow) => number> {
  const starts = pulls.flatMap((pull) => (pull.range_start ? [pull.range_start.getTime()] : []))
  const ends = pulls.flatMap((pull) => (pull.range_end ? [pull.range_end.getTime()] : []))
  if (starts.length === 0 || ends.length === 0) return () => 0
  const range = { from: new Date(Math.min(...starts)), to: new Date(Math.max(...ends)) }
  const seriesOf = ({ resource }: HistoricalPullRow): string =>
    SERIES_BY_UPLOAD_NAME.get(resource)?.name ?? resource
  const userIds = [...new Set(pulls.map((pull) => pull.user_id))]
  const [ofSeries, ofSummaries] = await Promise.all([
    repository.listDaysWithData(scope, userIds, [...new Set(pulls.map(seriesOf))], range),
    listSummaryDays(scope, userIds, range),
  ])
  const days = new Map([
    ...ofSeries.map((row) => [`${row.user_id} ${row.provider} ${row.series}`, row.days] as const),
    ...ofSummaries.map(
      (row) => [`${row.user_id} ${row.provider} ${row.resource}`, row.days] as const,
    ),
  ])
  return (pull) => {
    const { user_id, provider, range_start: start, range_end: end } = pull
    if (start === null || end === null) return 0
    const first = start.toISOString().slice(0, 10)
    const last = end.toISOString().slice(0, 10)
    const held = days.get(`${user_id} ${provider} ${seriesOf(pull)}`) ?? []
    return held.filter((day) => first <= day && day <= last).length
  }
}

function toStatistics(pull: HistoricalPullRow, daysWithData: number): PullStatistics {
  const { range_start: start, range_end: end, started_at: startedAt, ended_at: endedAt } = pull
  return {
    status: pull.status,
    range_start: start && formatInstant(start),
    range_end: end && formatInstant(end),
    timeline: {
      scheduled_at: formatInstant(pull.scheduled_at),
      started_at: startedAt && formatInstant(startedAt),
      ended_at: endedAt && formatInstant(endedAt),
    },
    days_with_data: daysWithData,
    release: VERSION,
    trace_id: traceOf(pull),
    error_details: pull.error_details,
  }
}

/** Returns the same 32 hexadecimal digits for one run, and different ones for any other. */
function traceOf(pull: HistoricalPullRow): string {
  const { environment_id, user_id, provider, resource, scheduled_at } = pull
  const run = [environment_id, user_id, provider, resource, scheduled_at.toISOString()]
  return createHash('sha256').update(run.join(' ')).digest('hex').slice(0, 32)
}
