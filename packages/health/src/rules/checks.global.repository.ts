import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { type Selectable, sql } from 'kysely'
import { ANY_RESOURCE } from './rule-plan.ts'
import type { RuleChecksTable } from './rules.tables.ts'

/** Checks of all environments: uploads write theirs together, and one job works on them. */

/** A person whose rules have to be judged. */
export type RuleCheck = Selectable<RuleChecksTable>

/** Resources that the active rules of an environment judge. */
export interface WatchedResources {
  all: ReadonlySet<string>
  /** Those of rules on silence. */
  missed: ReadonlySet<string>
}

/** Returns the resources of each environment with active rules. */
export async function listWatchedResources(
  db: Db,
  environmentIds: readonly string[],
): Promise<Map<string, WatchedResources>> {
  const rows = await db
    .selectFrom('rules')
    .select(['environment_id', 'resources', sql<string>`condition ->> 'type'`.as('type')])
    .where('environment_id', '=', anyOf(environmentIds))
    .where('status', '=', 'active')
    .execute()
  const found = new Map<string, WatchedResources>()
  for (const [id, rules] of Map.groupBy(rows, ({ environment_id: id }) => id)) {
    const missed = rules.filter(({ type }) => type === 'no_data')
    const resources = (some: typeof rows) => new Set(some.flatMap((rule) => rule.resources))
    found.set(id, { all: resources(rules), missed: resources(missed) })
  }
  return found
}

/** A change of data, with what of it rules need. */
interface WatchedChange {
  environmentId: string
  userId: string
  resource: string
  /** Newest time of measurement. */
  to: Date
  isMissed: boolean
  isJudged: boolean
}

/** Selects changes of people who exist. */
const changesSql = (changes: readonly WatchedChange[]) => sql`
      select * from unnest(
        ${changes.map(({ environmentId }) => environmentId)}::uuid[],
        ${changes.map(({ userId }) => userId)}::uuid[],
        ${changes.map(({ resource }) => resource)}::text[],
        ${changes.map(({ to }) => to)}::timestamptz[],
        ${changes.map(({ isMissed }) => isMissed)}::boolean[],
        ${changes.map(({ isJudged }) => isJudged)}::boolean[]
      ) as change (environment_id, user_id, resource, measured_at, is_missed, is_judged)
      where exists (
        select from users
        where users.environment_id = change.environment_id and users.id = change.user_id
      )`

/**
 * Schedules checks of people whose data change and whom an active rule judges, and records their
 * newest data. One statement for all of them, in order of keys, which avoids deadlocks.
 * @param restSeconds A check that was written so shortly before is not written again.
 */
export async function scheduleChecks(
  db: Db,
  changes: readonly WatchedChange[],
  { now, delaySeconds, restSeconds }: { now: Date; delaySeconds: number; restSeconds: number },
): Promise<void> {
  await sql`
    with changes as (${changesSql(changes)}
    ), newest as (
      insert into rule_last_data as stored
        (environment_id, user_id, resource, measured_at, arrived_at)
      select environment_id, user_id, named.resource,
        least(max(measured_at), ${now}::timestamptz), ${now}::timestamptz
      from changes, unnest(array[changes.resource, ${ANY_RESOURCE}]) as named (resource)
      where is_missed
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (environment_id, user_id, resource) do update set
        measured_at = greatest(stored.measured_at, excluded.measured_at),
        arrived_at = greatest(stored.arrived_at, excluded.arrived_at)
      where stored.measured_at < excluded.measured_at
        or stored.arrived_at < ${now}::timestamptz - make_interval(secs => ${restSeconds})
    )
    insert into rule_checks as stored
      (environment_id, user_id, resources, changed_at, version, due_at)
    select environment_id, user_id, array_agg(distinct resource), ${now}::timestamptz, 1,
      ${now}::timestamptz + make_interval(secs => ${delaySeconds})
    from changes
    where is_judged and exists (
      select from rules
      where rules.environment_id = changes.environment_id and rules.status = 'active'
        and rules.resources && array[changes.resource, ${ANY_RESOURCE}]
        and (rules.applies_to_all or exists (
          select from rule_people
          where rule_people.environment_id = rules.environment_id
            and rule_people.rule_id = rules.id and rule_people.user_id = changes.user_id
        ))
    )
    group by 1, 2 order by 1, 2
    on conflict (environment_id, user_id) do update set
      resources = array(select distinct unnest(stored.resources || excluded.resources)),
      changed_at = excluded.changed_at,
      version = stored.version + 1,
      due_at = least(stored.due_at, excluded.due_at)
    where stored.changed_at < ${now}::timestamptz - make_interval(secs => ${restSeconds})
      or not stored.resources @> excluded.resources`.execute(db)
}

/** Claims the checks that are longest due, until `until`. */
export async function claimDueChecks(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<RuleCheck[]> {
  const { rows } = await sql<RuleCheck>`
    with due as (
      select environment_id, user_id from rule_checks
      where due_at <= ${now} order by due_at limit ${limit} for update skip locked
    )
    update rule_checks claimed set due_at = ${until} from due
    where claimed.environment_id = due.environment_id and claimed.user_id = due.user_id
    returning claimed.*`.execute(db)
  return rows
}

/** Deletes a claimed check, unless data changed meanwhile. */
export async function deleteCheck(db: Db, check: RuleCheck): Promise<void> {
  await db
    .deleteFrom('rule_checks')
    .where('environment_id', '=', check.environment_id)
    .where('user_id', '=', check.user_id)
    .where('version', '=', check.version)
    .execute()
}

/** Keeps a claimed check for a later time, unless data changed meanwhile. */
export async function postponeCheck(
  db: Db,
  check: RuleCheck,
  dueAt: Date,
  resources: readonly string[],
): Promise<void> {
  await db
    .updateTable('rule_checks')
    .set({ due_at: dueAt, resources: [...resources] })
    .where('environment_id', '=', check.environment_id)
    .where('user_id', '=', check.user_id)
    .where('version', '=', check.version)
    .execute()
}

/** Returns environments with an active rule on silence. */
export async function listSilenceEnvironments(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('rules')
    .innerJoin('team_environments as environment', 'environment.id', 'rules.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('rules.environment_id')
    .distinct()
    .where('team.deleted_at', 'is', null)
    .where('rules.status', '=', 'active')
    .where(sql<boolean>`rules.condition ->> 'type' = 'no_data'`)
    .execute()
  return rows.map(({ environment_id: id }) => id)
}
