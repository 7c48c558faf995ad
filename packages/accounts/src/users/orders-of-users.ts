import type { Scope, TransactionScope } from '@salus/kernel/scope'

/**
 * What happens to laboratory orders when something happens to their people; orders bring it along.
 */
export interface OrdersOfUsers {
  /** Orders of living people. */
  count(scope: Scope): Promise<number>
  /**
   * Before a person is deleted: waits for whoever changes an order of theirs, so that none is left
   * out.
   */
  hold(tx: TransactionScope, userId: string): Promise<{ openAtLab: number }>
  /** After a deletion was undone: goes on with what waited meanwhile. */
  resume(tx: TransactionScope, userId: string): Promise<void>
  /**
   * People who have an order with all of the words, in lower case, in the patient's name or in the
   * e-mail address.
   */
  findPeople(scope: Scope, words: readonly string[]): Promise<string[]>
  /** Patients of the newest orders of people, by user id. */
  findPatients(scope: Scope, userIds: readonly string[]): Promise<Map<string, PatientName>>
}

/** How an order names its patient. */
export interface PatientName {
  first_name: string
  last_name: string
  email: string
}
