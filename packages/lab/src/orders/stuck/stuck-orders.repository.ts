import { BEFORE_HANDING_OVER } from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { OrdersTable } from '../orders.tables.ts'
import { isOpenAtLab } from '../orders-of-users.repository.ts'

export type StuckOrderRow = Pick<
  Selectable<OrdersTable>,
  | 'id'
  | 'method'
  | 'sample_id'
  | 'last_status'
  | 'dispatch_failed_at'
  | 'dispatch_problem'
  | 'dispatch_detail'
  | 'cancel_failed_at'
  | 'cancel_problem'
  | 'cancel_detail'
  | 'is_hidden'
  | 'created_at'
> & {
  lab_slug: string
  /** Time of the person's deletion; null for a person who is not deleted. */
  deleted_at: Date | null
}

const isNotHandedOver = sql<boolean>`(
  orders.dispatch_failed_at is not null and orders.dispatched_at is null and not orders.is_hidden
  and orders.last_status = any(${[...BEFORE_HANDING_OVER]}::text[])
)`

const isStuck = sql<boolean>`(${isNotHandedOver} or (orders.is_hidden and ${isOpenAtLab})
  or orders.cancel_failed_at is not null)`

/** Counts orders that need the operator. */
export async function countStuckOrders({ db, environment }: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('orders')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('orders.environment_id', '=', environment.id)
    .where(isStuck)
    .executeTakeFirstOrThrow()
  return total
}

/** Returns orders that need the operator, by id. */
export function listStuckOrders(
  { db, environment }: Scope,
  page: { afterId: string | null; limit: number },
): Promise<StuckOrderRow[]> {
  let query = db
    .selectFrom('orders')
    .innerJoin('labs', 'labs.id', 'orders.lab_id')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'orders.environment_id')
        .onRef('users.id', '=', 'orders.user_id'),
    )
    .select([
      'orders.id',
      'orders.method',
      'orders.sample_id',
      'orders.last_status',
      'orders.dispatch_failed_at',
      'orders.dispatch_problem',
      'orders.dispatch_detail',
      'orders.cancel_failed_at',
      'orders.cancel_problem',
      'orders.cancel_detail',
      'orders.is_hidden',
      'orders.created_at',
      'labs.slug as lab_slug',
      'users.deleted_at',
    ])
    .where('orders.environment_id', '=', environment.id)
    .where(isStuck)
  if (page.afterId !== null) query = query.where('orders.id', '>', page.afterId)
  return query.orderBy('orders.id').limit(page.limit).execute()
}
