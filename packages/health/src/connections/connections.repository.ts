import { selectUsers, type UserRow } from '@salus/accounts/users'
import { anyOf } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type {
  ConnectionStatus,
  ConnectionsTable,
  StoredConnectionError,
} from './connections.tables.ts'

export type ConnectionRow = Selectable<ConnectionsTable>

/** Returns the live connections of a user, oldest first. */
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
  /** Name with which the user signed in with a password. */
  accountName?: string | null
  grantedPermissions: string[] | null
  /** Scopes in the vendor's spelling; null where a provider has no scopes. */
  grantedScopes?: readonly string[] | null
  /** Region of the vendor's service. */
  region?: string | null
  isDemo?: boolean
  at: Date
}

/**
 * Creates the connection, or revives one whose status is among `revive`. Returns undefined when
 * neither happened. A deregistered connection starts anew; a paused or failed one keeps its
 * created_on (docs/contract/02-users.md#get-v2userprovidersuser_id).
 */
export async function insertOrReviveConnection(
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

/** Returns a live connection. */
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

const UPLOAD_COLUMNS = [
  'id',
  'client_user_id',
  'fallback_time_zone',
  'fallback_time_zone_source',
  'fallback_birth_date',
  'ingestion_start',
  'ingestion_end',
] as const satisfies (keyof UserRow)[]

/**
 * What uploads need of a user, and the live connection to one provider; nulls where there is none.
 */
export type UserToUpload = Pick<UserRow, (typeof UPLOAD_COLUMNS)[number]> & {
  connected_status: ConnectionStatus | null
  connected_at: Date | null
}

/**
 * Finds a user and their live connection to a provider in one statement, because every upload needs
 * both.
 */
export async function findUserToUpload(
  scope: RowScope,
  userId: string,
  provider: string,
): Promise<UserToUpload | undefined> {
  const known = { ...scope, db: prepared(scope.db) }
  return selectUsersToUpload(known, provider).where('users.id', '=', userId).executeTakeFirst()
}

/** Returns those users that exist, named by their id or by the id that the team gave them. */
export function listUsersToUpload(
  scope: RowScope,
  named: { ids: readonly string[]; clientUserIds: readonly string[] },
  provider: string,
): Promise<UserToUpload[]> {
  return selectUsersToUpload(scope, provider)
    .where((where) =>
      where.or([
        where('users.id', '=', anyOf(named.ids)),
        where('users.client_user_id', '=', anyOf(named.clientUserIds)),
      ]),
    )
    .execute()
}

function selectUsersToUpload(scope: RowScope, provider: string) {
  return selectUsers(scope)
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.environment_id', '=', 'users.environment_id')
        .onRef('connections.user_id', '=', 'users.id')
        .on('connections.provider', '=', provider)
        .on('connections.status', '<>', 'deregistered'),
    )
    .clearSelect()
    .select(UPLOAD_COLUMNS.map((name) => `users.${name}` as const))
    .select(['connections.status as connected_status', 'connections.created_at as connected_at'])
}

/** Whether a user has a connection of that kind. No user has connections of both kinds. */
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
 * Locks a name, such as a user or an account, until the transaction ends, so that checks before a
 * connection stay true.
 */
export async function lockConnectionName(
  { db, environment }: TransactionScope,
  name: string,
): Promise<void> {
  const key = `salus:connecting:${environment.id}:${name}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db)
}

/** Whether the vendor's account is connected to another user of the environment. */
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

/**
 * Sets a live connection to error and returns its id; undefined when it is in error, paused or gone
 * already.
 */
export async function setConnectionError(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  error: StoredConnectionError,
): Promise<string | undefined> {
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
  return changed?.id
}

/** Pauses the connections of these users to a provider, also those in error. Returns their ids. */
export async function pauseConnections(
  { db, environment }: Scope,
  userIds: readonly string[],
  provider: string,
  at: Date,
): Promise<string[]> {
  const paused = await db
    .updateTable('connections')
    .set({ status: 'paused', updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
    .where('provider', '=', provider)
    .where('status', 'in', ['connected', 'error'])
    .returning('id')
    .execute()
  return paused.map(({ id }) => id)
}

/**
 * Removes a connection from the user's list; its data are kept. Returns its id; undefined when
 * there is none.
 */
export async function deregisterConnection(
  { db, environment }: Scope,
  userId: string,
  provider: string,
  at: Date,
): Promise<string | undefined> {
  const changed = await db
    .updateTable('connections')
    .set({ status: 'deregistered', updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('status', '<>', 'deregistered')
    .returning('id')
    .executeTakeFirst()
  return changed?.id
}

/** Stores the permissions that a phone reports as granted, for diagnosis. */
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
