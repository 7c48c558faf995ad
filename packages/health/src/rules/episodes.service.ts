import { endTasks, openTask } from '@salus/accounts/tasks'
import { findUserReference, type UserReference } from '@salus/accounts/users'
import { notFoundCode } from '@salus/kernel/errors'
import { type NewEvent, newEvent, writeEvents } from '@salus/kernel/events/events'
import { KeysetPages, LISTED_INSTANT, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { EpisodeRow, ShownEpisode } from './episodes.repository.ts'
import * as repository from './episodes.repository.ts'
import { ruleResolved, ruleTriggered } from './rules.events.ts'
import type { RuleRow } from './rules.repository.ts'
import type {
  Condition,
  EpisodeList,
  EpisodeQuery,
  EpisodeStep,
  ResolvedReason,
  RuleEpisode,
  RuleEpisodeEvent,
} from './rules.schema.ts'
import { formatLocal } from './timeline.ts'

/** An episode that begins. */
export interface NewEpisode {
  start: number
  /** Null while the condition holds. */
  end: number | null
  value: number | null
  steps: readonly EpisodeStep[]
}

/** What a check found for a rule and a person. */
export interface RuleOutcome {
  rule: RuleRow
  triggered: readonly NewEpisode[]
  resolved: readonly { id: string; end: number }[]
}

/** Stores what a check found, with its events and tasks, in one transaction. */
export async function storeOutcomes(
  scope: Scope,
  userId: string,
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  await scope.transaction(async (tx) => {
    const user = await findUserReference(tx, userId)
    if (user === undefined) return
    for (const { rule, triggered, resolved } of outcomes) {
      for (const { id, end } of resolved) {
        const row = await repository.endEpisode(tx, id, { end, at: scope.clock.now() })
        if (row !== undefined) await emitResolved(tx, rule, [{ row, user }])
      }
      for (const episode of triggered) await storeEpisode(tx, rule, user, episode)
    }
  })
}

async function storeEpisode(
  tx: TransactionScope,
  rule: RuleRow,
  user: UserReference,
  { start, end, value, steps }: NewEpisode,
): Promise<void> {
  const at = tx.clock.now()
  const row = await repository.insertEpisode(tx, {
    ...{ id: newId(), rule_id: rule.id, user_id: user.id },
    ...{ starts_at: start, ends_at: end, value, steps: JSON.stringify(steps), triggered_at: at },
    ...{ resolved_at: end === null ? null : at, resolved_reason: end === null ? null : 'data' },
  })
  if (row === undefined) return
  const isGoal = rule.condition.type === 'goal'
  const begun = {
    ...row,
    ...(!isGoal && { ends_at: null, resolved_at: null, resolved_reason: null }),
  }
  await emit(tx, rule, [eventOf(tx, ruleTriggered, rule, begun, user)])
  if (end !== null && !isGoal) {
    await emit(tx, rule, [eventOf(tx, ruleResolved, rule, row, user)])
  } else if (rule.task_priority !== null) {
    await openTask(tx, {
      kind: 'rule',
      focus: { type: 'rule_episode', id: row.id },
      userId: user.id,
      priority: rule.task_priority,
      escalationMinutes: rule.task_escalation_minutes,
    })
  }
}

/** Emits the end of episodes, and ends their tasks. */
async function emitResolved(
  tx: TransactionScope,
  rule: RuleRow,
  ended: readonly { row: EpisodeRow; user: UserReference | null }[],
): Promise<void> {
  const events = ended.flatMap(({ row, user }) =>
    user === null ? [] : [eventOf(tx, ruleResolved, rule, row, user)],
  )
  await emit(tx, rule, events)
  const ids = ended.map(({ row }) => row.id)
  await endTasks(tx, ['rule'], ids, 'completed')
}

async function emit(tx: TransactionScope, rule: RuleRow, events: NewEvent[]): Promise<void> {
  if (rule.emits_events && events.length > 0) await writeEvents(tx, events)
}

function eventOf(
  { environment }: TransactionScope,
  type: typeof ruleTriggered,
  rule: Pick<RuleRow, 'id' | 'name' | 'condition'>,
  row: EpisodeRow,
  user: UserReference,
): NewEvent {
  const facts = factsOf(row, rule.name, rule.condition)
  return newEvent({
    type,
    user,
    subjectIds: [row.id, rule.id],
    data: { ...facts, team_id: environment.teamId },
  })
}

function factsOf(
  row: EpisodeRow,
  name: string,
  { type, threshold, unit, change_in: changeIn }: Condition,
): Omit<RuleEpisodeEvent, 'team_id'> {
  return {
    id: row.id,
    rule_id: row.rule_id,
    rule_name: name,
    condition_type: type,
    status: row.ends_at === null ? 'triggered' : 'resolved',
    start: formatLocal(row.starts_at),
    end: row.ends_at === null ? null : formatLocal(row.ends_at),
    value: row.value,
    threshold: threshold ?? null,
    unit: unit ?? (changeIn === 'percent' ? '%' : null),
    triggered_at: formatInstant(row.triggered_at),
    resolved_at: row.resolved_at && formatInstant(row.resolved_at),
    resolved_reason: row.resolved_reason,
  }
}

/** Episodes that one statement ends. */
const AT_ONCE = 500

/** Ends the open episodes of a rule that judges no longer, or no longer these people. */
export async function endEpisodesOf(
  tx: TransactionScope,
  rule: RuleRow,
  reason: ResolvedReason,
  keptUserIds: readonly string[] = [],
): Promise<void> {
  const ending = { reason, at: tx.clock.now(), keptUserIds }
  for (;;) {
    const rows = await repository.endOpenEpisodes(tx, rule.id, ending, AT_ONCE)
    await emitResolved(
      tx,
      rule,
      rows.map((row) => ({
        row,
        user:
          row.client_user_id === null
            ? null
            : { id: row.user_id, client_user_id: row.client_user_id },
      })),
    )
    if (rows.length < AT_ONCE) return
  }
}

const PAGES = new KeysetPages({ triggeredAt: LISTED_INSTANT, id: UUID_KEY })

/** Returns a page of episodes, newest first. @throws AppError 400 `invalid_cursor` */
export async function showEpisodes(scope: Scope, query: EpisodeQuery): Promise<EpisodeList> {
  const { limit, next_cursor: cursor, rule_id: ruleId, user_id: userId, status } = query
  const list = ['rule_episodes', scope.environment.id, ruleId, userId, status]
  const after = PAGES.read(list, cursor)
  const isResolved = status === undefined ? undefined : status === 'resolved'
  const filter = { ruleId, userId, isResolved }
  const found = await repository.listEpisodes(scope, filter, after, limit + 1)
  const { page, nextCursor } = PAGES.cut(list, found, limit, ({ position, id }) => ({
    triggeredAt: position,
    id,
  }))
  return { data: page.map(toEpisode), next_cursor: nextCursor }
}

/** Returns an episode with its values. @throws AppError 404 */
export async function showEpisode(scope: Scope, id: string): Promise<RuleEpisode> {
  const row = await repository.findEpisode(scope, id)
  if (row === undefined) throw notFoundCode('rule_episode_not_found')
  return toEpisode(row)
}

function toEpisode(row: ShownEpisode): RuleEpisode {
  return {
    ...factsOf(row, row.rule_name, row.condition as Condition),
    user_id: row.user_id,
    client_user_id: row.client_user_id,
    steps: row.steps,
  }
}
