import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { ShipmentsTable } from './orders.tables.ts'

export type ShipmentRow = Selectable<ShipmentsTable>
export type ShipmentChanges = Omit<
  Updateable<ShipmentsTable>,
  'environment_id' | 'order_id' | 'id' | 'created_at'
>

/** Inserts the shipment of a new kit, without data before the first scan. */
export function insertShipment(
  { db, environment }: TransactionScope,
  shipment: { id: string; orderId: string; at: Date },
): Promise<ShipmentRow> {
  return db
    .insertInto('shipments')
    .values({
      environment_id: environment.id,
      order_id: shipment.orderId,
      id: shipment.id,
      created_at: shipment.at,
      updated_at: shipment.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the shipments of these orders, unsorted. */
export function listShipments(
  { db, environment }: Scope,
  orderIds: readonly string[],
): Promise<ShipmentRow[]> {
  return db
    .selectFrom('shipments')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', sql<string>`any(${orderIds}::uuid[])`)
    .execute()
}

/** Changes the shipment of an order and returns its row. @throws when the order has none */
export function updateShipment(
  { db, environment }: TransactionScope,
  orderId: string,
  changes: ShipmentChanges,
): Promise<ShipmentRow> {
  return db
    .updateTable('shipments')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
