import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { SilencePlan } from './rule-plan.ts'

/** The newest data of a person of a resource. */
interface LastData {
  resource: string
  measured_at: Date
  arrived_at: Date
}

/** Returns the newest data of a person, of some resources. */
export function listLastData(
  { db, environment }: RowScope,
  userId: string,
  resources: readonly string[],
): Promise<LastData[]> {
  return db
    .selectFrom('rule_last_data')
    .select(['resource', 'measured_at', 'arrived_at'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('resource', '=', anyOf(resources))
    .execute()
}

const COLUMNS = { measurement: 'measured_at', arrival: 'arrived_at' } as const

/**
 * Returns people of a rule whose newest data are from a range of time, and of whom no episode since
 * then is stored, the longest silent first.
 */
export async function listSilentPeople(
  { db, environment }: RowScope,
  { resource, countedFrom }: SilencePlan,
  rule: { id: string; applies_to_all: boolean },
  { after, until }: { after: Date; until: Date },
  limit: number,
): Promise<{ user_id: string; last_at: Date }[]> {
  const column = sql.ref(`newest.${COLUMNS[countedFrom]}`)
  const { rows } = await sql<{ user_id: string; last_at: Date }>`
    select newest.user_id, ${column} as last_at from rule_last_data newest
    join users on users.environment_id = newest.environment_id and users.id = newest.user_id
      and users.deleted_at is null
    where newest.environment_id = ${environment.id} and newest.resource = ${resource}
      and ${column} > ${after} and ${column} <= ${until}
      and (${rule.applies_to_all} or exists (
        select from rule_people where rule_people.environment_id = newest.environment_id
          and rule_people.rule_id = ${rule.id} and rule_people.user_id = newest.user_id
      ))
      and not exists (
        select from rule_episodes where rule_episodes.environment_id = newest.environment_id
          and rule_episodes.user_id = newest.user_id and rule_episodes.rule_id = ${rule.id}
          and (rule_episodes.ends_at is null
            or rule_episodes.starts_at = (extract(epoch from ${column}) * 1000)::bigint)
      )
    order by ${column} limit ${limit}`.execute(db)
  return rows
}

/** Records the newest data of people where newer ones are not known. */
export async function recordLastData(
  { db, environment }: RowScope,
  rows: readonly (LastData & { user_id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into rule_last_data as stored
      (environment_id, user_id, resource, measured_at, arrived_at)
    select ${environment.id}::uuid, newest.user_id, newest.resource, newest.measured_at,
      newest.arrived_at
    from unnest(
      ${rows.map((row) => row.user_id)}::uuid[],
      ${rows.map((row) => row.resource)}::text[],
      ${rows.map((row) => row.measured_at)}::timestamptz[],
      ${rows.map((row) => row.arrived_at)}::timestamptz[]
    ) as newest (user_id, resource, measured_at, arrived_at)
    join users on users.environment_id = ${environment.id} and users.id = newest.user_id
    order by 2, 3
    on conflict (environment_id, user_id, resource) do update set
      measured_at = greatest(stored.measured_at, excluded.measured_at),
      arrived_at = greatest(stored.arrived_at, excluded.arrived_at)`.execute(db)
}
