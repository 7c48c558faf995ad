import type { Scope, TransactionScope } from '@salus/kernel/scope'

interface FhirOrderIdentifiersTable {
  environment_id: string
  order_id: string
  system: string
  value: string
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    fhir_order_identifiers: FhirOrderIdentifiersTable
  }
}

/** An identifier that a system of the customer gave an order; the system may be empty. */
export interface OrderIdentifier {
  system: string
  value: string
}

/** Returns the id of the order with an identifier, also of an order of a deleted person. */
export async function findOrderByIdentifier(
  { db, environment }: Scope,
  { system, value }: OrderIdentifier,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('fhir_order_identifiers')
    .select('order_id')
    .where('environment_id', '=', environment.id)
    .where('system', '=', system)
    .where('value', '=', value)
    .executeTakeFirst()
  return row?.order_id
}

/** @returns false when another order has one of the identifiers */
export async function insertOrderIdentifiers(
  { db, environment }: TransactionScope,
  orderId: string,
  identifiers: readonly OrderIdentifier[],
): Promise<boolean> {
  if (identifiers.length === 0) return true
  const inserted = await db
    .insertInto('fhir_order_identifiers')
    .values(
      identifiers.map((one) => ({ ...one, environment_id: environment.id, order_id: orderId })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('value')
    .execute()
  return inserted.length === identifiers.length
}
