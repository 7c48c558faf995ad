import type { LabGateway } from '../../labs/index.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { dateInZone } from '../../platform/time/instants.ts'
import { findTenant, type Tenant, tenantNow } from '../../teams/index.ts'
import { applyNews } from '../news/apply-news.service.ts'
import { findOrder, lockOrder, type OrderRow, updateOrder } from '../orders.repository.ts'
import { CANCEL_AT_LAB, type CancelJob, type OrderJob } from './dispatch-job.ts'
import { makeRequisition } from './requisition.service.ts'

/** Which gateway leads to a laboratory; undefined where none is set up. */
export type FindGateway = (
  environment: Tenant['environment'],
  labSlug: string,
) => LabGateway | undefined

export interface DispatchContext {
  db: Db
  clock: Clock
  log: Logger
  findGateway: FindGateway
  /** Where the day begins on which scheduled orders are handed over. */
  timeZone: string
}

/** Statuses in which something is to be handed over. */
const BEFORE_HANDING_OVER = new Set<OrderRow['last_status']>([
  'ordered',
  'awaiting_registration',
  'registered',
])

/**
 * Hands an order over: to the laboratory, and for a kit whose patient is not known yet to the kit
 * vendor. Does nothing for one that was handed over, cancelled or moved to a later day meanwhile.
 * @throws Error when the other side cannot be reached, so that the job is tried again
 */
export async function dispatchOrder(
  context: DispatchContext,
  { environmentId, orderId }: OrderJob,
): Promise<void> {
  const { db, clock } = context
  const tenant = await findTenant(db, environmentId)
  const row = tenant && (await findOrder(db, environmentId, orderId))
  if (tenant === undefined || row === undefined) return
  if (!isDue(row, dateInZone(tenantNow(clock, tenant), context.timeZone))) return
  const requisition = await makeRequisition(db, row)
  const gateway = context.findGateway(tenant.environment, requisition.labSlug)
  if (gateway === undefined) {
    throw new Error(`No gateway leads to ${requisition.labSlug} in ${tenant.environment}.`)
  }
  const placement = await gateway.place(requisition)
  await db.transaction().execute(async (transaction) => {
    const locked = await lockOrder(transaction, environmentId, orderId)
    if (locked === undefined || locked.last_status === 'cancelled') {
      // Nobody wants it any more; the laboratory is told by a job, which outlives a failure.
      const given = placement.state === 'accepted' ? placement.sampleId : null
      const { labSlug } = requisition
      const sampleId = given ?? row.sample_id
      await addCancelJob(transaction, { environmentId, orderId, labSlug, sampleId })
      return
    }
    // Somebody else handed it over, or it got its patient, with whom it goes out once more.
    if (locked.dispatched_at !== null || locked.last_status !== row.last_status) return
    const at = tenantNow(clock, tenant)
    const changes = { dispatched_at: at }
    const dispatched = await updateOrder(transaction, environmentId, orderId, changes)
    if (placement.state === 'accepted') {
      const about = { order: { orderId, labSlug: requisition.labSlug }, at }
      const news = { ...about, kind: 'requisition_accepted' as const, ...placement }
      await applyNews({ db, clock, tenant }, transaction, dispatched, news)
    }
  })
}

function isDue(row: OrderRow, today: string): boolean {
  if (row.dispatched_at !== null || !BEFORE_HANDING_OVER.has(row.last_status)) return false
  return row.activate_by === null || row.activate_by <= today
}

/** Has the laboratory told, when the transaction commits, that an order was cancelled. */
export function addCancelJob(db: Db, payload: CancelJob): Promise<void> {
  return addJob(db, { ...CANCEL_AT_LAB, payload })
}

/** Tells the laboratory that nothing shall be done any more for an order that it knows of. */
export async function cancelAtLab(
  { db, findGateway }: DispatchContext,
  { environmentId, orderId, labSlug, sampleId }: CancelJob,
): Promise<void> {
  const tenant = await findTenant(db, environmentId)
  const gateway = tenant && findGateway(tenant.environment, labSlug)
  await gateway?.cancel({ environmentId, orderId, sampleId })
}
