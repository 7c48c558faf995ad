import { leastEventId } from '../../platform/events/event-id.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import type { Stores } from '../../platform/scope.ts'
import { lockEndpoints } from '../delivery/delivery.repository.ts'
import { notifyDeliveries } from '../delivery/dispatch.repository.ts'
import { deleteEventsBefore, findNextEnvironment, recoverEvents } from './resend.repository.ts'

/** What the queue hands to the worker. */
export interface RecoveryPayload {
  environmentId: string
  endpointId: string
  /** Event ids: from the first, included, to the last, not included. */
  fromId: string
  toId: string
}

export const RECOVER_WEBHOOK = defineJob<RecoveryPayload>('recover_webhook')

type Context = Pick<Stores, 'db' | 'clock'>

const EVENTS_AT_ONCE = 1_000
const DAY_MS = 86_400_000

/** Makes events of a range due at an endpoint, some at a time; run again, it changes nothing. */
export async function recoverEndpoint(
  { db, clock }: Context,
  { environmentId, endpointId, fromId, toId }: RecoveryPayload,
  signal: AbortSignal,
): Promise<void> {
  let next: string | null = fromId
  while (next !== null) {
    // Stopped in the middle: the queue begins anew.
    signal.throwIfAborted()
    const range = { endpointId, fromId: next, toId, at: clock.now() }
    const last = await db.transaction().execute(async (transaction) => {
      await lockEndpoints(transaction, [endpointId])
      const lastId = await recoverEvents(
        { db: transaction, environment: { id: environmentId } },
        range,
        EVENTS_AT_ONCE,
      )
      if (lastId !== null) await notifyDeliveries(transaction, [endpointId])
      return lastId
    })
    // The least text after it.
    next = last === null ? null : `${last}0`
  }
}

/** Removes events that are older than the deployment keeps them. */
export async function expireEvents(
  { db, clock }: Context,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  if (retentionDays === 0) return
  const oldest = leastEventId(clock.now().getTime() - retentionDays * DAY_MS)
  let environmentId = await findNextEnvironment(db, null)
  while (environmentId !== undefined) {
    let deleted: number
    do {
      if (signal.aborted) return
      deleted = await deleteEventsBefore(
        { db, environment: { id: environmentId } },
        oldest,
        EVENTS_AT_ONCE,
      )
    } while (deleted === EVENTS_AT_ONCE)
    environmentId = await findNextEnvironment(db, environmentId)
  }
}
