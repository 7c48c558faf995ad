import type { TaskReasons } from '@salus/accounts/tasks'
import type { Db } from '@salus/kernel/postgres/database'
import { type Selectable, sql } from 'kysely'
import type { LabConnectionsTable } from './connections.tables.ts'

export type ConnectionRow = Selectable<LabConnectionsTable>

/** A connection, with the kind of its environment. */
export interface KnownConnection extends ConnectionRow {
  environment_kind: 'production' | 'sandbox'
}

/** Returns all connections, also disabled ones, whose messages are still read. */
export function listConnections(db: Db): Promise<KnownConnection[]> {
  return db
    .selectFrom('lab_connections')
    .innerJoin('team_environments', 'team_environments.id', 'lab_connections.environment_id')
    .selectAll('lab_connections')
    .select('team_environments.environment as environment_kind')
    .where('deleted_at', 'is', null)
    .orderBy('lab_connections.id')
    .execute()
}

/** Connections with alerts; the time at which these began is not stored. */
export const CONNECTION_REASONS: TaskReasons = {
  kinds: ['lab_connection'],
  list: () => sql`select environment_id, id as focus_id, 'lab_connection' as focus_type,
      null::uuid as user_id, created_at as since, 'lab_connection' as kind
    from lab_connections where deleted_at is null and cardinality(alerts) > 0`,
}
