import { removeOldResponses } from '../../platform/idempotency/idempotent-requests.global.repository.ts'
import { addJob, handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import { dateInZone } from '../../platform/time/instants.ts'
import { CANCEL_AT_LAB, DISPATCH_ORDER, dispatchKey } from './dispatch/dispatch-job.ts'
import {
  cancelAtLab,
  type DispatchContext,
  dispatchOrder,
} from './dispatch/dispatch-order.service.ts'
import { listDueOrders } from './dispatch/due-orders.global.repository.ts'

/** Orders that one run of the schedule puts into the queue. */
const MOST_DUE = 1000
const DAY_MS = 86_400_000
/** Longer than any endpoint keeps its first answers, and gone before a deleted user is erased. */
const KEPT_DAYS = 2

const SCHEDULE = `
* * * * * dispatch_due_orders
41 3 * * * forget_idempotency_keys`

/** Handing orders over, at once and on their day, and forgetting old idempotency keys. */
export function orderJobs(context: DispatchContext): JobDefinitions {
  return {
    handlers: {
      ...handleJob(DISPATCH_ORDER, (job, _signal, attempt) => dispatchOrder(context, job, attempt)),
      ...handleJob(CANCEL_AT_LAB, (job) => cancelAtLab(context, job)),
      dispatch_due_orders: () => dispatchDueOrders(context),
      forget_idempotency_keys: async () => {
        const before = new Date(context.clock.now().getTime() - KEPT_DAYS * DAY_MS)
        await removeOldResponses(context.db, before)
      },
    },
    schedule: SCHEDULE,
  }
}

/** Puts orders whose day has come into the queue. One that is in it already is handed over once. */
export async function dispatchDueOrders({ db, clock, timeZone }: DispatchContext): Promise<void> {
  const today = dateInZone(clock.now(), timeZone)
  for (const row of await listDueOrders(db, today, MOST_DUE)) {
    const job = { environmentId: row.environment_id, orderId: row.id }
    await addJob(db, DISPATCH_ORDER, job, { key: dispatchKey(row.id) })
  }
}
