import { BEFORE_HANDING_OVER } from '@salus/contracts/order-lifecycle'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findLab } from '../../catalog/index.ts'
import { DISPATCH_PROBLEMS } from '../dispatch/dispatch-problems.ts'
import { lockOrder, updateOrder } from '../orders.repository.ts'
import { type IsConnected, requireConnection } from '../placing/prepare-order.service.ts'
import { addDispatchJob } from '../placing/store-order.service.ts'
import { listStuckOrders, type StuckOrderRow } from './stuck-orders.repository.ts'
import type { StuckOrder, StuckOrderQuery } from './stuck-orders.schema.ts'

const PAGES = new KeysetPages({ id: UUID_KEY })

/**
 * Returns orders that need the operator: orders whose dispatch failed, and orders of deleted people
 * that laboratories work on and must stop.
 * @throws AppError 400 `invalid_cursor`
 */
export async function showStuckOrders(
  scope: Scope,
  { limit, next_cursor: cursor }: StuckOrderQuery,
) {
  const list = ['stuck_order', scope.environment.id]
  const afterId = PAGES.read(list, cursor)?.id ?? null
  const found = await listStuckOrders(scope, { afterId, limit: limit + 1 })
  const { page, nextCursor } = PAGES.cut(list, found, limit, (row) => row)
  return { data: page.map(toStuckOrder), next_cursor: nextCursor }
}

function toStuckOrder(row: StuckOrderRow): StuckOrder {
  const problem = row.is_hidden ? null : (row.dispatch_problem ?? 'not_reached')
  const since = (row.is_hidden ? row.deleted_at : row.dispatch_failed_at) ?? row.created_at
  return {
    order_id: row.id,
    reason: row.is_hidden ? 'person_deleted' : 'dispatch_failed',
    problem,
    message:
      problem === null
        ? 'The person was deleted while the laboratory works on the order.'
        : DISPATCH_PROBLEMS[problem],
    since: formatInstant(since),
    lab: row.lab_slug,
    method: row.method,
    low_level_status: row.last_status,
    sample_id: row.sample_id,
    created_at: formatInstant(row.created_at),
  }
}

/**
 * Retries the dispatch of an order with the full number of attempts.
 * @throws AppError 404 `order_not_found`; 400 `order_not_stuck`, `lab_not_connected`
 */
export async function retryDispatch(
  scope: Scope,
  isConnected: IsConnected,
  orderId: string,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockOrder(tx, orderId)
    if (row === undefined || row.is_hidden) throw notFoundCode('order_not_found')
    const isWaiting = row.dispatched_at === null && BEFORE_HANDING_OVER.includes(row.last_status)
    if (row.dispatch_failed_at === null || !isWaiting) {
      throw badRequest('order_not_stuck', 'The dispatch of the order has not failed.')
    }
    const lab = await findLab(tx.db, row.lab_id)
    if (lab === undefined) throw new Error('The laboratory of an order is gone.')
    await requireConnection(isConnected, lab)
    const changes = { dispatch_failed_at: null, dispatch_problem: null }
    await updateOrder(tx, row.id, changes)
    await addDispatchJob(tx, row.id)
  })
}
