import { sql } from 'kysely'
import type { DataChange } from '../../../platform/data-changes.ts'
import { anyOf } from '../../../platform/postgres/bulk.ts'
import type { Db } from '../../../platform/postgres/database.ts'

/** Whose result of which query. */
export interface MarkKey {
  user_id: string
  query_id: string
}

/** How long after a mark, and how often at most, a query is evaluated. */
export interface Pace {
  /** From the first mark to the evaluation, and from the creation of a query to its first one. */
  delaySeconds: number
  /** Between two evaluations, where the query does not say it. */
  gapSeconds: number
  /** A mark that says all already is left alone until it is so old. */
  restSeconds: number
}

/** The resources that the active queries of each environment read; none for one without queries. */
export async function listWatchedResources(
  db: Db,
  environmentIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('continuous_queries')
    .select(['environment_id', 'resource_dependencies'])
    .where('environment_id', '=', anyOf(environmentIds))
    .where('status', '=', 'active')
    .execute()
  const watched = new Map<string, Set<string>>()
  for (const { environment_id: environmentId, resource_dependencies: resources } of rows) {
    const known = watched.get(environmentId) ?? new Set()
    watched.set(environmentId, known.union(new Set(resources)))
  }
  return watched
}

/** When a mark is to be evaluated at the earliest; `q` is its query, `e` its last evaluation. */
const dueSql = (now: Date, { delaySeconds, gapSeconds }: Pace) => sql`greatest(
  ${now}::timestamptz + make_interval(secs => ${delaySeconds}),
  q.created_at + make_interval(secs => ${delaySeconds}),
  e.evaluated_at + make_interval(secs => coalesce(q.minimum_gap_seconds, ${gapSeconds}))
)`

/**
 * Marks, for the active queries that read what changes, and widens the marks that are there. A first
 * mark is a task that is scheduled. In order of keys, so that no two statements wait for each other.
 */
export async function markChanges(
  db: Db,
  changes: readonly DataChange[],
  now: Date,
  pace: Pace,
): Promise<void> {
  await sql`
    with changes as (
      select * from unnest(
        ${changes.map(({ environmentId }) => environmentId)}::uuid[],
        ${changes.map(({ userId }) => userId)}::uuid[],
        ${changes.map(({ resource }) => resource)}::text[],
        ${changes.map(({ from }) => new Date(from))}::timestamptz[],
        ${changes.map(({ to }) => new Date(to))}::timestamptz[]
      ) as change (environment_id, user_id, resource, range_from, range_to)
    ), touched as (
      select environment_id, user_id, q.id as query_id,
        tstzrange(min(range_from), max(range_to), '[]') as range
      from changes
      join continuous_queries q using (environment_id)
      where q.status = 'active' and resource = any (q.resource_dependencies)
      group by environment_id, user_id, q.id
    ), marked as (
      insert into continuous_query_marks as mark
        (environment_id, user_id, query_id, range, marked_at, due_at)
      select t.environment_id, t.user_id, t.query_id, t.range, ${now}, ${dueSql(now, pace)}
      from touched t
      join users u on u.environment_id = t.environment_id and u.id = t.user_id
      join continuous_queries q on q.environment_id = t.environment_id and q.id = t.query_id
      left join continuous_query_evaluations e on e.environment_id = t.environment_id
        and e.user_id = t.user_id and e.query_id = t.query_id
      order by 1, 2, 3
      ${WIDEN}
      where mark.marked_at < ${now}::timestamptz - make_interval(secs => ${pace.restSeconds})
        or not mark.range @> excluded.range
      returning environment_id, user_id, query_id, xmax = 0 as is_new
    )
    ${scheduleNew(now)}`.execute(db)
}

const WIDEN = sql`
  on conflict (environment_id, user_id, query_id) do update set
    range = range_merge(mark.range, excluded.range),
    marked_at = greatest(mark.marked_at, excluded.marked_at)`

const scheduleNew = (now: Date) => sql`
  insert into continuous_query_tasks (environment_id, user_id, query_id, status, scheduled_at)
  select environment_id, user_id, query_id, 'scheduled', ${now} from marked where is_new
  on conflict do nothing`

/**
 * Marks everything of the next people of an environment, deleted ones too, in order of their ids, as
 * if it had changed at `changedAt`.
 * @returns the last of them; undefined when there are no more
 */
export async function markNextUsers(
  db: Db,
  environmentId: string,
  options: { queryId: string; after: string | null; limit: number; changedAt: Date; now: Date },
): Promise<string | undefined> {
  const { queryId, after, limit, changedAt, now } = options
  const { rows } = await sql<{ last: string | null }>`
    with next as (
      select id from users
      where environment_id = ${environmentId} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}
    ), marked as (
      insert into continuous_query_marks as mark
        (environment_id, user_id, query_id, range, marked_at, due_at)
      select ${environmentId}::uuid, id, ${queryId}::uuid, '(,)', ${changedAt}::timestamptz,
        ${now}::timestamptz
      from next order by id
      ${WIDEN}, due_at = least(mark.due_at, excluded.due_at)
      returning environment_id, user_id, query_id, xmax = 0 as is_new
    ), scheduled as (${scheduleNew(now)})
    select max(id::text) as last from next`.execute(db)
  return rows[0]?.last ?? undefined
}

/** A mark that was claimed, with what is to be evaluated. */
export interface ClaimedMark extends MarkKey {
  environment_id: string
  /** Of the latest change before the claim. */
  marked_at: Date
  /** When the claim ends; tells it from a later one. */
  due_at: Date
  failures: number
  /** The instants that may have changed, both included; null: everything. */
  from: Date | null
  to: Date | null
  /** Range, as PostgreSQL writes it, of what was noted since the claim before. */
  fresh: string
}

/**
 * Claims marks that are due of the person whose mark waited longest, in the order in which they were
 * due. Until `until` nobody else gets them. Marks of deleted people wait for them to come back.
 */
export async function claimDueMarks(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedMark[]> {
  const { rows } = await sql<ClaimedMark & { was_due: Date }>`
    with first as (
      select mark.environment_id, mark.user_id
      from continuous_query_marks mark
      join users on users.environment_id = mark.environment_id and users.id = mark.user_id
      where mark.due_at <= ${now} and users.deleted_at is null
      order by mark.due_at, mark.environment_id, mark.user_id
      limit 1 for update of mark skip locked
    ), due as (
      select mark.environment_id, mark.user_id, mark.query_id, mark.due_at, mark.range
      from continuous_query_marks mark
      join first using (environment_id, user_id)
      where mark.due_at <= ${now}
      order by mark.due_at, mark.query_id
      limit ${limit} for update of mark skip locked
    )
    update continuous_query_marks mark
    set due_at = ${until}, claimed = range_merge(mark.claimed, mark.range), range = 'empty'
    from due
    where mark.environment_id = due.environment_id and mark.user_id = due.user_id
      and mark.query_id = due.query_id
    returning mark.environment_id, mark.user_id, mark.query_id, mark.marked_at, mark.due_at,
      mark.failures, lower(mark.claimed) as "from", upper(mark.claimed) as "to",
      due.range::text as fresh, due.due_at as was_due`.execute(db)
  return rows.toSorted(
    (a, b) => a.was_due.getTime() - b.was_due.getTime() || (a.query_id < b.query_id ? -1 : 1),
  )
}

/** Locks a claimed mark; undefined when it is gone or was claimed again. */
export async function lockClaimedMark(
  db: Db,
  environmentId: string,
  claim: MarkKey & { due_at: Date },
): Promise<{ hasChanged: boolean } | undefined> {
  const row = await db
    .selectFrom('continuous_query_marks')
    .select(sql<boolean>`not isempty(range)`.as('has_changed'))
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', claim.user_id)
    .where('query_id', '=', claim.query_id)
    .where('due_at', '=', claim.due_at)
    .forUpdate()
    .executeTakeFirst()
  return row && { hasChanged: row.has_changed }
}

export async function deleteMark(db: Db, environmentId: string, mark: MarkKey): Promise<void> {
  await db
    .deleteFrom('continuous_query_marks')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', mark.user_id)
    .where('query_id', '=', mark.query_id)
    .execute()
}

/** Puts a mark off, after an evaluation that did not settle it; `claimed` is what is still to do. */
export async function postponeMark(
  db: Db,
  environmentId: string,
  { user_id, query_id }: MarkKey,
  { due_at, failures, claimed }: { due_at: Date; failures: number; claimed?: string },
): Promise<void> {
  await db
    .updateTable('continuous_query_marks')
    .set({ due_at, failures, ...(claimed !== undefined && { claimed }) })
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .execute()
}

/** Drops all marks of a query. */
export async function deleteMarksOfQuery(
  db: Db,
  environmentId: string,
  queryId: string,
): Promise<void> {
  await db
    .deleteFrom('continuous_query_marks')
    .where('environment_id', '=', environmentId)
    .where('query_id', '=', queryId)
    .execute()
}
