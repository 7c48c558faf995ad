import type { UserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import type { Stores } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { pauseConnectionsEndedBy } from './ended-bounds.global.repository.ts'

/**
 * Days from the end of ingestion until connections are paused
 * (docs/contract/02-users.md#data-ingestion-bounds).
 */
const PAUSE_AFTER_DAYS = 7

/** Returns the last day on which ingestion must have ended for connections to be paused now. */
const lastEndedDay = (now: Date): string =>
  dateAtOffset(now.getTime() - PAUSE_AFTER_DAYS * DAY_MS, 0)

/** Whether ingestion ended so long ago that the user's connections stay paused. */
export function hasIngestionEnded(user: Pick<UserRow, 'ingestion_end'>, now: Date): boolean {
  return user.ingestion_end !== null && user.ingestion_end <= lastEndedDay(now)
}

/**
 * Pauses connections of users whose ingestion ended a week ago; returns their number.
 * @param only Restricts it to one user.
 */
export function pauseEndedConnections(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  only?: { environmentId: string; userId: string },
): Promise<number> {
  const now = clock.now()
  return pauseConnectionsEndedBy(db, lastEndedDay(now), now, only)
}
