import type { Scope } from '@salus/kernel/scope'
import { SUMMARY_TABLES, type SummaryResource } from '../summary-tables.registry.ts'
import {
  type Person,
  readStoredRow,
  type SessionRow,
  sessionColumnsSql,
  storedColumnsSql,
} from './stored-rows.ts'
import type { RowFilter } from './summary-dates.ts'

/**
 * Reads of few summaries. The engine takes longer to plan local days and their order than to read
 * the rows, so it reads stored columns, and this process does the rest.
 */

const fromPersonSql = (resource: SummaryResource): string =>
  `from ${SUMMARY_TABLES[resource].table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}`

/** Returns the rows of a short range. */
export async function readShortRange<Row>(
  scope: Scope,
  resource: SummaryResource,
  person: Person,
  condition: { sql: string; provider: string },
  { filter, isRaw }: { filter: RowFilter; isRaw: boolean },
): Promise<Row[]> {
  const rows = await scope.clickhouse.queryRows<object>(
    `select ${isRaw ? 'raw, ' : ''}${storedColumnsSql(resource)} ${fromPersonSql(resource)}
      ${condition.sql} and ${filter.where}`,
    {
      environmentId: scope.environment.id,
      userId: person.userId,
      provider: condition.provider,
      ...filter.parameters,
    },
  )
  return rows
    .map((row) => readStoredRow(resource, row, person))
    .filter(({ dates }) => filter.isSelected(dates))
    .sort((a, b) => filter.compare(a.dates, b.dates))
    .map(({ row }) => row as Row)
}

/** Returns what a stream needs of a session of a user, unless the session was removed. */
export async function findSession<R extends 'sleep' | 'workouts'>(
  scope: Scope,
  resource: R,
  person: Person,
  id: string,
): Promise<SessionRow<R> | undefined> {
  const [row] = await scope.clickhouse.queryRows<object>(
    `select ${sessionColumnsSql(resource)} ${fromPersonSql(resource)} and id = {id:UUID}`,
    { environmentId: scope.environment.id, userId: person.userId, id },
  )
  return row && readStoredRow<R>(resource, row, person).row
}
