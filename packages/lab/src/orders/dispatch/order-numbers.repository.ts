import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { environmentNow } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderRow } from '../orders.repository.ts'
import { type LabNumberKind, ORDER_COLUMNS } from '../orders.tables.ts'

/** A number of an order, or of one of its tests, at a laboratory. */
export interface LabNumber {
  kind: LabNumberKind
  number: string
  /** The ordered marker; null for a number of the whole order. */
  markerId?: number | null
}

/**
 * Records numbers by which messages of a gateway name an order. A filler number of another order
 * moves to this one, because laboratories use accession numbers again.
 * @throws Error when one of our own numbers belongs to another order
 */
export async function recordNumbers(
  tx: TransactionScope,
  gateway: string,
  orderId: string,
  numbers: readonly LabNumber[],
): Promise<void> {
  if (numbers.length === 0) return
  const { db, environment } = tx
  const different = new Map(numbers.map((each) => [`${each.kind} ${each.number}`, each]))
  const stored = await db
    .insertInto('lab_order_numbers')
    .values(
      [...different.values()].map(({ kind, number, markerId = null }) => ({
        environment_id: environment.id,
        gateway,
        kind,
        number,
        order_id: orderId,
        marker_id: markerId,
        created_at: environmentNow(tx),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'gateway', 'kind', 'number'])
        .doUpdateSet({ order_id: orderId })
        .where(
          sql<boolean>`lab_order_numbers.kind = 'filler' or lab_order_numbers.order_id = ${orderId}`,
        ),
    )
    .returning('number')
    .execute()
  if (stored.length < different.size) {
    throw new Error('A number that Salus gave an order belongs to another order.')
  }
}

/** Returns the orders that have one of the numbers at a gateway, each once. */
export function listOrdersByNumber(
  { db, environment }: Scope,
  { gateway, kind, numbers }: { gateway: string; kind: LabNumberKind; numbers: readonly string[] },
): Promise<OrderRow[]> {
  if (numbers.length === 0) return Promise.resolve([])
  return prepared(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where(
      sql<boolean>`id in (select order_id from lab_order_numbers
        where environment_id = ${environment.id} and gateway = ${gateway} and kind = ${kind}
          and number = any(${[...numbers]}::text[]))`,
    )
    .execute()
}

/** Returns the order that has a number at a gateway, of whichever kind; undefined without one. */
export async function findOrderByNumber(
  scope: Scope,
  gateway: string,
  number: string,
): Promise<OrderRow | undefined> {
  for (const kind of ['placer', 'filler', 'requisition'] as const) {
    const [found] = await listOrdersByNumber(scope, { gateway, kind, numbers: [number] })
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether an order has a number at any laboratory: it gets one with its first message. */
export async function hasNumbers({ db, environment }: Scope, orderId: string): Promise<boolean> {
  const found = await db
    .selectFrom('lab_order_numbers')
    .select('number')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the ordered markers of an order by the placer numbers of their tests. */
export async function listMarkersOfPlacers(
  { db, environment }: Scope,
  orderId: string,
): Promise<Map<string, number>> {
  const rows = await prepared(db)
    .selectFrom('lab_order_numbers')
    .select(['number', 'marker_id'])
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('kind', '=', 'placer')
    .execute()
  return new Map(rows.flatMap(({ number, marker_id: id }) => (id === null ? [] : [[number, id]])))
}

/** Returns the numbers that an order has at a gateway. */
export async function listNumbersOfOrder(
  { db, environment }: Scope,
  gateway: string,
  orderId: string,
): Promise<Required<LabNumber>[]> {
  const rows = await db
    .selectFrom('lab_order_numbers')
    .select(['kind', 'number', 'marker_id'])
    .where('environment_id', '=', environment.id)
    .where('gateway', '=', gateway)
    .where('order_id', '=', orderId)
    .execute()
  return rows.map(({ kind, number, marker_id: markerId }) => ({ kind, number, markerId }))
}
