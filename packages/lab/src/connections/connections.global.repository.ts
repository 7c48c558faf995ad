import type { Db } from '@salus/kernel/postgres/database'
import type { Selectable } from 'kysely'
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
