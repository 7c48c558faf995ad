import type { Scope, TransactionScope } from '../../platform/scope.ts'

/** What happens to laboratory orders when something happens to their people; orders bring it along. */
export interface OrdersOfUsers {
  /** Orders of living people. */
  count(scope: Scope): Promise<number>
  /** Before a person is deleted: waits for whoever changes an order of theirs, so that none is left out. */
  hold(tx: TransactionScope, userId: string): Promise<{ openAtLab: number }>
  /** After a deletion was undone: goes on with what waited meanwhile. */
  resume(tx: TransactionScope, userId: string): Promise<void>
}
