import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderInsuranceImagesTable } from '../orders.tables.ts'

export async function insertImages(
  { db, environment }: TransactionScope,
  images: Omit<OrderInsuranceImagesTable, 'environment_id'>,
): Promise<void> {
  await db
    .insertInto('order_insurance_images')
    .values({ ...images, environment_id: environment.id })
    .execute()
}

/** Copies images between orders; they stay readable only for orders of the same person. */
export async function copyImages(
  { db, environment }: TransactionScope,
  fromOrderId: string,
  toOrderId: string,
): Promise<void> {
  await sql`insert into order_insurance_images (environment_id, order_id, user_id, sealed)
    select environment_id, ${toOrderId}::uuid, user_id, sealed from order_insurance_images
    where environment_id = ${environment.id}::uuid and order_id = ${fromOrderId}::uuid`.execute(db)
}

/** Returns the encrypted images of an order's insurance card. */
export function findImages(
  { db, environment }: Scope,
  orderId: string,
): Promise<{ user_id: string; sealed: Buffer } | undefined> {
  return db
    .selectFrom('order_insurance_images')
    .select(['user_id', 'sealed'])
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

export function listImagesOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<OrderInsuranceImagesTable[]> {
  return db
    .selectFrom('order_insurance_images')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('order_id')
    .execute()
}
