import { DAY_MS } from '@salus/contracts/time-units'
import { leastEventId } from '@salus/kernel/events/event-id'
import { defineJob } from '@salus/kernel/jobs/jobs'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { lockEndpoints, notifyDeliveries } from '../delivery/delivery.global.repository.ts'
import { findEndpoint } from '../endpoints/endpoints.repository.ts'
import { holdMoves } from '../history/history-state.global.repository.ts'
import { dropOldDays } from '../history/move-events.global.repository.ts'
import { bringBackUndelivered } from '../history/returned-events.repository.ts'
import { deleteEventsBefore, findNextEnvironment } from './expired-events.global.repository.ts'
import { type RecoveryRange, recoverEvents } from './resend.repository.ts'

/** Payload of the job. */
export interface RecoveryPayload {
  environmentId: string
  endpointId: string
  /** Event ids: from the first, inclusive, to the last, exclusive. */
  fromId: string
  toId: string
}

export const RECOVER_WEBHOOK = defineJob<RecoveryPayload>('recover_webhook')

const EVENTS_AT_ONCE = 1_000

/** Makes events of a range due at an endpoint, some at a time; running it again changes nothing. */
export async function recoverEndpoint(
  stores: Pick<Stores, 'db' | 'clickhouse' | 'clock'>,
  { environmentId, endpointId, fromId, toId }: RecoveryPayload,
  signal: AbortSignal,
): Promise<void> {
  let next: string | null = fromId
  while (next !== null) {
    // When it is interrupted, the queue starts it again.
    signal.throwIfAborted()
    const range: RecoveryRange = { endpointId, fromId: next, toId, at: stores.clock.now() }
    next = await recoverSome(stores, environmentId, range)
  }
}

/** @returns the id from which to continue; null at the end */
function recoverSome(
  { db, clickhouse }: Pick<Stores, 'db' | 'clickhouse'>,
  environmentId: string,
  range: RecoveryRange,
): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    await lockEndpoints(transaction, [range.endpointId])
    await holdMoves(transaction)
    const scope = { ...rowScope(transaction, environmentId), clickhouse }
    const endpoint = await findEndpoint(scope, range.endpointId)
    if (endpoint === undefined) return null
    const until = await bringBackUndelivered(scope, endpoint, range, EVENTS_AT_ONCE)
    const last = await recoverEvents(scope, { ...range, toId: until }, EVENTS_AT_ONCE)
    if (last !== null) await notifyDeliveries(transaction, [range.endpointId])
    // The smallest text after it.
    if (last !== null) return `${last}0`
    return until === range.toId ? null : until
  })
}

/** Removes events that are older than the retention time of the deployment. */
export async function expireEvents(
  { db, clickhouse, clock }: Pick<Stores, 'db' | 'clickhouse' | 'clock'>,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  if (retentionDays === 0) return
  const since = clock.now().getTime() - retentionDays * DAY_MS
  await dropOldDays(clickhouse, new Date(since))
  const oldest = leastEventId(since)
  let environmentId = await findNextEnvironment(db, null)
  while (environmentId !== undefined) {
    const scope = rowScope(db, environmentId)
    let deleted: number
    do {
      if (signal.aborted) return
      deleted = await deleteEventsBefore(scope, oldest, EVENTS_AT_ONCE)
    } while (deleted === EVENTS_AT_ONCE)
    environmentId = await findNextEnvironment(db, environmentId)
  }
}
