import { findUser } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import {
  type Collection,
  type Connector,
  PageData,
  type PushNotice,
  type TimeRange,
  VendorError,
} from '../../connectors/index.ts'
import { extendRequested, isPendingHistory } from '../coverage-map.ts'
import { saveTasks } from '../pull-tasks.global.repository.ts'
import { lockTasksOf } from '../pull-tasks.repository.ts'
import type { PullingContext } from '../pulling-context.ts'
import { scheduleTask } from '../running/next-step.ts'

/** Messages about a requested range are complete when none came for this time. */
const LAST_MESSAGE_MS = HOUR_MS

/**
 * Stores the records that messages of a user carry, each message for itself, so that records of the
 * past raise no events while they are history.
 */
export async function storePushedPages(
  context: PullingContext,
  scope: Scope,
  { connector, userId }: { connector: Connector; userId: string },
  notices: readonly PushNotice[],
): Promise<void> {
  const user = await findUser(scope, userId)
  if (user === undefined) return
  for (const { collection: name, page, range } of notices) {
    const collection = connector.collections.find((one) => one.name === name)
    if (collection === undefined || page === undefined) continue
    const now = context.clock.now().getTime()
    const data = mapPage(connector.slug, collection, { userId, page, range, now })
    const about = range ?? extentOf(data)
    const isHistory =
      about !== undefined && (await extendRequest(scope, userId, connector, { name, about }))
    await context.ingest.store({
      scope,
      user,
      provider: connector.slug,
      baseUrl: context.config.baseUrl ?? `http://${context.config.host}:${context.config.port}`,
      isPublished: !isHistory || scope.environment.settings.push_historical_data,
      ...data.toArrivedData(),
    })
  }
}

/** An answer that cannot be read is quarantined as a whole. */
function mapPage(
  slug: string,
  collection: Collection,
  {
    userId,
    page,
    range,
    now,
  }: { userId: string; page: unknown; range: TimeRange | null; now: number },
): PageData {
  const data = new PageData({ userId, provider: slug })
  const context = { extra: {}, now, app: undefined }
  try {
    collection.map(page, data, [], { range: range ?? { from: 0, to: 0 }, cursor: null, context })
    return data
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const unread = new PageData({ userId, provider: slug })
    unread.quarantine(collection.resources[0] ?? collection.name, 'not_an_object', page)
    return unread
  }
}

/** Returns the time of all records of a page; undefined without a record with a time. */
function extentOf({ samples, summaries }: PageData): TimeRange | undefined {
  const timed = [...samples, ...summaries.filter(({ resource }) => resource !== 'profile')]
  if (timed.length === 0) return undefined
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { startedAt, endedAt } of timed) {
    from = Math.min(from, startedAt)
    to = Math.max(to, endedAt)
  }
  return { from, to: to + 1 }
}

/**
 * Awaits further messages about a requested range.
 * @returns Whether the records are history that is not complete yet
 */
function extendRequest(
  scope: Scope,
  userId: string,
  { slug }: Connector,
  { name, about }: { name: string | null; about: TimeRange },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const tasks = await lockTasksOf(tx, userId, slug)
    const task = tasks.find(({ collection }) => collection === name)
    if (task === undefined) return false
    const isHistory = isPendingHistory(task.coverage, about.from)
    if (task.coverage.some(({ isRequested }) => isRequested)) {
      const now = tx.clock.now().getTime()
      const coverage = extendRequested(task.coverage, about, now + LAST_MESSAGE_MS)
      const extended = { ...task, coverage }
      const isIdle = task.lease === null && task.due_at !== null
      await saveTasks(tx.db, [isIdle ? { ...extended, ...scheduleTask(extended, now) } : extended])
    }
    return isHistory
  })
}
