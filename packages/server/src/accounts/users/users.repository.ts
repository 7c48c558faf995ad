import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Database, Db } from '../../platform/postgres/database.ts'
import type { ConnectionStatus, UsersTable } from './users.tables.ts'

/** A connection as a user's record shows it. */
export interface ConnectionSummary {
  provider: string
  status: ConnectionStatus
  /** ISO 8601 text, as the database writes it into JSON. */
  created_at: string
}

export type UserRow = Selectable<UsersTable> & { connections: ConnectionSummary[] }

export type NewUserRow = Omit<Selectable<UsersTable>, 'environment_id'>

/**
 * Connections that still count: all but the deregistered ones
 * (docs/contract/02-users.md#connectedsource).
 */
const connectionsOfUser = sql<ConnectionSummary[]>`coalesce((
  select json_agg(
    json_build_object('provider', c.provider, 'status', c.status, 'created_at', c.created_at)
    order by c.created_at, c.provider
  )
  from connections c
  where c.environment_id = users.environment_id and c.user_id = users.id
    and c.status <> 'deregistered'
), '[]'::json)`.as('connections')

function selectUsers(
  db: Db,
  environmentId: string,
): SelectQueryBuilder<Database, 'users', UserRow> {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select(connectionsOfUser)
    .where('environment_id', '=', environmentId)
    .where('deleted_at', 'is', null)
}

/** Inserts the user, or returns false when the environment already uses that client_user_id. */
export async function insertUser(
  db: Db,
  environmentId: string,
  user: NewUserRow,
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ ...user, environment_id: environmentId })
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

export function findUser(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<UserRow | undefined> {
  return selectUsers(db, environmentId).where('id', '=', userId).executeTakeFirst()
}

export function findUserByClientId(
  db: Db,
  environmentId: string,
  clientUserId: string,
): Promise<UserRow | undefined> {
  return selectUsers(db, environmentId)
    .where('client_user_id', '=', clientUserId)
    .executeTakeFirst()
}

/** Users in order of creation. */
export function listUsers(
  db: Db,
  environmentId: string,
  page: { offset: number; limit: number },
): Promise<UserRow[]> {
  return selectUsers(db, environmentId)
    .orderBy('created_at')
    .orderBy('id')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
}

export async function countUsers(db: Db, environmentId: string): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('environment_id', '=', environmentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** Makes creations in one environment wait for each other until the transaction ends. */
export async function lockUserCreation(db: Db, environmentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environmentId}, 1))`.execute(db)
}

/** Users whose id begins with the text, or whose client_user_id contains it, in either case. */
export function searchUsers(
  db: Db,
  environmentId: string,
  text: string,
  limit: number,
): Promise<UserRow[]> {
  const literal = text.replace(/[\\%_]/g, (special) => `\\${special}`)
  return selectUsers(db, environmentId)
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

/** Changes columns of a living user. Returns false when there is none. */
export async function updateUser(
  db: Db,
  environmentId: string,
  userId: string,
  change: Updateable<UsersTable>,
): Promise<boolean> {
  const updated = await db
    .updateTable('users')
    .set(change)
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Stores a learned time zone unless a person set one by hand or it is the same already. */
export async function learnTimeZone(
  db: Db,
  environmentId: string,
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
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where(sql<boolean>`fallback_time_zone_source is distinct from 'manual'`)
    .where(sql<boolean>`fallback_time_zone is distinct from ${learned.timeZone}`)
    .execute()
}

export async function deregisterConnections(
  db: Db,
  environmentId: string,
  userId: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ status: 'deregistered', updated_at: at })
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Brings back a user that was deleted after `since`. The newest deletion wins where several match.
 * @returns the id, or undefined when there is none
 */
export async function restoreUser(
  db: Db,
  environmentId: string,
  match: { userId?: string | undefined; clientUserId?: string | undefined; since: Date },
): Promise<string | undefined> {
  const restored = await db
    .updateTable('users')
    .set({ deleted_at: null })
    .where('environment_id', '=', environmentId)
    .where('id', '=', (select) => {
      const deleted = select
        .selectFrom('users')
        .select('id')
        .where('environment_id', '=', environmentId)
        .where('deleted_at', '>', match.since)
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

/** Users deleted before the date, whose week of grace is over. */
export function listErasableUsers(
  db: Db,
  deletedBefore: Date,
): Promise<{ environment_id: string; id: string }[]> {
  return db
    .selectFrom('users')
    .select(['environment_id', 'id'])
    .where('deleted_at', '<', deletedBefore)
    .limit(1000)
    .execute()
}

/** Removes the row and all that hangs on it. */
export async function eraseUser(db: Db, environmentId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('users')
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .execute()
}

export async function upsertDemographics(
  db: Db,
  environmentId: string,
  userId: string,
  info: string,
  at: Date,
): Promise<void> {
  await db
    .insertInto('user_demographics')
    .values({ environment_id: environmentId, user_id: userId, info, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id']).doUpdateSet({ info, updated_at: at }),
    )
    .execute()
}

export async function findDemographics(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<unknown> {
  const row = await db
    .selectFrom('user_demographics')
    .select('info')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.info
}

export async function countConnections(
  db: Db,
  environmentId: string,
): Promise<{ connected: number; errored: number }> {
  return db
    .selectFrom('connections')
    .select([
      sql<number>`count(*) filter (where status <> 'deregistered')`.as('connected'),
      sql<number>`count(*) filter (where status = 'error')`.as('errored'),
    ])
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow()
}

/** New connections by the ISO week in which they were made, oldest first. */
export async function countConnectionsByWeek(
  db: Db,
  environmentId: string,
): Promise<{ week: Date; made: number }[]> {
  return db
    .selectFrom('connections')
    .select([
      sql<Date>`date_trunc('week', created_at, 'UTC')`.as('week'),
      sql<number>`count(*)`.as('made'),
    ])
    .where('environment_id', '=', environmentId)
    .where('status', '<>', 'deregistered')
    .groupBy('week')
    .orderBy('week')
    .execute()
}
