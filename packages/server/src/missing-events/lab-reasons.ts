import type { UserRow } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { listAppointmentsOfUser } from '@salus/lab/appointments'
import { listOrdersOfUser, type OrderRow } from '@salus/lab/orders'
import { listParsingJobs } from '@salus/lab/reports'
import type { FoundReason } from './reasons.registry.ts'

/** Explains events of orders that were placed, changed, or failed to be sent to the laboratory. */
export async function explainOrder(
  scope: Scope,
  user: UserRow,
  eventType: string,
): Promise<FoundReason[]> {
  const orders = await listOrdersOfUser(scope, user.id)
  if (orders.length === 0) return [{ code: 'no_order' }]
  if (eventType.endsWith('.dispatch_failed')) {
    const isGivenUp = orders.some(({ dispatch_failed_at: at }) => at !== null)
    return isGivenUp ? [] : [{ code: 'order_handed_over' }]
  }
  const newest = orders.toSorted((a, b) => b.last_status_at.getTime() - a.last_status_at.getTime())
  const at = newest[0] ? formatInstant(newest[0].last_status_at) : null
  return [
    ...orders.flatMap((order) => explainWaiting(scope, order)),
    { code: 'order_unchanged', at },
  ]
}

function explainWaiting({ environment }: Scope, order: OrderRow): FoundReason[] {
  const about = { order_id: order.id, at: formatInstant(order.last_status_at) }
  if (order.last_status === 'partial_results') {
    const isSilent = !environment.settings.partial_webhooks_enabled
    return isSilent ? [{ code: 'partial_results_silent', ...about }] : []
  }
  if (order.last_status !== 'ordered') return []
  if (order.is_scheduled && order.dispatched_at === null) {
    return [{ code: 'order_scheduled', ...about }]
  }
  return environment.kind === 'sandbox' ? [{ code: 'order_waits_in_sandbox', ...about }] : []
}

/**
 * Checks the newest appointment of the user, and returns the time since which it has not changed.
 */
export async function explainAppointment(
  scope: Scope,
  user: UserRow,
  eventType: string,
): Promise<FoundReason[]> {
  const [last] = await listAppointmentsOfUser(scope, user.id, { after: null, limit: 1 })
  if (last === undefined) return [{ code: 'no_appointment' }]
  const about = { order_id: last.order_id, at: formatInstant(last.updated_at) }
  return [
    {
      code: eventType.endsWith('.reminder') ? 'reminder_due_later' : 'appointment_unchanged',
      ...about,
    },
  ]
}

/**
 * Returns that there is no order, or none with a critical result; empty when there is one, so that
 * the reason is another one.
 */
export async function explainCriticalResult(scope: Scope, user: UserRow): Promise<FoundReason[]> {
  const orders = await listOrdersOfUser(scope, user.id)
  if (orders.length === 0) return [{ code: 'no_order' }]
  const isCritical = orders.some(({ interpretation }) => interpretation === 'critical')
  return isCritical ? [] : [{ code: 'no_critical_result' }]
}

/** Checks the newest report that was uploaded for the user: whether it is still being parsed. */
export async function explainReport(scope: Scope, user: UserRow): Promise<FoundReason[]> {
  const { jobs } = await listParsingJobs(scope, { user_id: user.id, limit: 1 })
  const [last] = jobs
  if (last === undefined) return [{ code: 'no_report' }]
  const isRead = last.status !== 'started' && last.status !== 'upload_pending'
  return [{ code: isRead ? 'report_unchanged' : 'report_being_read', at: last.updated_at }]
}
