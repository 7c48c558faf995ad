import { DAY_MS } from '@salus/contracts/time-units'
import { leastEventId } from '@salus/kernel/events/event-id'
import { defineJob } from '@salus/kernel/jobs/jobs'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { lockEndpoints, notifyDeliveries } from '../delivery/delivery.global.repository.ts'
import { deleteEventsBefore, findNextEnvironment } from './expired-events.global.repository.ts'
import { recoverEvents } from './resend.repository.ts'

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
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  { environmentId, endpointId, fromId, toId }: RecoveryPayload,
  signal: AbortSignal,
): Promise<void> {
  let next: string | null = fromId
  while (next !== null) {
    // When it is interrupted, the queue starts it again.
    signal.throwIfAborted()
    const range = { endpointId, fromId: next, toId, at: clock.now() }
    const last = await db.transaction().execute(async (transaction) => {
      await lockEndpoints(transaction, [endpointId])
      const scope = rowScope(transaction, environmentId)
      const lastId = await recoverEvents(scope, range, EVENTS_AT_ONCE)
      if (lastId !== null) await notifyDeliveries(transaction, [endpointId])
      return lastId
    })
    // The smallest text after it.
    next = last === null ? null : `${last}0`
  }
}

/** Removes events that are older than the retention time of the deployment. */
export async function expireEvents(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  if (retentionDays === 0) return
  const oldest = leastEventId(clock.now().getTime() - retentionDays * DAY_MS)
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
