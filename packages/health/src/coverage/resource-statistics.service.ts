import { findSeries } from '@salus/contracts/series'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { listResourceStatistics } from '../connections/index.ts'
import { listSummaryExtents } from '../summaries/index.ts'
import type { IntrospectionQuery } from './introspection.schema.ts'
import * as repository from './resource-extents.repository.ts'
import type { ResourceStatistics, ResourceStatisticsList } from './resource-statistics.schema.ts'

const PAGES = new KeysetPages({ userId: UUID_KEY })

/** A fact about one resource of one connection. */
interface Fact extends Partial<ResourceStatistics> {
  user_id: string
  provider: string
  resource: string
}

/**
 * Returns the resource statistics of connections, by user and provider, a page of users at a time.
 */
export async function listResources(
  scope: Scope,
  query: IntrospectionQuery,
): Promise<ResourceStatisticsList> {
  const { user_id: userId = null, provider = null, user_limit: limit } = query
  const list = ['resources', scope.environment.id, userId, provider]
  const after = PAGES.read(list, query.next_cursor || query.cursor)?.userId ?? null
  const filter = { userId, provider }
  const found = await repository.listConnectedUsers(scope, filter, after, limit + 1)
  const { page: userIds, nextCursor } = PAGES.cut(list, found, limit, (userId) => ({ userId }))
  const data = userIds.length === 0 ? [] : await describeUsers(scope, userIds, provider)
  return { data, next: nextCursor, next_cursor: nextCursor }
}

async function describeUsers(
  scope: Scope,
  userIds: readonly string[],
  provider: string | null,
): Promise<ResourceStatisticsList['data']> {
  const [names, facts] = await Promise.all([
    repository.listConnectionNames(scope, userIds),
    loadFacts(scope, userIds),
  ])
  const isAskedFor = (of: { provider: string }) => provider === null || of.provider === provider
  const byUser = new Map(
    userIds.map((id) => [id, new Map<string, Map<string, ResourceStatistics>>()]),
  )
  for (const name of names.filter(isAskedFor)) {
    byUser.get(name.user_id)?.set(name.provider, new Map())
  }
  for (const { user_id, provider: slug, resource, ...known } of facts.filter(isAskedFor)) {
    const ofUser = byUser.get(user_id)
    const ofProvider = ofUser?.get(slug) ?? new Map<string, ResourceStatistics>()
    ofUser?.set(slug, ofProvider)
    ofProvider.set(resource, { ...(ofProvider.get(resource) ?? NOTHING), ...known })
  }
  return [...byUser].map(([user_id, providers]) => {
    const entries = [...providers].map(([slug, resources]) => [slug, Object.fromEntries(resources)])
    return { user_id, provider: Object.fromEntries(entries) }
  })
}

const NOTHING: ResourceStatistics = {
  last_attempt: null,
  oldest_data: null,
  newest_data: null,
  sent_count: null,
}

/** Loads all facts about the resources of users, in order of resources. */
async function loadFacts(scope: Scope, userIds: readonly string[]): Promise<Fact[]> {
  const [series, summaries, attempts] = await Promise.all([
    repository.listSeriesExtents(scope, userIds),
    listSummaryExtents(scope, userIds),
    listResourceStatistics(scope, userIds),
  ])
  const extents = [
    ...summaries,
    ...series.map((row) => ({ ...row, resource: findSeries(row.series)?.resource ?? row.series })),
  ]
  const facts: Fact[] = extents.map(({ user_id, provider, resource, oldest, newest }) => ({
    user_id,
    provider,
    resource,
    oldest_data: formatInstant(oldest),
    newest_data: formatInstant(newest),
  }))
  for (const { user_id, provider, resource, ...row } of attempts) {
    const { last_attempt_at: at, last_attempt_status: status, sent_count } = row
    const last_attempt = { timestamp: formatInstant(at), status }
    facts.push({ user_id, provider, resource, last_attempt, sent_count })
  }
  return facts.sort((a, b) => (a.resource < b.resource ? -1 : 1))
}
