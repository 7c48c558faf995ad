import type { Database } from '@salus/kernel/postgres/database'
import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { UsersTable } from './users.tables.ts'

export type UserRow = Selectable<UsersTable>

type NewUserRow = Omit<Selectable<UsersTable>, 'environment_id'>

/** Returns the ids of people of the environment who were deleted at or after a time. */
export async function listDeletedSince({ db, environment }: RowScope, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('deleted_at', '>=', at)
    .execute()
  return rows.map(({ id }) => id)
}

/** Selects the users of the environment who are not deleted. */
export function selectUsers({
  db,
  environment,
}: RowScope): SelectQueryBuilder<Database, 'users', UserRow> {
  return db
    .selectFrom('users')
    .selectAll('users')
    .where('users.environment_id', '=', environment.id)
    .where('users.deleted_at', 'is', null)
}

/** Inserts the user, or returns false when the environment already uses that client_user_id. */
export async function insertUser({ db, environment }: Scope, user: NewUserRow): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ ...user, environment_id: environment.id })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'client_user_id'])
        .where('deleted_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Returns a user by id; undefined also for one who was deleted. */
export function findUser(scope: RowScope, userId: string): Promise<UserRow | undefined> {
  return selectUsers(scope).where('id', '=', userId).executeTakeFirst()
}

/** Returns the fallback zone of a user; undefined for one that does not exist or was deleted. */
export function findUserZone(
  { db, environment }: RowScope,
  userId: string,
): Promise<Pick<UserRow, 'fallback_time_zone'> | undefined> {
  return prepared(db)
    .selectFrom('users')
    .select('fallback_time_zone')
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The fields of events that identify their user. */
export type UserReference = Pick<UsersTable, 'id' | 'client_user_id'>

/** Selects a live user's reference, for queries that need more columns. */
export function selectReference({ db, environment }: RowScope, userId: string) {
  return prepared(db)
    .selectFrom('users')
    .select(['id', 'client_user_id'])
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
}

/**
 * Returns the stored form of the id of a user whose data are here, deleted or not; null for any
 * other id.
 */
export async function findStoredUserId(scope: RowScope, userId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from users
    where environment_id = ${scope.environment.id} and id = ${userId}`.execute(scope.db)
  return rows[0]?.id ?? null
}

/**
 * Returns the reference as findUserReference does, and keeps the user from being deleted until the
 * transaction ends.
 */
export function holdUserReference(
  scope: Scope,
  userId: string,
): Promise<UserReference | undefined> {
  return selectReference(scope, userId).forShare().executeTakeFirst()
}

/** Returns a live user, without connections and settings. */
export function findUserReference(
  scope: RowScope,
  userId: string,
): Promise<UserReference | undefined> {
  return selectReference(scope, userId).executeTakeFirst()
}

/** Returns a user by client_user_id; undefined also for one who was deleted. */
export function findUserByClientId(
  scope: Scope,
  clientUserId: string,
): Promise<UserRow | undefined> {
  return selectUsers(scope).where('client_user_id', '=', clientUserId).executeTakeFirst()
}

/** Returns users in order of creation. */
export function listUsers(
  scope: Scope,
  page: { offset: number; limit: number },
): Promise<UserRow[]> {
  return selectUsers(scope)
    .orderBy('created_at')
    .orderBy('id')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
}

export async function countUsers({ db, environment }: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** Makes creations in one environment wait for each other until the transaction ends. */
export async function lockUserCreation({ db, environment }: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.id}, 1))`.execute(db)
}

/**
 * Returns users whose id begins with the text, or whose client_user_id contains it, in either case.
 */
export function searchUsers(scope: Scope, text: string, limit: number): Promise<UserRow[]> {
  const literal = escapeLike(text)
  return selectUsers(scope)
    .where((where) =>
      where.or([
        where(sql<string>`id::text`, 'like', `${literal.toLowerCase()}%`),
        where('client_user_id', 'ilike', `%${literal}%`),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Changes columns of a live user. Returns false when there is none. */
export async function updateUser(
  { db, environment }: Scope,
  userId: string,
  change: Updateable<UsersTable>,
): Promise<boolean> {
  const updated = await db
    .updateTable('users')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Stores a learned time zone unless one was set manually or it has not changed. */
export async function learnTimeZone(
  { db, environment }: Scope,
  userId: string,
  learned: { timeZone: string; source: string; at: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      fallback_time_zone: learned.timeZone,
      fallback_time_zone_source: learned.source,
      fallback_time_zone_updated_at: learned.at,
    })
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where(sql<boolean>`fallback_time_zone_source is distinct from 'manual'`)
    .where(sql<boolean>`fallback_time_zone is distinct from ${learned.timeZone}`)
    .execute()
}

/** An erasure that was requested, or has begun, cannot be undone. */
const isNotToBeErased = sql<boolean>`not exists (
  select from erasures
  where erasures.environment_id = users.environment_id and erasures.user_id = users.id
)`

/**
 * Restores a user who was deleted after `since`. The newest delete wins where several match.
 * @returns the id, or undefined when there is none
 */
export async function restoreUser(
  { db, environment }: Scope,
  match: { userId?: string | undefined; clientUserId?: string | undefined; since: Date },
): Promise<string | undefined> {
  const restored = await db
    .updateTable('users')
    .set({ deleted_at: null })
    .where('environment_id', '=', environment.id)
    .where('id', '=', (select) => {
      const deleted = select
        .selectFrom('users')
        .select('id')
        .where('environment_id', '=', environment.id)
        .where('deleted_at', '>', match.since)
        .where(isNotToBeErased)
        .orderBy('deleted_at', 'desc')
        .limit(1)
      return match.userId === undefined
        ? deleted.where('client_user_id', '=', match.clientUserId ?? '')
        : deleted.where('id', '=', match.userId)
    })
    .returning('id')
    .executeTakeFirst()
  return restored?.id
}

export async function upsertDemographics(
  { db, environment }: Scope,
  userId: string,
  info: string,
  at: Date,
): Promise<void> {
  await db
    .insertInto('user_demographics')
    .values({ environment_id: environment.id, user_id: userId, info, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id']).doUpdateSet({ info, updated_at: at }),
    )
    .execute()
}

export async function findDemographics(
  { db, environment }: Scope,
  userId: string,
): Promise<unknown> {
  const row = await db
    .selectFrom('user_demographics')
    .select('info')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.info
}
