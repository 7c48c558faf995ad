import { getUserRow } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import { integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { TaskHistory } from '../continuous-queries.schema.ts'
import type { ResultColumn } from '../continuous-queries.tables.ts'
import { sortByKeys, toTable } from '../evaluating/result-rows.ts'
import { listResultRows } from '../evaluating/results.repository.ts'
import { listTasks, type TaskRow } from '../evaluating/tasks.repository.ts'
import { keyColumnsOf, sourceRuleOfQuery } from '../managing/check-query.ts'
import { findQuery, findQueryBySlug, type QueryRow } from '../managing/queries.repository.ts'

/** User and query of a result, as a path names them. */
interface ResultPath {
  user_id: string
  query_id_or_slug: string
}

interface StoredTable {
  columns: readonly ResultColumn[]
  rows: unknown[][]
  query: QueryRow
}

/** @throws AppError 404 for an unknown user or query, and for those of another environment */
async function getQuery(scope: Scope, path: ResultPath): Promise<QueryRow> {
  await getUserRow(scope, path.user_id)
  const name = path.query_id_or_slug
  const byId = isUuid(name) ? await findQuery(scope, name.toLowerCase()) : undefined
  const query = byId ?? (await findQueryBySlug(scope, name))
  if (query === undefined) throw notFound('Continuous query')
  return query
}

async function readTable(scope: Scope, path: ResultPath): Promise<StoredTable> {
  const query = await getQuery(scope, path)
  const invalidation = { user_id: path.user_id, query_id: query.id }
  const rows = await listResultRows(scope, invalidation)
  const { columns } = query.result_table_schema
  return { columns, rows: sortByKeys(rows, keyColumnsOf(query.query)), query }
}

/** Returns the result table of a user as columns; empty ones before the first evaluation. */
export async function readResultTable(scope: Scope, path: ResultPath) {
  const { columns, rows, query } = await readTable(scope, path)
  return { table: toTable(columns, rows), source_rule: sourceRuleOfQuery(query.query) }
}

/** Like readResultTable, as one Parquet file. */
export async function readResultParquet(scope: Scope, path: ResultPath) {
  const { columns, rows, query } = await readTable(scope, path)
  // Loaded with the first Parquet file, which is rarely requested.
  const { writeResultParquet } = await import('./result-parquet.ts')
  return { file: writeResultParquet(columns, rows), sourceRule: sourceRuleOfQuery(query.query) }
}

const PAGES = new KeysetPages({ sequence: integerKey() })

/** Returns the evaluations of a query for a user with their outcomes, newest first. */
export async function readTaskHistory(
  scope: Scope,
  path: ResultPath,
  page: { next_cursor?: string; cursor?: string; limit: number },
): Promise<TaskHistory> {
  const query = await getQuery(scope, path)
  const invalidation = { user_id: path.user_id.toLowerCase(), query_id: query.id }
  const list = ['task_history', scope.environment.id, invalidation]
  const before = PAGES.read(list, page.next_cursor || page.cursor)?.sequence ?? null
  const tasks = await listTasks(scope, invalidation, { before, limit: page.limit + 1 })
  const shown = PAGES.cut(list, tasks, page.limit, ({ sequence }) => ({ sequence }))
  return { data: shown.page.map(toTask), next_cursor: shown.nextCursor }
}

const format = (at: Date | null): string | null => (at === null ? null : formatInstant(at))

function toTask(row: TaskRow): TaskHistory['data'][number] {
  return {
    query_id: row.query_id,
    user_id: row.user_id,
    status: row.status,
    scheduled_at: formatInstant(row.scheduled_at),
    started_at: format(row.started_at),
    ended_at: format(row.ended_at),
    error_details: row.error_details,
  }
}
