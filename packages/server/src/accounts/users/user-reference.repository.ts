import type { Db } from '../../platform/postgres/database.ts'
import type { UsersTable } from './users.tables.ts'

/** What events say of whom they are about. */
export type UserReference = Pick<UsersTable, 'id' | 'client_user_id'>

/** As findUserReference, with the promise that nobody deletes the user until the transaction ends. */
export function holdUserReference(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<UserReference | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'client_user_id'])
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** A live user, without connections and settings. */
export function findUserReference(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<UserReference | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'client_user_id'])
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
