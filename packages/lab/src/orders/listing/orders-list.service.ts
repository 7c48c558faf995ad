import { INTERPRETATIONS, type Interpretation } from '@salus/contracts/lab-gateway'
import { badRequest } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import {
  dateAtOffset,
  parseDate,
  parseEndBound,
  parseStartBound,
} from '@salus/kernel/time/instants'
import { showOrders } from '../show-orders.service.ts'
import {
  findOrderPage,
  type InstantRange,
  type NamePart,
  type OrderFilter,
} from './orders-list.repository.ts'
import type { OrderList, OrderListQuery } from './orders-list.schema.ts'
import { toSearchedText } from './searched-text.ts'

/** Returns a page of orders and their number (docs/contract/11-orders.md#get-v3orders). */
export async function listOrders(scope: Scope, query: OrderListQuery): Promise<OrderList> {
  const today = dateAtOffset(environmentNow(scope).getTime(), 0)
  const found = await findOrderPage(scope, toOrderFilter(query), today)
  const { page, size } = query
  const list = { orders: await showOrders(scope, found.ids), total: found.total, page, size }
  return found.isCapped ? { ...list, total_is_capped: true } : list
}

/**
 * Converts a validated query to a filter (docs/contract/11-orders.md#get-v3orders).
 * @throws AppError 400 `invalid_date_range`
 */
export function toOrderFilter(query: OrderListQuery): OrderFilter {
  const search = readSearch(query.search_input ?? '')
  const names: NamePart[] = [
    { of: 'patient_name', text: query.patient_name ?? '' },
    { of: 'shipping_recipient_name', text: query.shipping_recipient_name ?? '' },
    { of: 'either', text: search.text },
  ]
  return {
    created: toRange(query.start_date, query.end_date, parseEndBound),
    updated: toRange(query.updated_start_date, query.updated_end_date, parseUpdateEnd),
    statuses: listed(query.status),
    methods: listed(query.order_type),
    interpretations: readInterpretations(query),
    activation: readActivation(query.order_activation_types ?? []),
    names: names
      .filter(({ text }) => text !== '')
      .map(({ of, text }) => ({ of, text: toSearchedText(text) })),
    userId: query.user_id ?? null,
    transactionId: query.order_transaction_id ?? null,
    orderIds: listed(query.order_ids),
    orderOrUserId: search.id,
    birthDate: search.date,
    key: query.order_key ?? 'created_at',
    direction: query.order_direction ?? 'desc',
    offset: Math.min((query.page - 1) * query.size, Number.MAX_SAFE_INTEGER - query.size),
    size: query.size,
  }
}

/** An empty list is no condition. */
function listed<T>(values: readonly T[] | null | undefined): readonly T[] | null {
  return values && values.length > 0 ? values : null
}

function readSearch(text: string): { id: string | null; date: string | null; text: string } {
  if (isUuid(text)) return { id: text.toLowerCase(), date: null, text: '' }
  // PostgreSQL has no year 0; dates with slashes are not accepted here.
  const isDate = parseDate(text) === text && !text.startsWith('0000')
  return isDate ? { id: null, date: text, text: '' } : { id: null, date: null, text }
}

function readInterpretations(query: OrderListQuery): readonly (Interpretation | null)[] | null {
  const { interpretation, is_critical: isCritical } = query
  if (interpretation == null && isCritical == null) return null
  return [...INTERPRETATIONS, null].filter(
    (value) =>
      (interpretation == null || value === interpretation) &&
      (isCritical == null || isCritical === (value === 'critical')),
  )
}

function readActivation(types: readonly ('current' | 'scheduled')[]) {
  const [type = null] = types
  return types.every((other) => other === type) ? type : null
}

/**
 * Returns the end of a range of updates: a date without time means its first second
 * (docs/contract/11-orders.md#get-v3orders).
 */
function parseUpdateEnd(text: string): number | undefined {
  return parseDate(text) === undefined ? parseEndBound(text) : (parseStartBound(text) ?? 0) + 999
}

/** No order is older or later, and dates between have years of four digits. */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z')
const LATEST = Date.parse('9999-12-30T00:00:00Z')

function toRange(
  start: string | null | undefined,
  end: string | null | undefined,
  parseEnd: (text: string) => number | undefined,
): InstantRange {
  const from = start == null ? undefined : parseStartBound(start)
  const last = end == null ? undefined : parseEnd(end)
  if (from !== undefined && last !== undefined && from > last) {
    throw badRequest('invalid_date_range', 'A range of dates ends before it starts.')
  }
  return {
    from: from === undefined ? null : withinReach(from),
    before: last === undefined ? null : withinReach(last + 1),
  }
}

function withinReach(epochMilliseconds: number): Date {
  return new Date(Math.min(Math.max(epochMilliseconds, EARLIEST), LATEST))
}
