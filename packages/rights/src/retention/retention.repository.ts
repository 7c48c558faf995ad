import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { hideRows } from '@salus/kernel/clickhouse/remove-rows'
import type { RowScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { StoredRows } from './retention.registry.ts'

interface RetentionRulesTable {
  environment_id: string
  resource: string
  days: number
  updated_at: Date
  applied_at: Date | null
  last_removed: number | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    retention_rules: RetentionRulesTable
  }
}

export type RetentionRuleRow = Selectable<RetentionRulesTable>

export function listRules({ db, environment }: RowScope): Promise<RetentionRuleRow[]> {
  return db
    .selectFrom('retention_rules')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('resource')
    .execute()
}

/** Replaces all rules; one that does not change keeps the data of its last run. */
export async function replaceRules(
  { db, environment }: RowScope,
  rules: readonly { resource: string; days: number }[],
  at: Date,
): Promise<void> {
  const names = rules.map(({ resource }) => resource)
  await sql`delete from retention_rules where environment_id = ${environment.id}
    and resource <> all(${names}::text[])`.execute(db)
  if (rules.length === 0) return
  await db
    .insertInto('retention_rules')
    .values(
      rules.map((rule) => ({
        ...rule,
        environment_id: environment.id,
        updated_at: at,
        applied_at: null,
        last_removed: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'resource'])
        .doUpdateSet({ days: sql`excluded.days`, updated_at: sql`excluded.updated_at` })
        .where(sql<boolean>`retention_rules.days <> excluded.days`),
    )
    .execute()
}

export async function saveRetentionRun(
  { db, environment }: RowScope,
  resource: string,
  run: { applied_at: Date; last_removed: number },
): Promise<void> {
  await db
    .updateTable('retention_rules')
    .set(run)
    .where('environment_id', '=', environment.id)
    .where('resource', '=', resource)
    .execute()
}

/** Rows older than a time, of all users in an environment except those under a hold. */
export interface OldRows {
  stored: StoredRows
  cutoff: Date
  held: readonly string[]
}

function conditionOf({ environment }: RowScope, { stored, cutoff, held }: OldRows) {
  const series = stored.series === undefined ? '' : 'and series = {series:String}'
  return {
    sql: `environment_id = {environmentId:UUID} ${series} and ${stored.isOlder}
      and user_id not in {held:Array(UUID)}`,
    parameters: {
      environmentId: environment.id,
      held,
      cutoff: cutoff.toISOString(),
      ...(stored.series !== undefined && { series: stored.series }),
    },
  }
}

/** Counts the rows and their users. */
export async function countOldRows(
  scope: RowScope & { clickhouse: ClickHouse },
  old: OldRows,
): Promise<{ rows: number; people: number }> {
  const { sql: condition, parameters } = conditionOf(scope, old)
  const [count] = await scope.clickhouse.queryRows<{ rows: number; people: number }>(
    `select toUInt64(count()) as rows, toUInt64(uniqExact(user_id)) as people
    from ${old.stored.table} final where ${condition}`,
    parameters,
  )
  return { rows: count?.rows ?? 0, people: count?.people ?? 0 }
}

/**
 * Removes the rows; no reader sees them when this returns. `eraseHiddenRows` frees their space for
 * all rules of a table together.
 */
export function hideOldRows(
  scope: RowScope & { clickhouse: ClickHouse },
  old: OldRows,
): Promise<void> {
  const { sql: condition, parameters } = conditionOf(scope, old)
  return hideRows(scope.clickhouse, { table: old.stored.table, condition, parameters })
}
