import { HOUR_MS } from '@salus/contracts/time-units'
import { disturb } from '../changes.ts'
import { Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import type { VendorContext } from '../vendor.ts'
import { DATA_TYPES, scopeName } from './data-types.registry.ts'
import { accountIdOf } from './google-api.ts'
import { civilOf, googleUntil, timeText } from './points.ts'
import { pointsIn } from './records.ts'
import { deletedAt, isDeletedLater, PROCESSING_MS, recordedSleeps } from './sleep-records.ts'
import { allSubscribersOf, PUSH_TIMEOUT_MS, type Subscriber } from './subscribers.ts'

interface Change {
  dataType: string
  operation: 'UPSERT' | 'DELETE'
  span: Span
}

/** Sums are announced as the time that was uploaded. */
const UPLOADED = new Set(['floors', 'activity-level', 'steps', 'distance', 'heart-rate'])

/** Returns what changed at the vendor between two instants. */
function changesOf(calendar: Calendar, { from, to }: Span): Change[] {
  const [before, until] = [googleUntil(calendar, from), googleUntil(calendar, to)]
  const uploaded: Change[] = []
  for (const [dataType, { isPushed }] of before < until ? DATA_TYPES : []) {
    if (!isPushed || dataType === 'height') continue
    const added = UPLOADED.has(dataType)
      ? [{ from: before, to: until }]
      : pointsIn(dataType, calendar, { from: before - 24 * HOUR_MS, to: until }, to).filter(
          (point) => point.to > before,
        )
    const [first] = added
    if (first === undefined) continue
    const span = {
      from: Math.min(...added.map((one) => one.from)),
      to: Math.max(...added.map((one) => one.to)),
    }
    uploaded.push({ dataType, operation: 'UPSERT', span })
  }
  return [...uploaded, ...sleepChanges(calendar, { from, to })]
}

/** Stages come after the sleep, and some naps are deleted. */
function sleepChanges(calendar: Calendar, { from, to }: Span): Change[] {
  const isWithin = (at: number): boolean => at > from && at <= to
  return calendar
    .days({ from: from - 48 * HOUR_MS, to })
    .flatMap(({ number }) => recordedSleeps(calendar, number, to))
    .flatMap((sleep): Change[] => {
      const span = { from: sleep.from, to: sleep.to }
      const isGone = isDeletedLater(calendar, sleep) && isWithin(deletedAt(sleep))
      if (isGone) return [{ dataType: 'sleep', operation: 'DELETE', span }]
      const isProcessed = isWithin(sleep.to + PROCESSING_MS)
      return isProcessed ? [{ dataType: 'sleep', operation: 'UPSERT', span }] : []
    })
}

/** Yields accounts that allow an app, while a project subscribes. */
export async function* listPushedAccounts(context: VendorContext): AsyncGenerator<string> {
  if ((await allSubscribersOf(context)).length === 0) return
  let last: string | undefined
  // The grants of an account are consecutive.
  for await (const { account } of new Grants(context, { accessSeconds: 0 }).list()) {
    if (account !== last) yield account
    last = account
  }
}

/**
 * Sends the changes of an account within a span to every subscriber.
 * @returns how many messages were accepted
 */
export async function pushGoogle(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const subscribers = await allSubscribersOf(context)
  const scopes = new Set<string>()
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account)) {
    for (const scope of grant.scopes) scopes.add(scope)
  }
  if (subscribers.length === 0 || scopes.size === 0) return 0
  const calendar = context.calendarOf(account)
  const allowed = changesOf(calendar, span).filter(({ dataType }) =>
    scopes.has(scopeName(DATA_TYPES.get(dataType)?.scope ?? '')),
  )
  const changes = disturb(allowed, await context.faults.find(account, 'push'))
  let sent = 0
  for (const subscriber of subscribers) {
    for (const change of changes) {
      if (!subscriber.dataTypes.includes(change.dataType)) continue
      const body = JSON.stringify([messageOf(calendar, account, change)])
      if (await send(context, subscriber, body)) sent += 1
    }
  }
  return sent
}

function messageOf(calendar: Calendar, account: string, change: Change): object {
  const { dataType, operation, span } = change
  const civil = (at: number): string =>
    new Date(at + calendar.offsetAt(at)).toISOString().slice(0, 19)
  const { from, to } = span
  return {
    data: {
      version: '1',
      clientProvidedSubscriptionName: 'salus',
      healthUserId: accountIdOf(account),
      operation,
      dataType,
      intervals: [
        {
          physicalTimeInterval: { startTime: timeText(from), endTime: timeText(to) },
          civilDateTimeInterval: {
            startDateTime: civilOf(calendar, from),
            endDateTime: civilOf(calendar, to),
          },
          civilIso8601TimeInterval: { startTime: civil(from), endTime: civil(to) },
        },
      ],
    },
  }
}

type Target = Pick<Subscriber, 'endpointUri' | 'secret'>

async function send(context: VendorContext, to: Target, body: string): Promise<boolean> {
  try {
    const answer = await context.fetch(to.endpointUri, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: to.secret },
      body,
      signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.status === 204 || answer.ok
  } catch {
    return false
  }
}
