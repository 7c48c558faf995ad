import { enterEnvironment } from '@salus/accounts/teams'
import { DAY_MS } from '@salus/contracts/time-units'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { failConnection } from '../../connections/index.ts'
import { type PushNotice, parseVendorJson, VendorError } from '../../connectors/index.ts'
import { endOfCoverage, requestRangeAgain } from '../coverage-map.ts'
import {
  findConnectionsByAccount,
  notifyPullers,
  type PullTaskRow,
  saveTasks,
} from '../pull-tasks.global.repository.ts'
import { lockTasksOf, stopPulling } from '../pull-tasks.repository.ts'
import type { PullingContext } from '../pulling-context.ts'
import { scheduleTask } from '../running/next-step.ts'
import { describeConnectionError } from '../running/run-task.ts'
import {
  findMessage,
  listPushApps,
  removeMessages,
  type VendorMessage,
} from './push-subscriptions.global.repository.ts'
import { storePushedPages } from './pushed-pages.ts'

/** A vendor that announces decades means everything; only the maximum history is pulled. */
const MOST_PAST_MS = 366 * DAY_MS

type Person = Awaited<ReturnType<typeof findConnectionsByAccount>>[number]

/**
 * Applies a vendor's message: pulls the announced data, and ends connections that users ended
 * there. Repeated or late messages are harmless. Then it is deleted.
 */
export async function applyMessage(context: PullingContext, messageId: string): Promise<void> {
  const { db } = context
  const message = await findMessage(db, messageId)
  if (message === undefined) return
  const { provider } = message
  const notices = readNotices(context, message)
  const people = await findPeople(context, message, notices)
  for (const person of people) {
    const scope = await enterEnvironment(context, person.environment_id)
    const own = notices.filter(({ accountId }) => accountId === person.external_user_id)
    if (scope === undefined) continue
    await applyNotices(scope, provider, person, own)
    const connector = context.connectors.find(provider)
    const pages = own.filter(({ page }) => page !== undefined)
    if (connector === undefined || pages.length === 0) continue
    await storePushedPages(context, scope, { connector, userId: person.user_id }, pages)
  }
  await removeMessages(db, [messageId])
}

type ReceivedMessage = Pick<VendorMessage, 'provider' | 'app_key' | 'body'>

/** Whether a message is about a user who is connected by the app that it was sent to. */
export async function isAboutConnectedUser(
  context: PullingContext,
  message: ReceivedMessage,
): Promise<boolean> {
  return (await findPeople(context, message, readNotices(context, message))).length > 0
}

async function findPeople(
  { db }: PullingContext,
  { provider, app_key: appKey }: ReceivedMessage,
  notices: readonly PushNotice[],
): Promise<Person[]> {
  if (notices.length === 0) return []
  const apps = (await listPushApps(db, provider)).filter(({ app_key }) => app_key === appKey)
  return findConnectionsByAccount(
    db,
    provider,
    [...new Set(notices.map(({ accountId }) => accountId))],
    apps.map(({ environment_id }) => environment_id),
  )
}

/** An unreadable message stays unreadable: polls bring the announced data. */
function readNotices(
  { connectors, log }: PullingContext,
  { provider, body }: ReceivedMessage,
): readonly PushNotice[] {
  try {
    const push = connectors.find(provider)?.push
    const parse = push?.parse ?? ((bytes: Buffer) => parseVendorJson(bytes.toString('utf8')))
    return push?.read(parse(body)) ?? []
  } catch (error) {
    if (!(error instanceof VendorError || error instanceof SyntaxError)) throw error
    log.warn({ provider }, 'a notification of a vendor cannot be parsed')
    return []
  }
}

function applyNotices(
  scope: Scope,
  provider: string,
  { user_id: id, client_user_id }: Person,
  notices: readonly PushNotice[],
): Promise<void> {
  return scope.transaction(async (tx) => {
    if (notices.some(({ collection }) => collection === null)) {
      const error_type = 'deregistered_per_provider'
      const error = { error_type, error_message: describeConnectionError(error_type) }
      await failConnection(tx, { id, client_user_id }, provider, error)
      await stopPulling(tx, { userId: id, provider })
      return
    }
    const pulled = notices.filter(({ page }) => page === undefined)
    if (pulled.length > 0) await askForNews(tx, { userId: id, provider }, pulled)
  })
}

async function askForNews(
  tx: TransactionScope,
  { userId, provider }: { userId: string; provider: string },
  notices: readonly PushNotice[],
): Promise<void> {
  const tasks = await lockTasksOf(tx, userId, provider)
  const now = tx.clock.now()
  const changed = tasks.flatMap((task) => {
    const own = notices.filter(({ collection }) => collection === task.collection)
    return own.length === 0 || task.due_at === null ? [] : [withChangedRanges(task, own, now)]
  })
  await saveTasks(tx.db, changed)
  await notifyPullers(tx.db)
}

/**
 * New data come with the next poll; changed ranges of the past are pulled again, and named records
 * by their ids.
 */
function withChangedRanges(
  task: PullTaskRow,
  notices: readonly PushNotice[],
  now: Date,
): PullTaskRow {
  const head = endOfCoverage(task.coverage) ?? 0
  let { coverage, records } = task
  let isWanted = false
  for (const { range, record } of notices) {
    if (record !== undefined) records = [...records.filter(({ id }) => id !== record.id), record]
    else isWanted = true
    if (range === null) continue
    const from = Math.max(range.from, now.getTime() - MOST_PAST_MS)
    coverage = requestRangeAgain(coverage, { from, to: Math.min(range.to, head) })
  }
  const wanted = { ...task, coverage, records, ...(isWanted && { wanted_at: now }) }
  return task.lease === null ? { ...wanted, ...scheduleTask(wanted, now.getTime()) } : wanted
}
