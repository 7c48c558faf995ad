import { type CsvColumns, MOST_CSV_ROWS, refuseLongCsv } from '@salus/kernel/http/csv'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { Order } from '../orders.schema.ts'
import { showOrders } from '../show-orders.service.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderExportQuery } from './orders-list.schema.ts'
import { toOrderFilter } from './orders-list.service.ts'

/** Orders that are read at a time. */
const PART = 200

/**
 * Returns all orders of a list, in its order, for a file. Which they are is read at once, so that
 * none is missing or there twice when orders change meanwhile.
 * @throws AppError 400 `too_many_rows`, `invalid_date_range`
 */
export async function exportOrders(
  scope: Scope,
  query: OrderExportQuery,
): Promise<AsyncIterable<Order[]>> {
  const filter = toOrderFilter({ ...query, page: 1, size: MOST_CSV_ROWS + 1 })
  const today = dateAtOffset(environmentNow(scope).getTime(), 0)
  const { ids } = await findOrderPage(scope, filter, today)
  refuseLongCsv(ids.length)
  return readOrders(scope, ids)
}

async function* readOrders(scope: Scope, ids: readonly string[]): AsyncGenerator<Order[]> {
  // A list without orders has its first line.
  if (ids.length === 0) yield []
  for (let first = 0; first < ids.length; first += PART) {
    yield await showOrders(scope, ids.slice(first, first + PART))
  }
}

export const ORDER_COLUMNS: CsvColumns<Order> = {
  id: (order) => order.id,
  user_id: (order) => order.user_id,
  patient_first_name: (order) => order.patient_details?.first_name ?? null,
  patient_last_name: (order) => order.patient_details?.last_name ?? null,
  patient_birth_date: (order) => order.patient_details?.dob ?? null,
  shipping_recipient: (order) => order.shipping_details?.receiver_name ?? null,
  lab_test: (order) => order.lab_test.name,
  collection_method: (order) => order.details.type,
  status: (order) => order.last_event.status,
  status_at: (order) => order.last_event.created_at,
  interpretation: (order) => order.interpretation,
  sample_id: (order) => order.sample_id,
  activate_by: (order) => order.activate_by,
  created_at: (order) => order.created_at,
  updated_at: (order) => order.updated_at,
}
