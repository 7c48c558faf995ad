import type { Scope, TransactionScope } from '@salus/kernel/scope'

/**
 * Laboratory orders of users, as the domain of orders provides them, when something happens to the
 * users.
 */
export interface OrdersOfUsers {
  /** Counts the orders of users who are not deleted. */
  count(scope: Scope): Promise<number>
  /**
   * Called before a user is deleted: waits for changes of their orders, so that none is left out.
   */
  hold(tx: TransactionScope, userId: string): Promise<{ openAtLab: number }>
  /** Called after a delete was undone: continues with the work that waited meanwhile. */
  resume(tx: TransactionScope, userId: string): Promise<void>
  /**
   * Returns users with an order that has all of the words, in lower case, in the patient's name or
   * the e-mail address.
   */
  findPeople(scope: Scope, words: readonly string[]): Promise<string[]>
  /** Returns the patients of the newest orders of users, by user id. */
  findPatients(scope: Scope, userIds: readonly string[]): Promise<Map<string, PatientName>>
}

/** Name of the patient of an order. */
export interface PatientName {
  first_name: string
  last_name: string
  email: string
}
