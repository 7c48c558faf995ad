import { getUserRow } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import { leastEventId, timeOfEventId } from '@salus/kernel/events/event-id'
import { INSTANT_KEY, KeysetPages, textKey } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant, parseEndBound, parseStartBound } from '@salus/kernel/time/instants'
import { listFailedMessages } from '../webhooks/index.ts'
import { listItems, type TimelineFilter, type TimelineRow } from './timeline.repository.ts'
import {
  TIMELINE_KINDS,
  type Timeline,
  type TimelineItem,
  type TimelineQuery,
} from './timeline.schema.ts'

const MOST_WORDS = 8
/** Failed messages that are read for one page; the next page continues there. */
const MOST_MESSAGES = 1_000
const MESSAGES_AT_ONCE = 200
const MESSAGE = 'webhook_failure '

/** A key is the kind with what distinguishes items of it; in one millisecond keys decide. */
const PAGES = new KeysetPages({ at: INSTANT_KEY, key: textKey(/^[\x20-\x7e]{1,200}$/) })
type Position = NonNullable<ReturnType<typeof PAGES.read>>

/**
 * Returns a page of everything that is stored about a user, newest first.
 * @throws AppError 404, 400 `invalid_cursor` or `invalid_date_range`
 */
export async function showTimeline(
  scope: Scope,
  userId: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { id } = await getUserRow(scope, userId)
  const { limit } = query
  const filter = filterOf(query)
  const list = ['timeline', scope.environment.id, id, ...Object.values(filter)]
  const after = PAGES.read(list, query.next_cursor)
  const [items, failed] = await Promise.all([
    listItems(scope, id, filter, { after, limit: limit + 1 }),
    findFailed(scope, id, filter, { after, limit: limit + 1 }),
  ])
  const { end } = failed
  const rows = [...items, ...failed.rows]
    .filter((row) => end === null || !isBefore(end, row))
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
  const { page, nextCursor } = PAGES.cut(list, rows, limit, ({ at, key }) => ({ at, key }))
  // Where further messages were not looked at, the list goes on even if nothing was found here.
  const next = nextCursor ?? PAGES.write(list, end)
  return { user_id: id, data: page.map(toItem), next_cursor: next }
}

/** Whether an item is listed before another: it is newer, or has the greater key. */
function isBefore(one: Position, other: Position): boolean {
  const distance = one.at.getTime() - other.at.getTime()
  return distance === 0 ? one.key > other.key : distance > 0
}

function filterOf(query: TimelineQuery): TimelineFilter {
  const text = (query.query ?? '').trim().normalize('NFC').toLowerCase()
  const since = query.start_date ? parseStartBound(query.start_date) : undefined
  const until = query.end_date ? parseEndBound(query.end_date) : undefined
  if (since !== undefined && until !== undefined && since > until) {
    throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  }
  const words = text === '' ? [] : text.split(/\s+/).slice(0, MOST_WORDS)
  return { kinds: query.kinds ?? TIMELINE_KINDS, words, since, until }
}

interface FailedMessages {
  rows: TimelineRow[]
  /** Position of the last message that was looked at, if older ones were not; else null. */
  end: Position | null
}

/** Returns messages to webhooks that failed. They are in two stores, and are found by their ids. */
async function findFailed(
  scope: Scope,
  userId: string,
  { kinds, words, since, until }: TimelineFilter,
  { after, limit }: { after: Position | null; limit: number },
): Promise<FailedMessages> {
  if (!kinds.includes('webhook_failure')) return { rows: [], end: null }
  let before = firstId(after, until)
  const rows: TimelineRow[] = []
  for (let read = 0; read < MOST_MESSAGES; read += MESSAGES_AT_ONCE) {
    const messages = await listFailedMessages(scope, userId, before, MESSAGES_AT_ONCE)
    const found = messages.map(toFailure).filter((row) => isNewEnough(row, since))
    rows.push(...found.filter((row) => words.every((word) => wordsOf(row).includes(word))))
    const last = found.at(-1)
    if (messages.length < MESSAGES_AT_ONCE || found.length < messages.length) {
      return { rows: rows.slice(0, limit), end: null }
    }
    if (rows.length >= limit || last === undefined) break
    before = last.record_id ?? before
  }
  if (rows.length >= limit) return { rows: rows.slice(0, limit), end: null }
  return { rows, end: { at: timeOf(before), key: `${MESSAGE}${before}` } }
}

const timeOf = (messageId: string): Date => new Date(timeOfEventId(messageId))

const isNewEnough = ({ at }: TimelineRow, since: number | undefined): boolean =>
  since === undefined || at.getTime() >= since

/** Returns the id below which all messages after a position are. */
function firstId(after: Position | null, until: number | undefined): string {
  const end = leastEventId(Math.min(until ?? LAST_MS, LAST_MS - 1) + 1)
  if (after === null) return end
  const { at, key } = after
  const id = key.startsWith(MESSAGE) ? key.slice(MESSAGE.length) : undefined
  // Of one millisecond messages come first, because their kind is the last in the alphabet.
  const next = id ?? leastEventId(at.getTime())
  return next < end ? next : end
}

/** Last millisecond that ids of messages can have. */
const LAST_MS = 2 ** 48 - 1

function toFailure(row: Awaited<ReturnType<typeof listFailedMessages>>[number]): TimelineRow {
  return {
    kind: 'webhook_failure',
    action: 'failed',
    at: timeOf(row.id),
    key: `${MESSAGE}${row.id}`,
    record_id: row.id,
    subject: row.event_type,
    text: null,
    person: null,
  }
}

const wordsOf = ({ subject }: TimelineRow): string =>
  `webhook failure failed ${subject} ${subject?.replaceAll(/[._]/g, ' ')}`.toLowerCase()

const toItem = ({ key, at, ...row }: TimelineRow): TimelineItem => ({
  ...row,
  id: key,
  at: formatInstant(at),
})
