import type { OrdersOfUsers } from '../../accounts/users/index.ts'
import * as repository from './orders-of-users.repository.ts'
import { addDispatchJob } from './placing/store-order.service.ts'

/**
 * Orders of people who are deleted: hidden by a trigger of the database, held here against whoever
 * changes them at that moment, and handed over after an undo if that was still to come.
 */
export const ordersOfUsers: OrdersOfUsers = {
  count: (db, id) => repository.countShownOrders({ db, environment: { id } }),
  hold: (db, id, userId) => repository.lockOrdersOfUser({ db, environment: { id } }, userId),
  async resume(db, environmentId, userId) {
    const scope = { db, environment: { id: environmentId } }
    const waiting = await repository.listUnsentOrdersOfUser(scope, userId)
    for (const { id } of waiting) await addDispatchJob(scope, id)
  },
}
