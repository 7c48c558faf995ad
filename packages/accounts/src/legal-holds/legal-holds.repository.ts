import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'

interface LegalHoldsTable {
  environment_id: string
  user_id: string
  id: string
  reason: string
  placed_at: Date
  /** Id of the management key. */
  placed_by: string | null
  released_at: Date | null
  released_by: string | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    legal_holds: LegalHoldsTable
  }
}

export type LegalHoldRow = Selectable<LegalHoldsTable>

/**
 * Locks the user, so that placing a hold, a delete or an erasure waits for this transaction.
 * Deleted users count until they are erased.
 * @returns whether there is such a user
 */
export async function lockPerson({ db, environment }: RowScope, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the present hold of a user. */
function findHold(
  { db, environment }: RowScope,
  userId: string,
): Promise<LegalHoldRow | undefined> {
  return db
    .selectFrom('legal_holds')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('released_at', 'is', null)
    .executeTakeFirst()
}

/** Whether a user is under a hold; this cannot change until the transaction ends. */
export async function isHeld(scope: RowScope, userId: string): Promise<boolean> {
  await lockPerson(scope, userId)
  return (await findHold(scope, userId)) !== undefined
}

/** Returns the ids of all users of the environment who are under a hold. */
export async function listHeldPeople({ db, environment }: RowScope): Promise<string[]> {
  const rows = await db
    .selectFrom('legal_holds')
    .select('user_id')
    .where('environment_id', '=', environment.id)
    .where('released_at', 'is', null)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/**
 * Takes a lock of the environment that other holders have to wait for until the transaction ends.
 */
export async function lockHolds({ db, environment }: RowScope): Promise<void> {
  const name = `legal holds of ${environment.id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 5))`.execute(db)
}

export async function hasErasureBegun(
  { db, environment }: RowScope,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql`select from erasures where environment_id = ${environment.id}
    and user_id = ${userId} and started_at is not null`.execute(db)
  return rows.length > 0
}

/** @returns undefined when the user is already under a hold */
export function insertHold(
  { db, environment }: TransactionScope,
  hold: Pick<LegalHoldRow, 'id' | 'user_id' | 'reason' | 'placed_at' | 'placed_by'>,
): Promise<LegalHoldRow | undefined> {
  return db
    .insertInto('legal_holds')
    .values({ ...hold, environment_id: environment.id, released_at: null, released_by: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** @returns the hold, released now or before */
export async function releaseHold(
  { db, environment }: TransactionScope,
  id: string,
  release: { at: Date; by: string | null },
): Promise<LegalHoldRow | undefined> {
  await db
    .updateTable('legal_holds')
    .set({ released_at: release.at, released_by: release.by })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .execute()
  return db
    .selectFrom('legal_holds')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the newest holds, up to the maximum of a list. */
export function listHolds(
  { db, environment }: Scope,
  { userId, isActive }: { userId: string | undefined; isActive: boolean | undefined },
  limit: number,
): Promise<LegalHoldRow[]> {
  let query = db
    .selectFrom('legal_holds')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('placed_at', 'desc')
    .orderBy('id')
    .limit(limit)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (isActive !== undefined) query = query.where('released_at', isActive ? 'is' : 'is not', null)
  return query.execute()
}
