import type { OrdersOfUsers } from '@salus/accounts/users'
import * as repository from './orders-of-users.repository.ts'
import { addDispatchJob } from './placing/store-order.service.ts'

/**
 * Orders of people who are deleted: hidden by a trigger of the database, held here against whoever
 * changes them at that moment, and handed over after an undo if that was still to come.
 */
export const ordersOfUsers: OrdersOfUsers = {
  count: repository.countShownOrders,
  hold: repository.lockOrdersOfUser,
  async resume(scope, userId) {
    const waiting = await repository.listUnsentOrdersOfUser(scope, userId)
    for (const { id } of waiting) await addDispatchJob(scope, id)
  },
  findPeople: repository.listUsersByPatient,
  async findPatients(scope, userIds) {
    const rows = await repository.listPatientsOfUsers(scope, userIds)
    return new Map(rows.map(({ user_id, ...patient }) => [user_id, patient]))
  },
}
