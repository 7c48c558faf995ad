import { selectUsers, type UserRow } from '@salus/accounts/users'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type {
  ConnectionStatus,
  ConnectionsTable,
  StoredConnectionError,
} from './connections.tables.ts'

export type ConnectionRow = Selectable<ConnectionsTable>

/** Connections of a user that still count, oldest first. */
export function listConnections(
  { db, environment }: Scope,
  userId: string,
): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('status', '<>', 'deregistered')
    .orderBy('created_at')
    .orderBy('provider')
    .execute()
}

export interface NewConnection {
  id: string
  userId: string
  provider: string
  externalUserId: string | null
  /** As whom the person signed in with a password. */
  accountName?: string | null
  grantedPermissions: string[] | null
  /** In the vendor's words; null where a provider has no scopes. */
  grantedScopes?: readonly string[] | null
  /** Of the vendor's service. */
  region?: string | null
  isDemo?: boolean
  at: Date
}

/**
 * Makes the connection, or brings back one whose status is among `revive`. Returns undefined when
 * neither happened. A deregistered connection starts anew; a paused or failed one keeps its
 * created_on (docs/contract/02-users.md#get-v2userprovidersuser_id).
 */
export async function connect(
  { db, environment }: Scope,
  connection: NewConnection,
  revive: readonly ConnectionStatus[],
): Promise<ConnectionRow | undefined> {
  const { grantedPermissions: permissions, grantedScopes = null } = connection
  const values = {
    status: 'connected' as const,
    external_user_id: connection.externalUserId,
    account_name: connection.accountName ?? null,
    granted_permissions: permissions === null ? null : JSON.stringify(permissions),
    granted_scopes: grantedScopes === null ? null : JSON.stringify(grantedScopes),
    region: connection.region ?? null,
    is_demo: connection.isDemo ?? false,
    error_details: null,
    updated_at: connection.at,
  }
  return db
    .insertInto('connections')
    .values({
      ...values,
      environment_id: environment.id,
      user_id: connection.userId,
      provider: connection.provider,
      id: connection.id,
      created_at: connection.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'user_id', 'provider'])
        .doUpdateSet({
          ...values,
          created_at: sql<Date>`case when connections.status = 'deregistered'
            then excluded.created_at else connections.created_at end`,
        })
        .where('connections.status', 'in', revive),
    )
    .returningAll()
    .executeTakeFirst()
}

/** A connection that still counts. */
export function findConnection(
  { db, environment }: RowScope,
  userId: string,
  provider: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('status', '<>', 'deregistered')
    .executeTakeFirst()
}

/**
 * A living user, and the connection to a provider that did not end: one statement, because every
 * upload needs both.
 */
export async function findUserToUpload(
  scope: RowScope,
  userId: string,
  provider: string,
): Promise<
  (UserRow & { connected_status: ConnectionStatus | null; connected_at: Date | null }) | undefined
> {
  return selectUsers(scope)
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.environment_id', '=', 'users.environment_id')
        .onRef('connections.user_id', '=', 'users.id')
        .on('connections.provider', '=', provider)
        .on('connections.status', '<>', 'deregistered'),
    )
    .select(['connections.status as connected_status', 'connections.created_at as connected_at'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
}

/** Whether a person has a connection of that kind: people of the one have none of the other. */
export async function hasConnectionOf(
  { db, environment }: RowScope,
  userId: string,
  kind: 'demo' | 'real',
): Promise<boolean> {
  const found = await db
    .selectFrom('connections')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('is_demo', '=', kind === 'demo')
    .where('status', '<>', 'deregistered')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Until the transaction ends, nobody else connects what has this name, such as a person or an
 * account: what is looked at before a connection is made stays true.
 */
export async function lockConnecting(
  { db, environment }: TransactionScope,
  name: string,
): Promise<void> {
  const key = `salus:connecting:${environment.id}:${name}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db)
}

/** True when the vendor's account is connected to another person of the environment. */
export async function isAccountOfOther(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  externalUserId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('connections')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('provider', '=', provider)
    .where('external_user_id', '=', externalUserId)
    .where('user_id', '<>', userId)
    .where('status', '<>', 'deregistered')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Sets a live connection to error; false when it is in error, paused or gone already. */
export async function fail(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  error: StoredConnectionError,
): Promise<boolean> {
  const changed = await db
    .updateTable('connections')
    .set({ status: 'error', error_details: JSON.stringify(error) })
    .set({ updated_at: new Date(error.errored_at) })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('status', '=', 'connected')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Pauses the connections of these people to a provider; those in error are paused too. */
export async function pause(
  { db, environment }: Scope,
  userIds: readonly string[],
  provider: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ status: 'paused', updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
    .where('provider', '=', provider)
    .where('status', 'in', ['connected', 'error'])
    .execute()
}

/** Removes a connection from the user's list; its data stays. Returns false when there is none. */
export async function deregister(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  at: Date,
): Promise<boolean> {
  const changed = await db
    .updateTable('connections')
    .set({ status: 'deregistered', updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('status', '<>', 'deregistered')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Keeps what a phone says that the person granted, for diagnosis. */
export async function recordPermissions(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  permissions: readonly string[],
): Promise<void> {
  const granted = JSON.stringify(permissions)
  await db
    .updateTable('connections')
    .set({ granted_permissions: granted })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where(sql<boolean>`granted_permissions is distinct from ${granted}::jsonb`)
    .execute()
}
