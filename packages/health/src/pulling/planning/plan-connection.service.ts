import { findUser } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type ConnectionRow, findConnection, type ScopeTable } from '../../connections/index.ts'
import type { Collection, Connector, Connectors, TimeRange } from '../../connectors/index.ts'
import { type IngestionBounds, scheduleHistory } from '../../ingest/index.ts'
import { type Coverage, endOfCoverage, requestHistory, reviseCoverage } from '../coverage-map.ts'
import { updateHistoryRuns } from '../history-runs.ts'
import { notifyPullers, type PullTaskRow, saveTasks } from '../pull-tasks.global.repository.ts'
import { lockTasksOf } from '../pull-tasks.repository.ts'
import {
  ADD_PUSH_SUBSCRIPTION,
  ADD_USER_SUBSCRIPTION,
} from '../pushes/push-subscriptions.service.ts'
import { pollMsOf, scheduleTask } from '../running/next-step.ts'
import { historyRangeOf } from './history-range.ts'
import { listPullPreferences, type PullPreferences } from './pull-preferences.repository.ts'

export interface PlanPulls {
  environmentId: string
  userId: string
  provider: string
  /** Whether held data are pulled again. */
  isTriggered: boolean
}

/** Plans the pulls of a connection; the worker has the connectors with its collections. */
export const PLAN_PULLS = defineJob<PlanPulls>('plan_pulls')

/**
 * Starts the pulls of a new or revived connection: history and newest records. Data that an earlier
 * connection to the same account holds are not pulled again.
 */
export async function startPulling(tx: TransactionScope, connection: ConnectionRow): Promise<void> {
  const { environment_id: environmentId, user_id: userId, provider } = connection
  await addJob(tx.db, PLAN_PULLS, { environmentId, userId, provider, isTriggered: false })
}

/**
 * Creates or revives the tasks of a connection and the runs of history; does nothing when it is not
 * live.
 */
export async function planConnection(
  scope: Scope,
  connectors: Connectors,
  { userId, provider, isTriggered }: PlanPulls,
): Promise<void> {
  const connector = connectors.find(provider)
  if (connector === undefined) return
  const user = await findUser(scope, userId)
  if (user === undefined) return
  const [preferences] = await listPullPreferences(scope, [provider])
  await scope.transaction(async (tx) => {
    const connection = await findConnection(tx, userId, provider)
    // Demo data come from elsewhere.
    if (connection?.status !== 'connected' || connection.is_demo) return
    const known = await lockTasksOf(tx, userId, provider)
    const now = tx.clock.now().getTime()
    const planning = { connector, connection, user, preferences, now, isTriggered }
    const plans = connector.collections.flatMap((collection) => {
      const before = known.find((task) => task.collection === collection.name)
      return isPullable(collection, connector.scopes, connection.granted_scopes)
        ? [planCollection(planning, collection, before)]
        : []
    })
    const planned = new Set(plans.map(({ task }) => task.collection))
    const parked = known
      .filter(({ collection }) => !planned.has(collection))
      .map((task) => ({ ...task, coverage: [], due_at: null, lease: null }))
    const tasks = plans.map(({ task }) => task)
    await saveTasks(tx.db, [...tasks, ...parked])
    await scheduleHistory(tx.db, runsOf(plans, planning))
    // When everything is held already, the run is over at once.
    const pending = tasks.filter(({ coverage }) => coverage.some(({ isHistory }) => isHistory))
    if (pending.length === 0) await updateHistoryRuns(tx, tx.db, [{ connector, user, tasks }])
    if (connector.push !== undefined) {
      const { id: environmentId } = tx.environment
      const key = `push ${environmentId} ${provider}`
      await addJob(tx.db, ADD_PUSH_SUBSCRIPTION, { environmentId, provider }, { key })
      if (connector.push.subscribeUser !== undefined) {
        await addJob(tx.db, ADD_USER_SUBSCRIPTION, { environmentId, userId, provider })
      }
    }
    await notifyPullers(tx.db)
  })
}

interface Planning {
  connector: Connector
  connection: ConnectionRow
  user: IngestionBounds & { id: string; client_user_id: string }
  preferences: PullPreferences | undefined
  now: number
  isTriggered: boolean
}

interface Plan {
  collection: Collection
  range: TimeRange | undefined
  task: PullTaskRow
}

function planCollection(
  { connector, connection, user, preferences, now, isTriggered }: Planning,
  collection: Collection,
  before: PullTaskRow | undefined,
): Plan {
  const { environment_id, user_id, provider, external_user_id: account_id } = connection
  const range = historyRangeOf(provider, collection, { preferences, bounds: user, now })
  const isSameAccount = before !== undefined && before.account_id === account_id
  const coverage = isSameAccount ? withoutRevised(before.coverage, collection, now) : []
  const at = new Date(now)
  const task: PullTaskRow = {
    environment_id,
    user_id,
    provider,
    collection: collection.name,
    account_id,
    coverage: range ? requestHistory(coverage, range, isTriggered) : coverage,
    records: isSameAccount ? before.records : [],
    polls_from: isSameAccount ? before.polls_from : at,
    planned_at: at,
    kind: 'poll',
    due_at: null,
    lease: null,
    // Present data come with the history.
    poll_at: range === undefined ? at : new Date(now + pollMsOf(connector, collection)),
    wanted_at: null,
    failures: 0,
    attempted_at: isSameAccount ? before.attempted_at : null,
    succeeded_at: isSameAccount ? before.succeeded_at : null,
    reason: null,
  }
  return { collection, range, task: { ...task, ...scheduleTask(task, now) } }
}

/**
 * A device that synchronized later may have added to the end of an earlier connection: the overlap
 * of a poll is no longer held.
 */
function withoutRevised(coverage: Coverage, { overlapHours }: Collection, now: number): Coverage {
  const head = endOfCoverage(coverage) ?? now
  if (head >= now) return coverage
  const recent = { from: head - overlapHours * HOUR_MS, to: head }
  return reviseCoverage(coverage, recent, (known) => (known?.state === 'held' ? undefined : known))
}

/** The main resource of a collection decides whether it may be pulled. */
function isPullable(
  { resources: [chief = ''] }: Collection,
  scopes: ScopeTable | undefined,
  granted: readonly string[] | null,
): boolean {
  return isGranted(chief, scopes, granted)
}

function isGranted(
  resource: string,
  scopes: ScopeTable | undefined,
  granted: readonly string[] | null,
): boolean {
  const required = scopes?.[resource]?.required ?? []
  return granted === null || required.every((name) => granted.includes(name))
}

/** Returns a run for each resource with a history that may be pulled, over its whole range. */
function runsOf(plans: readonly Plan[], { connector, connection, now }: Planning) {
  const { environment_id, user_id, provider, granted_scopes: granted } = connection
  const ranges = new Map<string, TimeRange>()
  for (const { collection, range } of plans) {
    for (const resource of range === undefined ? [] : collection.resources) {
      if (range === undefined || !isGranted(resource, connector.scopes, granted)) continue
      const { from, to } = ranges.get(resource) ?? range
      ranges.set(resource, { from: Math.min(from, range.from), to: Math.max(to, range.to) })
    }
  }
  return [...ranges].map(([resource, { from, to }]) => ({
    ...{ environment_id, user_id, provider, resource },
    range_start: new Date(from),
    range_end: new Date(to),
    scheduled_at: new Date(now),
  }))
}
