import type { ConnectionFilter } from '@salus/accounts/users'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { ConnectionRow } from './connections.repository.ts'

/** Returns the connections of users that have not ended, oldest first. */
export function listShownConnections(
  { db, environment }: Scope,
  userIds: readonly string[],
): Promise<Pick<ConnectionRow, 'user_id' | 'provider' | 'status' | 'created_at'>[]> {
  return db
    .selectFrom('connections')
    .select(['user_id', 'provider', 'status', 'created_at'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
    .where('status', '<>', 'deregistered')
    .orderBy('created_at')
    .orderBy('provider')
    .execute()
}

/**
 * SQL condition on a row of `users`: it has a connection with this provider and state, where given.
 */
export function isConnected({ provider, status }: ConnectionFilter): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from connections
    where connections.environment_id = users.environment_id and connections.user_id = users.id
      and ${provider === null ? sql`true` : sql`provider = ${provider}`}
      and ${status === null ? sql`status <> 'deregistered'` : sql`status = ${status}`}
  )`
}

/** Ends all connections of a person, whatever their status. */
export async function deregisterConnections(
  { db, environment }: Scope,
  userId: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ status: 'deregistered', updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .execute()
}

export async function countConnections({
  db,
  environment,
}: Scope): Promise<{ connected: number; errored: number; paused: number }> {
  return db
    .selectFrom('connections')
    .select([
      sql<number>`count(*) filter (where status <> 'deregistered')`.as('connected'),
      sql<number>`count(*) filter (where status = 'error')`.as('errored'),
      sql<number>`count(*) filter (where status = 'paused')`.as('paused'),
    ])
    .where('environment_id', '=', environment.id)
    .executeTakeFirstOrThrow()
}

/** Counts new connections by the ISO week of their creation, oldest first. */
export async function countConnectionsByWeek({
  db,
  environment,
}: Scope): Promise<{ week: Date; made: number }[]> {
  return db
    .selectFrom('connections')
    .select([
      sql<Date>`date_trunc('week', created_at, 'UTC')`.as('week'),
      sql<number>`count(*)`.as('made'),
    ])
    .where('environment_id', '=', environment.id)
    .where('status', '<>', 'deregistered')
    .groupBy('week')
    .orderBy('week')
    .execute()
}
