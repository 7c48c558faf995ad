import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { sql } from 'kysely'

/** Queries across all environments, for the operator of the installation only. */

export interface TableSize {
  name: string
  bytes: number
  /** Estimate from the statistics of the database. */
  rows: number
}

/** Measures the largest tables with their indexes, and the whole database. */
export async function measurePostgres(
  db: Db,
  mostTables: number,
): Promise<{ version: string; bytes: number; tables: TableSize[] }> {
  const { rows: tables } = await sql<TableSize>`
    select case when namespace.nspname = 'public' then '' else namespace.nspname || '.' end || relname as name,
      pg_total_relation_size(class.oid) as bytes, greatest(0, reltuples)::bigint as rows
    from pg_class as class join pg_namespace as namespace on namespace.oid = relnamespace
    where relkind = 'r' and namespace.nspname not in ('pg_catalog', 'information_schema')
    order by 2 desc limit ${mostTables}`.execute(db)
  const { rows } = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  const [{ version, bytes } = { version: '', bytes: 0 }] = rows
  return { version, bytes, tables }
}

/** Returns the connections of all clients of PostgreSQL, and the most that clients can have. */
export async function countConnections(db: Db): Promise<{ used: number; most: number }> {
  const { rows } = await sql<{ used: number; most: number }>`
    select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as most`.execute(db)
  return rows[0] ?? { used: 0, most: 0 }
}

/** Measures the tables of the column store on the disks of the servers that answer. */
export async function measureClickHouse(
  clickhouse: ClickHouse,
): Promise<{ version: string; tables: (TableSize & { parts: number })[] }> {
  const servers = clickhouse.cluster?.servers ?? [clickhouse]
  const parts = await Promise.all(
    servers.map((server) =>
      server.queryRows<TableSize & { parts: number }>(
        `SELECT table AS name, sum(bytes_on_disk) AS bytes, sum(rows) AS rows, count() AS parts
         FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`,
      ),
    ),
  )
  const byName = Object.values(Object.groupBy(parts.flat(), ({ name }) => name))
  const tables = byName
    .flatMap((same = []) => {
      const [first] = same
      if (first === undefined) return []
      const sum = (key: 'bytes' | 'rows' | 'parts') =>
        same.reduce((total, table) => total + table[key], 0)
      return { name: first.name, bytes: sum('bytes'), rows: sum('rows'), parts: sum('parts') }
    })
    .toSorted((a, b) => b.bytes - a.bytes)
  const [{ version = '' } = {}] = await clickhouse.queryRows<{ version?: string }>(
    'SELECT version() AS version',
  )
  return { version, tables }
}

/** Returns the newest migration of each store. */
export async function findSchemaVersion(db: Db): Promise<{ number: number; name: string }> {
  const { rows } = await sql<{ number: number; name: string }>`
    select number, name from salus_migrations order by number desc limit 1`.execute(db)
  return rows[0] ?? { number: 0, name: '' }
}

/** Returns the start times of the processes that run jobs. */
export async function listWorkers(db: Db): Promise<{ started_at: Date; running: number }[]> {
  const { rows } = await sql<{ started_at: Date; running: number }>`
    select started_at, (select count(*) from graphile_worker._private_jobs as job
      where job.locked_by = worker.worker_id) as running
    from worker_processes as worker order by started_at`.execute(db)
  return rows
}

export interface EnvironmentTeam {
  id: string
  environment: EnvironmentKind
  team_id: string
  team_name: string
  organization_id: string
}

/** Returns the teams of environments, including deleted teams. */
export async function listEnvironmentTeams(
  db: Db,
  environmentIds: readonly string[],
): Promise<Map<string, EnvironmentTeam>> {
  const { rows } = await sql<EnvironmentTeam>`
    select environment.id, environment.environment, team.id as team_id, team.name as team_name,
      team.organization_id
    from team_environments as environment join teams as team on team.id = environment.team_id
    where environment.id = ${anyOf(environmentIds)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the environments of a team. */
export async function listEnvironmentsOfTeam(db: Db, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from team_environments where team_id = ${teamId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the labels of management keys and team keys by their ids, including revoked ones. */
export async function listKeyLabels(
  db: Db,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; label: string }>`
    select id, label from management_keys where id = ${anyOf(keyIds)}
    union all select id, label from team_api_keys where id = ${anyOf(keyIds)}`.execute(db)
  return new Map(rows.map(({ id, label }) => [id, label]))
}
