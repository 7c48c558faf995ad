import type { OrdersOfUsers } from '../../accounts/users/index.ts'
import * as repository from './orders-of-users.repository.ts'
import { addDispatchJob } from './placing/store-order.service.ts'

/**
 * Orders of people who are deleted: hidden by a trigger of the database, held here against whoever
 * changes them at that moment, and handed over after an undo if that was still to come.
 */
export const ordersOfUsers: OrdersOfUsers = {
  count: ({ db, environment }) => repository.countShownOrders(db, environment.id),
  hold: ({ db, environment }, userId) => repository.lockOrdersOfUser(db, environment.id, userId),
  async resume({ db, environment: { id: environmentId } }, userId) {
    const waiting = await repository.listUnsentOrdersOfUser(db, environmentId, userId)
    for (const { id } of waiting) await addDispatchJob(db, environmentId, id)
  },
}
