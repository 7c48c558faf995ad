import { type Selectable, sql } from 'kysely'
import type { ConnectionStatus, ConnectionsTable } from '../../accounts/users/index.ts'
import type { Scope } from '../../platform/scope.ts'

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
  grantedPermissions: string[] | null
  at: Date
}

/**
 * Makes the connection, or brings back one whose status is among `revive`. Returns false when
 * neither happened. A deregistered connection starts anew; a paused or failed one keeps its
 * created_on (docs/contract/02-users.md#get-v2userprovidersuser_id).
 */
export async function connect(
  { db, environment }: Scope,
  connection: NewConnection,
  revive: readonly ConnectionStatus[],
): Promise<boolean> {
  const permissions = connection.grantedPermissions
  const values = {
    status: 'connected' as const,
    external_user_id: connection.externalUserId,
    granted_permissions: permissions === null ? null : JSON.stringify(permissions),
    error_details: null,
    updated_at: connection.at,
  }
  const changed = await db
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
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
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
