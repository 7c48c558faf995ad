import type { Db } from '../../platform/postgres/database.ts'

/** What happens to laboratory orders when something happens to their people; orders bring it along. */
export interface OrdersOfUsers {
  /** Orders of living people. */
  count(db: Db, environmentId: string): Promise<number>
  /**
   * Before a person is deleted, in the same transaction: waits for whoever changes an order of theirs,
   * so that none is left out.
   */
  hold(db: Db, environmentId: string, userId: string): Promise<{ openAtLab: number }>
  /** After a deletion was undone, in the same transaction: goes on with what waited meanwhile. */
  resume(db: Db, environmentId: string, userId: string): Promise<void>
}
