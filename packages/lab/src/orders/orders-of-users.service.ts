import type { OrdersOfUsers } from '@salus/accounts/users'
import * as repository from './orders-of-users.repository.ts'
import { addDispatchJob } from './placing/store-order.service.ts'

/**
 * Handles orders of deleted people: a database trigger hides them, these functions lock them
 * against concurrent changes, and dispatch overdue ones when the deletion is undone.
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
