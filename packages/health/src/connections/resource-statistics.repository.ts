import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { type RawBuilder, type Selectable, sql } from 'kysely'

/** The last attempt with a resource of a connection, and the number of its published objects. */
interface ResourceStatisticsTable {
  environment_id: string
  user_id: string
  provider: string
  /** Name of the resource in events. */
  resource: string
  last_attempt_at: Date
  last_attempt_status: 'success' | 'failure'
  /** Number of objects sent in events about new data. */
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
 * Returns the statement that records attempts, as a part of another statement, so that uploads need
 * no further transaction. Attempts may come out of order. Rows are always locked in one order,
 * which avoids deadlocks.
 * @param rows One for each resource of a connection.
 * @param afterPart Name of the part of the statement to execute before, with its locks.
 */
export function attemptsUpsert(
  query: Pick<Db, 'insertInto'>,
  rows: readonly ResourceStatisticsRow[],
  afterPart?: string,
) {
  // One list for each column: the statement is the same for any number of rows.
  const lists = NAMES.map((name) => {
    const values = rows.map((row) => row[name])
    return sql`${sql.val(values)}::${sql.raw(COLUMNS[name])}[]`
  })
  const names = sql.join(NAMES.map((name) => sql.ref(name)))
  // The result of a part exists only once the part is done; the condition is always true.
  const condition: RawBuilder<unknown> =
    afterPart === undefined ? sql`` : sql`where (select count(*) from ${sql.table(afterPart)}) >= 0`
  const isNewer = sql<boolean>`excluded.last_attempt_at >= resource_statistics.last_attempt_at`
  return query
    .insertInto('resource_statistics')
    .columns(NAMES)
    .expression(sql`select ${names} from unnest(${sql.join(lists)}) as attempt (${names})
      ${condition} order by 1, 2, 3, 4`)
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider', 'resource']).doUpdateSet({
        last_attempt_at: sql`greatest(excluded.last_attempt_at, resource_statistics.last_attempt_at)`,
        last_attempt_status: sql`case when ${isNewer} then excluded.last_attempt_status
          else resource_statistics.last_attempt_status end`,
        sent_count: sql`resource_statistics.sent_count + excluded.sent_count`,
      }),
    )
}

/** Records attempts to store data, one row for each resource of a connection. */
export async function recordAttempts(
  { db, environment }: RowScope,
  attempts: readonly Omit<ResourceStatisticsRow, 'environment_id'>[],
): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map((attempt) => ({ ...attempt, environment_id: environment.id }))
  await attemptsUpsert(db, rows).execute()
}

/** Returns one row for each resource of each connection with an attempt, in no order. */
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
