import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { KnownEpisode } from './judge.ts'
import type { ResolvedReason } from './rules.schema.ts'
import type { RuleEpisodesTable } from './rules.tables.ts'

export type EpisodeRow = Selectable<RuleEpisodesTable>

/** Returns the episodes of a person that are open, or began or ended after a local time. */
export function listKnownEpisodes(
  { db, environment }: RowScope,
  userId: string,
  ruleIds: readonly string[],
  after: number,
): Promise<(KnownEpisode & { rule_id: string })[]> {
  return db
    .selectFrom('rule_episodes')
    .select(['id', 'rule_id', 'starts_at', 'ends_at'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('rule_id', '=', anyOf(ruleIds))
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', after)]))
    .orderBy('starts_at')
    .execute()
}

/** Inserts an episode; returns undefined when another process was first. */
export function insertEpisode(
  { db, environment }: TransactionScope,
  episode: Omit<Insertable<RuleEpisodesTable>, 'environment_id'>,
): Promise<EpisodeRow | undefined> {
  return db
    .insertInto('rule_episodes')
    .values({ ...episode, environment_id: environment.id })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Ends an open episode; returns undefined when it has ended already. */
export function endEpisode(
  { db, environment }: TransactionScope,
  id: string,
  { end, at }: { end: number; at: Date },
): Promise<EpisodeRow | undefined> {
  return db
    .updateTable('rule_episodes')
    .set({ ends_at: end, resolved_at: at, resolved_reason: 'data' })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('ends_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Ends some open episodes of a rule for a reason of its own, and returns them with their live
 * users. Local times that lie ahead end where they begin.
 * @param userIds Only those of people who are not among these; null means all.
 */
export async function endOpenEpisodes(
  { db, environment }: TransactionScope,
  ruleId: string,
  { reason, at, keptUserIds }: { reason: ResolvedReason; at: Date; keptUserIds: readonly string[] },
  limit: number,
): Promise<(EpisodeRow & { client_user_id: string | null })[]> {
  const { rows } = await sql<EpisodeRow & { client_user_id: string | null }>`
    with ended as (
      update rule_episodes
      set ends_at = greatest(starts_at + 1, ${at.getTime()}::bigint), resolved_at = ${at},
        resolved_reason = ${reason}
      where environment_id = ${environment.id} and id = any (array(
        select id from rule_episodes
        where environment_id = ${environment.id} and rule_id = ${ruleId} and ends_at is null
          and not user_id = any (${[...keptUserIds]}::uuid[])
        limit ${limit}
      ))
      returning *
    )
    select ended.*, users.client_user_id from ended
    left join users on users.environment_id = ended.environment_id
      and users.id = ended.user_id and users.deleted_at is null`.execute(db)
  return rows
}

/** An episode with its rule and its person. */
export type ShownEpisode = EpisodeRow & {
  client_user_id: string
  rule_name: string
  condition: unknown
}

const selectShown = ({ db, environment }: RowScope) =>
  db
    .selectFrom('rule_episodes')
    .innerJoin('rules', (join) =>
      join
        .onRef('rules.environment_id', '=', 'rule_episodes.environment_id')
        .onRef('rules.id', '=', 'rule_episodes.rule_id'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'rule_episodes.environment_id')
        .onRef('users.id', '=', 'rule_episodes.user_id')
        .on('users.deleted_at', 'is', null),
    )
    .selectAll('rule_episodes')
    .select(['users.client_user_id', 'rules.name as rule_name', 'rules.condition as condition'])
    .where('rule_episodes.environment_id', '=', environment.id)

export function findEpisode(scope: Scope, id: string): Promise<ShownEpisode | undefined> {
  return selectShown(scope).where('rule_episodes.id', '=', id).executeTakeFirst()
}

/** Returns episodes newest first, after a position. */
export function listEpisodes(
  scope: Scope,
  filter: {
    ruleId: string | undefined
    userId: string | undefined
    isResolved: boolean | undefined
  },
  after: { triggeredAt: string; id: string } | null,
  limit: number,
): Promise<(ShownEpisode & { position: string })[]> {
  let query = selectShown(scope).select(
    sql<string>`rule_episodes.triggered_at::text`.as('position'),
  )
  if (filter.ruleId !== undefined) query = query.where('rule_id', '=', filter.ruleId)
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId)
  if (filter.isResolved !== undefined) {
    query = query.where('ends_at', filter.isResolved ? 'is not' : 'is', null)
  }
  if (after !== null) {
    query = query.where(
      sql<boolean>`(rule_episodes.triggered_at, rule_episodes.id)
        < (${after.triggeredAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('rule_episodes.triggered_at', 'desc')
    .orderBy('rule_episodes.id', 'desc')
    .limit(limit)
    .execute()
}
