import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { type RawBuilder, type Selectable, sql } from 'kysely'

/** What was last tried with one resource of a connection, and how much of it was published. */
interface ResourceStatisticsTable {
  environment_id: string
  user_id: string
  provider: string
  /** Name of the resource in events. */
  resource: string
  last_attempt_at: Date
  last_attempt_status: 'success' | 'failure'
  /** How many were sent in events about data that were new. */
  sent_count: number
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    resource_statistics: ResourceStatisticsTable
  }
}

export type ResourceStatisticsRow = Selectable<ResourceStatisticsTable>

const COLUMNS = {
  environment_id: 'uuid',
  user_id: 'uuid',
  provider: 'text',
  resource: 'text',
  last_attempt_at: 'timestamptz',
  last_attempt_status: 'text',
  sent_count: 'bigint',
} as const satisfies Record<keyof ResourceStatisticsTable, string>
const NAMES = Object.keys(COLUMNS) as (keyof ResourceStatisticsTable)[]

/**
 * The statement that records attempts, for use as a part of another statement, so that uploads
 * need no transaction more. Attempts may come out of order. All lock the rows in one order, so that
 * no two of them can wait for each other.
 * @param rows One a resource of a connection.
 * @param afterPart Part of the statement, by its name, that is to be done before, with its locks.
 */
export function attemptsUpsert(
  query: Pick<Db, 'insertInto'>,
  rows: readonly ResourceStatisticsRow[],
  afterPart?: string,
) {
  // A list for each column: any number of rows is the same statement.
  const lists = NAMES.map((name) => {
    const values = rows.map((row) => row[name])
    return sql`${sql.val(values)}::${sql.raw(COLUMNS[name])}[]`
  })
  // What a part returns is there only when the part is done; the condition is always true.
  const condition: RawBuilder<unknown> =
    afterPart === undefined ? sql`` : sql`where (select count(*) from ${sql.table(afterPart)}) >= 0`
  const isNewer = sql<boolean>`excluded.last_attempt_at >= resource_statistics.last_attempt_at`
  return query
    .insertInto('resource_statistics')
    .columns(NAMES)
    .expression(sql`select * from unnest(${sql.join(lists)}) ${condition} order by 1, 2, 3, 4`)
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider', 'resource']).doUpdateSet({
        last_attempt_at: sql`greatest(excluded.last_attempt_at, resource_statistics.last_attempt_at)`,
        last_attempt_status: sql`case when ${isNewer} then excluded.last_attempt_status
          else resource_statistics.last_attempt_status end`,
        sent_count: sql`resource_statistics.sent_count + excluded.sent_count`,
      }),
    )
}

/** Records attempts to take in data, one row a resource of a connection. */
export async function recordAttempts(
  { db, environment }: RowScope,
  attempts: readonly Omit<ResourceStatisticsRow, 'environment_id'>[],
): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map((attempt) => ({ ...attempt, environment_id: environment.id }))
  await attemptsUpsert(db, rows).execute()
}

/** One row for each resource of each connection that an attempt was ever made for, in no order. */
export function listResourceStatistics(
  { db, environment }: Scope,
  userIds: readonly string[],
): Promise<ResourceStatisticsRow[]> {
  return db
    .selectFrom('resource_statistics')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
    .execute()
}
