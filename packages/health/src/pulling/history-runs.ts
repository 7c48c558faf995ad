import { findEnvironment } from '@salus/accounts/teams'
import { writeEvents } from '@salus/kernel/events/events'
import type { Db } from '@salus/kernel/postgres/database'
import { joinTransaction, type Stores } from '@salus/kernel/scope'
import type { Connector } from '../connectors/index.ts'
import {
  type HistoryEventType,
  type HistoryState,
  historyEvent,
  SERIES_HISTORY_EVENTS,
  updateHistory,
} from '../ingest/index.ts'
import { SUMMARY_HISTORY_EVENTS } from '../summaries/index.ts'
import { type HistoryProgress, historyProgress } from './coverage-map.ts'
import type { PullTaskRow } from './pull-tasks.global.repository.ts'

/** A connection whose history has new progress. */
export interface HistorySubject {
  connector: Connector
  user: { id: string; client_user_id: string }
  /** All present tasks of the connection. */
  tasks: readonly PullTaskRow[]
}

const EVENTS: ReadonlyMap<string, HistoryEventType> = new Map(
  [...SERIES_HISTORY_EVENTS, ...SUMMARY_HISTORY_EVENTS].map((type) => [type.name, type]),
)

/**
 * Updates the runs of resources from the coverage maps, and raises the event of completed ones: one
 * for a run, despite crashes and repetitions.
 */
export async function updateHistoryRuns(
  stores: Stores,
  db: Db,
  subjects: readonly HistorySubject[],
): Promise<void> {
  const now = stores.clock.now()
  const completed = await updateHistory(db, subjects.flatMap(statesOf), now)
  const users = new Map(subjects.map(({ user }) => [user.id, user]))
  const byEnvironment = Map.groupBy(completed, (run) => run.environment_id)
  for (const [environmentId, runs] of byEnvironment) {
    const environment = await findEnvironment(db, environmentId)
    if (environment === undefined) continue
    const events = runs.flatMap((run) => {
      const type = EVENTS.get(`historical.data.${run.resource}.created`)
      const user = users.get(run.user_id)
      return type && user ? [historyEvent(type, user, run, now)] : []
    })
    await writeEvents(joinTransaction(stores, environment, db), events)
  }
}

/** A resource is complete when all its collections are. */
function statesOf({ connector, tasks }: HistorySubject): HistoryState[] {
  const [task] = tasks
  if (task === undefined) return []
  const { environment_id, user_id, provider } = task
  const byName = new Map(tasks.map((each) => [each.collection, each]))
  const progress = new Map<string, HistoryProgress[]>()
  const wholes = new Map<string, boolean>()
  for (const { name, resources, history } of connector.collections) {
    const of = byName.get(name)
    if (of === undefined || history === 'none') continue
    for (const resource of resources) {
      const known = progress.get(resource) ?? []
      progress.set(resource, [...known, historyProgress(of.coverage)])
      const isHeld = of.coverage.every(({ state }) => state === 'held')
      wholes.set(resource, (wholes.get(resource) ?? true) && isHeld)
    }
  }
  return [...progress].map(([resource, parts]) => {
    const { status, reason } = worstOf(parts)
    const run = { environment_id, user_id, provider, resource }
    const is_all_held = wholes.get(resource) ?? false
    return { ...run, status, error_details: reason, is_all_held }
  })
}

const FROM_WORST = ['retrying', 'in_progress', 'failure', 'success'] as const

function worstOf(parts: readonly HistoryProgress[]): HistoryProgress {
  const found = FROM_WORST.map((wanted) => parts.find(({ status }) => status === wanted))
  return found.find((part) => part !== undefined) ?? { status: 'success', reason: null }
}
