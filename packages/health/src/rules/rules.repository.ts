import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { RuleStatus } from './rules.schema.ts'
import type { RulesTable } from './rules.tables.ts'

/** A rule with the users to whom it applies; null for everyone. */
export type RuleRow = Selectable<RulesTable> & { user_ids: string[] | null }
export type RuleChanges = Omit<Updateable<RulesTable>, 'environment_id' | 'id'>

const selectRules = ({ db, environment }: RowScope) =>
  db
    .selectFrom('rules')
    .selectAll('rules')
    .select(
      sql<string[] | null>`case when not rules.applies_to_all then array(
        select rule_people.user_id from rule_people
        join users on users.environment_id = rule_people.environment_id
          and users.id = rule_people.user_id and users.deleted_at is null
        where rule_people.environment_id = rules.environment_id
          and rule_people.rule_id = rules.id order by 1) end`.as('user_ids'),
    )
    .where('rules.environment_id', '=', environment.id)

export async function insertRule(
  { db, environment }: TransactionScope,
  rule: Omit<Insertable<RulesTable>, 'environment_id'>,
): Promise<void> {
  await db
    .insertInto('rules')
    .values({ ...rule, environment_id: environment.id })
    .execute()
}

export function findRule(scope: RowScope, id: string): Promise<RuleRow | undefined> {
  return selectRules(scope).where('rules.id', '=', id).executeTakeFirst()
}

/** Returns a rule, locked until the transaction ends. */
export function lockRule(tx: TransactionScope, id: string): Promise<RuleRow | undefined> {
  return selectRules(tx).where('rules.id', '=', id).forUpdate('rules').executeTakeFirst()
}

/** Returns rules oldest first, from a position on. */
export function listRules(
  scope: Scope,
  status: RuleStatus | undefined,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<RuleRow[]> {
  let query = selectRules(scope)
  if (status !== undefined) query = query.where('rules.status', '=', status)
  if (after !== null) {
    query = query.where(
      sql<boolean>`(rules.created_at, rules.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query.orderBy('rules.created_at').orderBy('rules.id').limit(limit).execute()
}

/** Returns the active rules of an environment. */
export function listActiveRules(scope: RowScope): Promise<RuleRow[]> {
  return selectRules(scope).where('rules.status', '=', 'active').orderBy('rules.id').execute()
}

/** Counts the rules of an environment; a lock keeps others from adding meanwhile. */
export async function countRulesLocked({ db, environment }: TransactionScope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rules ${environment.id}`}, 0))`.execute(
    db,
  )
  const { count } = await db
    .selectFrom('rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('environment_id', '=', environment.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function updateRule(
  { db, environment }: RowScope,
  id: string,
  changes: RuleChanges,
): Promise<void> {
  await db
    .updateTable('rules')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a rule with its episodes. */
export async function deleteRule({ db, environment }: TransactionScope, id: string): Promise<void> {
  await db
    .deleteFrom('rules')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Replaces the users to whom a rule applies. */
export async function replacePeople(
  { db, environment }: TransactionScope,
  ruleId: string,
  userIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('rule_people')
    .where('environment_id', '=', environment.id)
    .where('rule_id', '=', ruleId)
    .execute()
  await sql`insert into rule_people (environment_id, rule_id, user_id)
    select ${environment.id}::uuid, ${ruleId}::uuid, unnest(${[...userIds]}::uuid[])`.execute(db)
}

/** Returns those of some ids that are live users of the environment. */
export async function listLiveUsers(
  { db, environment }: RowScope,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', anyOf(userIds))
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns live users in the order of their ids, after the given one. */
export function listNextUsers(
  { db, environment }: RowScope,
  after: string | null,
  limit: number,
): Promise<{ id: string; client_user_id: string; fallback_time_zone: string | null }[]> {
  let query = db
    .selectFrom('users')
    .select(['id', 'client_user_id', 'fallback_time_zone'])
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
  if (after !== null) query = query.where('id', '>', after)
  return query.orderBy('id').limit(limit).execute()
}
