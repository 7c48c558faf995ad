import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { parseInstant } from '@salus/kernel/time/instants'
import { listOrderEvents } from '../order-events.repository.ts'
import type { ResendEvents } from '../order-requests.schema.ts'
import { listOrderRows, listUpdatedOrderIds, type OrderRow } from '../orders.repository.ts'
import { emitOrder } from '../transitions/transition-order.service.ts'

const LONGEST_WINDOW_MS = 60 * DAY_MS
const MOST_ORDERS = 1000
/** Number of events in one transaction. */
const BATCH = 50

/**
 * Emits the latest event of each order again as a new event. Unknown ids are left out.
 * @returns ids of the orders whose event was emitted
 * @throws AppError 400 `resend_filter_required`, `resend_window_too_long`
 */
export async function resendEvents(scope: Scope, filter: ResendEvents) {
  const ids = await chooseOrders(scope, filter)
  const emitted: string[] = []
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH)
    await scope.transaction(async (tx) => {
      const all = await listOrderRows(tx, batch)
      const rows = all.filter((row) => isEmitted(scope, row))
      const events = await listOrderEvents(tx, batch)
      const eventsOf = Map.groupBy(events, (event) => event.order_id)
      for (const row of rows) {
        const isNew = eventsOf.get(row.id)?.length === 1
        await emitOrder(tx, row, isNew ? 'created' : 'updated')
      }
      const known = new Set(rows.map(({ id }) => id))
      emitted.push(...batch.filter((id) => known.has(id)))
    })
  }
  return { order_ids: emitted }
}

/**
 * Returns false for orders of deleted people, and for partial results unless the team enabled them.
 */
function isEmitted({ environment }: Scope, row: OrderRow): boolean {
  if (row.is_hidden) return false
  return row.last_status !== 'partial_results' || environment.settings.partial_webhooks_enabled
}

async function chooseOrders(scope: Scope, filter: ResendEvents): Promise<string[]> {
  const { clock, environment } = scope
  if (filter.order_ids && filter.order_ids.length > 0) {
    const ids = new Set(filter.order_ids.map((id) => id.toLowerCase()))
    return [...ids].slice(0, MOST_ORDERS)
  }
  const start = filter.start_at ? parseInstant(filter.start_at)?.epochMilliseconds : undefined
  if (start === undefined) {
    throw badRequest('resend_filter_required', 'Give order_ids or start_at.')
  }
  const now = clock.now().getTime() + environment.clockOffsetSeconds * 1000
  const end = (filter.end_at && parseInstant(filter.end_at)?.epochMilliseconds) || now
  if (end - start > LONGEST_WINDOW_MS) {
    throw badRequest('resend_window_too_long', 'The time from start_at to end_at is over 60 days.')
  }
  const range = { from: new Date(start), to: new Date(end), limit: MOST_ORDERS }
  return listUpdatedOrderIds(scope, range)
}
