import type {
  NamePart,
  OrderFilter,
  OrderPage,
} from '../../../lab/src/orders/listing/orders-list.repository.ts'
import type { ListedOrder } from './listed-orders.ts'

const MOST_COUNTED = 10_000

/** The page of a filter by plain JavaScript, to compare with. */
export function listByHand(
  orders: readonly ListedOrder[],
  filter: OrderFilter,
  today: string,
): OrderPage {
  const matching = orders.filter((order) => matches(order, filter, today))
  matching.sort((a, b) => compare(a, b, filter) * (filter.direction === 'asc' ? 1 : -1))
  const page = matching.slice(filter.offset, filter.offset + filter.size)
  const hasShortNamesOnly =
    filter.names.length > 0 && filter.names.every(({ text }) => [...text].length < 3)
  const most = hasShortNamesOnly
    ? Math.max(MOST_COUNTED, filter.offset + filter.size + 1)
    : Infinity
  return {
    ids: page.map(({ id }) => id),
    total: Math.min(matching.length, most),
    isCapped: matching.length > most,
  }
}

function matches(order: ListedOrder, filter: OrderFilter, today: string): boolean {
  const { created, updated, activation, orderOrUserId } = filter
  const isScheduled = order.activate_by !== null && order.activate_by > today
  return (
    isIn(filter.statuses, order.last_status) &&
    isIn(filter.methods, order.method) &&
    isIn(filter.interpretations, order.interpretation) &&
    isIn(filter.orderIds, order.id) &&
    isWithin(order.created_at, created) &&
    isWithin(order.updated_at, updated) &&
    (activation === null || isScheduled === (activation === 'scheduled')) &&
    filter.names.every((name) => bears(order, name)) &&
    (filter.userId === null || order.user_id === filter.userId) &&
    (filter.transactionId === null || order.transaction_id === filter.transactionId) &&
    (orderOrUserId === null || [order.id, order.user_id].includes(orderOrUserId)) &&
    (filter.birthDate === null || order.patient_dob === filter.birthDate)
  )
}

const isIn = <T>(values: readonly T[] | null, value: T): boolean =>
  values === null || values.includes(value)

const isWithin = (instant: Date, { from, before }: OrderFilter['created']): boolean =>
  (from === null || instant >= from) && (before === null || instant < before)

function bears(order: ListedOrder, { of, text }: NamePart): boolean {
  const names = [order.patient_name, order.shipping_recipient_name]
  if (of === 'either') return names.some((name) => name.includes(text))
  return order[of].includes(text)
}

function compare(a: ListedOrder, b: ListedOrder, { key }: OrderFilter): number {
  const byKey = key === 'created_at' ? 0 : compareBytes(a[key], b[key])
  return byKey || a.created_at.getTime() - b.created_at.getTime() || compareBytes(a.id, b.id)
}

const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))
