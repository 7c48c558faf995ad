import { setTimeout as sleep } from 'node:timers/promises'
import { getUserRow } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import { listPayloads } from '@salus/kernel/jobs/job-queue.global.repository'
import type { Scope } from '@salus/kernel/scope'
import { PLAN_PULLS, type PlanPulls } from '../planning/plan-connection.service.ts'
import { listPolls, listUnpulledProviders, requestNewest } from '../pull-tasks.repository.ts'
import type { UserRefreshed, UserRefreshFailed } from './user-refresh.schema.ts'
import { countRefresh } from './user-refreshes.repository.ts'

/** docs/contract/02-users.md#post-v2userrefreshuser_id */
const MOST_AN_HOUR = 8
const LOOK_AGAIN_MS = 150

export type RefreshAnswer =
  | { status: 200 | 202; body: UserRefreshed }
  | { status: 400; body: UserRefreshFailed }

/** Passed in, because its domain is above this one. */
export type RefreshDemos = (scope: Scope, userId: string) => Promise<string[]>

/**
 * Requests the newest data of a user's cloud connections, and waits for them.
 * @throws AppError 404 for the user, 429 after eight in an hour
 */
export async function refreshUser(
  scope: Scope,
  userId: string,
  timeoutSeconds: number,
  refreshDemos: RefreshDemos,
): Promise<RefreshAnswer> {
  const { id } = await getUserRow(scope, userId)
  const askedAt = scope.clock.now()
  const since = new Date(askedAt.getTime() - HOUR_MS)
  if (!(await countRefresh(scope, id, { most: MOST_AN_HOUR, since }))) {
    throw new AppError(429, 'rate_limited', 'A user can be refreshed eight times an hour.')
  }
  const until = performance.now() + timeoutSeconds * 1000
  await requestNewest(scope, id)
  const demos = await refreshDemos(scope, id)
  for (;;) {
    const sources = await classifySources(scope, id, askedAt)
    sources.refreshed_sources.push(...demos)
    const isOver = sources.in_progress_sources.length === 0
    if (isOver || performance.now() >= until) return toAnswer(id, sources)
    await sleep(LOOK_AGAIN_MS)
  }
}

type Sources = Pick<UserRefreshed, 'refreshed_sources' | 'in_progress_sources' | 'failed_sources'>

/**
 * A source is refreshed when all its collections are, and failed when one ended without success.
 */
async function classifySources(scope: Scope, userId: string, askedAt: Date): Promise<Sources> {
  // Before the polls are listed, so that those planned in between are among them.
  const unplanned = await listUnplannedProviders(scope, userId)
  const byProvider = Map.groupBy(await listPolls(scope, userId), ({ provider }) => provider)
  const sources: Sources = { refreshed_sources: [], in_progress_sources: [], failed_sources: [] }
  for (const [provider, polls] of [...byProvider].sort()) {
    const asked = polls.filter(({ due_at: dueAt }) => dueAt !== null)
    const running = asked.filter(({ attempted_at: at }) => at === null || at < askedAt)
    if (asked.length === 0) sources.failed_sources.push(provider)
    else if (running.length > 0) sources.in_progress_sources.push(provider)
    else if (asked.some(({ reason }) => reason !== null)) sources.failed_sources.push(provider)
    else sources.refreshed_sources.push(provider)
  }
  for (const provider of unplanned) {
    if (!byProvider.has(provider)) sources.in_progress_sources.push(provider)
  }
  return sources
}

/** Returns providers of new connections whose pulls a job has yet to plan. */
async function listUnplannedProviders(scope: Scope, userId: string): Promise<string[]> {
  const unasked = await listUnpulledProviders(scope, userId)
  if (unasked.length === 0) return []
  const person = { environmentId: scope.environment.id, userId }
  const planned = await listPayloads<PlanPulls>(scope.db, PLAN_PULLS.name, person)
  return unasked.filter((name) => planned.some(({ provider }) => provider === name))
}

function toAnswer(userId: string, sources: Sources): RefreshAnswer {
  const { refreshed_sources: refreshed, in_progress_sources: running, failed_sources } = sources
  if (refreshed.length + running.length > 0) {
    const status = running.length > 0 ? 202 : 200
    return { status, body: { success: true, user_id: userId, ...sources } }
  }
  const error =
    failed_sources.length > 0
      ? 'No connection could be refreshed.'
      : 'The user has no connection that can be refreshed.'
  return { status: 400, body: { success: false, user_id: userId, error, failed_sources } }
}
