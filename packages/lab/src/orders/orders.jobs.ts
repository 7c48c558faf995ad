import { inEnvironment } from '@salus/accounts/teams'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { removeExpiredResponses } from '@salus/kernel/idempotency/idempotent-requests.global.repository'
import { addJob, handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import {
  CANCEL_AT_LAB,
  type CancelJob,
  DISPATCH_ORDER,
  dispatchKey,
  type OrderJob,
} from './dispatch/dispatch-job.ts'
import {
  cancelAtLab,
  type DispatchParts,
  dispatchOrder,
} from './dispatch/dispatch-order.service.ts'
import { listDueOrders } from './orders.global.repository.ts'

/** Most orders that one run of the schedule adds to the queue. */
const MOST_DUE = 1000

const SCHEDULE = `
* * * * * dispatch_due_orders
41 3 * * * forget_idempotency_keys`

/** Jobs that dispatch orders, at once and on their day, and delete old idempotency keys. */
export function orderJobs(
  stores: Stores & { secrets: SecretBox },
  dispatch: DispatchParts,
): JobDefinitions {
  const { secrets } = stores
  return {
    handlers: {
      ...handleJob(
        DISPATCH_ORDER,
        inEnvironment(stores, (scope, { orderId }: OrderJob, attempt) =>
          dispatchOrder(scope, { ...dispatch, secrets }, orderId, attempt),
        ),
      ),
      ...handleJob(
        CANCEL_AT_LAB,
        inEnvironment(stores, (scope, job: CancelJob, attempt) =>
          cancelAtLab(scope, dispatch, job, attempt),
        ),
      ),
      dispatch_due_orders: () => dispatchDueOrders(stores, dispatch),
      forget_idempotency_keys: async () => {
        await removeExpiredResponses(stores.db, stores.clock.now())
      },
    },
    schedule: SCHEDULE,
  }
}

/**
 * Adds jobs for orders whose day has come. An order that is already in the queue is dispatched
 * once.
 */
export async function dispatchDueOrders(
  { db, clock }: Stores,
  { timeZone }: DispatchParts,
): Promise<void> {
  const today = dateInZone(clock.now(), timeZone)
  for (const row of await listDueOrders(db, today, MOST_DUE)) {
    const job = { environmentId: row.environment_id, orderId: row.id }
    await addJob(db, DISPATCH_ORDER, job, { key: dispatchKey(row.id) })
  }
}
