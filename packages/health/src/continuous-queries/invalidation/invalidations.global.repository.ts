import type { DataChange } from '@salus/kernel/data-changes'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { type ClaimedInvalidation, scheduleNew, WIDEN } from './invalidations.repository.ts'

/** Invalidations of all environments: uploads write theirs together, and one job evaluates them. */

/** Delays between an invalidation and an evaluation. */
export interface Schedule {
  /**
   * From the first invalidation to the evaluation, and from the creation of a query to its first
   * one.
   */
  delaySeconds: number
  /** Between two evaluations, where the query does not set it. */
  gapSeconds: number
  /** An invalidation of everything is not updated until it is this old. */
  restSeconds: number
}

/**
 * Returns the resources that the active queries of each environment read; an environment without
 * queries has none.
 */
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

/**
 * Returns the earliest time at which an invalidation is evaluated; `q` is its query, `e` its last
 * evaluation.
 */
const dueSql = (now: Date, { delaySeconds, gapSeconds }: Schedule) => sql`greatest(
  ${now}::timestamptz + make_interval(secs => ${delaySeconds}),
  q.created_at + make_interval(secs => ${delaySeconds}),
  e.evaluated_at + make_interval(secs => coalesce(q.minimum_gap_seconds, ${gapSeconds}))
)`

/**
 * Inserts or widens the invalidations of the active queries that read what changes. A new
 * invalidation schedules a task. In order of keys, which avoids deadlocks.
 */
export async function invalidateResults(
  db: Db,
  changes: readonly DataChange[],
  now: Date,
  schedule: Schedule,
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
    ), invalidated as (
      insert into continuous_query_invalidations as invalidation
        (environment_id, user_id, query_id, range, invalidated_at, due_at)
      select t.environment_id, t.user_id, t.query_id, t.range, ${now}, ${dueSql(now, schedule)}
      from touched t
      join users u on u.environment_id = t.environment_id and u.id = t.user_id
      join continuous_queries q on q.environment_id = t.environment_id and q.id = t.query_id
      left join continuous_query_evaluations e on e.environment_id = t.environment_id
        and e.user_id = t.user_id and e.query_id = t.query_id
      order by 1, 2, 3
      ${WIDEN}
      where invalidation.invalidated_at < ${now}::timestamptz - make_interval(secs => ${schedule.restSeconds})
        or not invalidation.range @> excluded.range
      returning environment_id, user_id, query_id, xmax = 0 as is_new
    )
    ${scheduleNew(now)}`.execute(db)
}

/**
 * Claims the due invalidations, until `until`, of the user whose invalidation waited longest, in
 * the order in which they were due. Those of deleted users wait until they are restored.
 */
export async function claimDueInvalidations(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedInvalidation[]> {
  const { rows } = await sql<ClaimedInvalidation & { was_due: Date }>`
    with first as (
      select invalidation.environment_id, invalidation.user_id
      from continuous_query_invalidations invalidation
      join users on users.environment_id = invalidation.environment_id and users.id = invalidation.user_id
      where invalidation.due_at <= ${now} and users.deleted_at is null
      order by invalidation.due_at, invalidation.environment_id, invalidation.user_id
      limit 1 for update of invalidation skip locked
    ), due as (
      select invalidation.environment_id, invalidation.user_id, invalidation.query_id, invalidation.due_at, invalidation.range
      from continuous_query_invalidations invalidation
      join first using (environment_id, user_id)
      where invalidation.due_at <= ${now}
      order by invalidation.due_at, invalidation.query_id
      limit ${limit} for update of invalidation skip locked
    )
    update continuous_query_invalidations invalidation
    set due_at = ${until}, claimed = range_merge(invalidation.claimed, invalidation.range), range = 'empty'
    from due
    where invalidation.environment_id = due.environment_id and invalidation.user_id = due.user_id
      and invalidation.query_id = due.query_id
    returning invalidation.environment_id, invalidation.user_id, invalidation.query_id, invalidation.invalidated_at, invalidation.due_at,
      invalidation.failures, lower(invalidation.claimed) as "from", upper(invalidation.claimed) as "to",
      due.range::text as fresh, due.due_at as was_due`.execute(db)
  return rows.toSorted(
    (a, b) => a.was_due.getTime() - b.was_due.getTime() || (a.query_id < b.query_id ? -1 : 1),
  )
}
