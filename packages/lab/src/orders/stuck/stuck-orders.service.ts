import { BEFORE_HANDING_OVER } from '@salus/contracts/order-lifecycle'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findLab, type LabRow } from '../../catalog/index.ts'
import { addCancelJob } from '../dispatch/dispatch-order.service.ts'
import { CANCEL_PROBLEMS, DISPATCH_PROBLEMS } from '../dispatch/dispatch-problems.ts'
import { NO_CANCEL_PROBLEM, NO_DISPATCH_PROBLEM } from '../dispatch/record-failure.service.ts'
import { lockOrder, type OrderRow, updateOrder } from '../orders.repository.ts'
import { type IsConnected, requireConnection } from '../placing/prepare-order.service.ts'
import { addDispatchJob } from '../placing/store-order.service.ts'
import { listStuckOrders, type StuckOrderRow } from './stuck-orders.repository.ts'
import type { StuckOrder, StuckOrderQuery } from './stuck-orders.schema.ts'
import { endStuckTask } from './stuck-tasks.service.ts'

const PAGES = new KeysetPages({ id: UUID_KEY })

/**
 * Returns orders that need the operator: orders whose dispatch failed, orders of deleted people
 * that laboratories work on and must stop, and cancelled orders that laboratories did not cancel.
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
  return {
    order_id: row.id,
    ...explain(row),
    lab: row.lab_slug,
    method: row.method,
    low_level_status: row.last_status,
    sample_id: row.sample_id,
    created_at: formatInstant(row.created_at),
  }
}

function explain(
  row: StuckOrderRow,
): Pick<StuckOrder, 'reason' | 'problem' | 'detail' | 'message' | 'since'> {
  if (row.cancel_failed_at !== null && row.cancel_problem !== null) {
    return {
      reason: 'cancel_at_lab',
      problem: row.cancel_problem,
      detail: row.cancel_detail,
      message: CANCEL_PROBLEMS[row.cancel_problem],
      since: formatInstant(row.cancel_failed_at),
    }
  }
  if (row.is_hidden) {
    return {
      reason: 'person_deleted',
      problem: null,
      detail: null,
      message: 'The person was deleted while the laboratory works on the order.',
      since: formatInstant(row.deleted_at ?? row.created_at),
    }
  }
  const problem = row.dispatch_problem ?? 'not_reached'
  return {
    reason: 'dispatch_failed',
    problem,
    detail: row.dispatch_detail,
    message: DISPATCH_PROBLEMS[problem],
    since: formatInstant(row.dispatch_failed_at ?? row.created_at),
  }
}

/**
 * Retries the dispatch of an order, or its cancellation at the laboratory, with the full number of
 * attempts.
 * @throws AppError 404 `order_not_found`; 400 `order_not_stuck`, `lab_not_connected`
 */
export async function retryDispatch(
  scope: Scope,
  isConnected: IsConnected,
  orderId: string,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockOrder(tx, orderId)
    if (row === undefined) throw notFoundCode('order_not_found')
    if (row.cancel_failed_at !== null) return retryCancellation(tx, isConnected, row)
    if (row.is_hidden) throw notFoundCode('order_not_found')
    const isWaiting = row.dispatched_at === null && BEFORE_HANDING_OVER.includes(row.last_status)
    if (row.dispatch_failed_at === null || !isWaiting) {
      throw badRequest('order_not_stuck', 'The dispatch of the order has not failed.')
    }
    await requireConnection(isConnected, await getLab(tx, row))
    await updateOrder(tx, row.id, NO_DISPATCH_PROBLEM)
    await endStuckTask(tx, row)
    await addDispatchJob(tx, row.id)
  })
}

async function retryCancellation(
  tx: TransactionScope,
  isConnected: IsConnected,
  row: OrderRow,
): Promise<void> {
  const lab = await getLab(tx, row)
  await requireConnection(isConnected, lab)
  await updateOrder(tx, row.id, NO_CANCEL_PROBLEM)
  await endStuckTask(tx, row)
  await addCancelJob(tx, { orderId: row.id, labSlug: lab.slug, sampleId: row.sample_id })
}

async function getLab({ db }: Scope, row: OrderRow): Promise<LabRow> {
  const lab = await findLab(db, row.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  return lab
}

/**
 * Records that people cancelled an order at its laboratory, as by telephone.
 * @throws AppError 404 `order_not_found`; 400 `order_not_stuck`
 */
export async function resolveCancellation(scope: Scope, orderId: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockOrder(tx, orderId)
    if (row === undefined) throw notFoundCode('order_not_found')
    if (row.cancel_failed_at === null) {
      throw badRequest('order_not_stuck', 'The cancellation of the order has not failed.')
    }
    await updateOrder(tx, row.id, NO_CANCEL_PROBLEM)
    await endStuckTask(tx, row)
  })
}
