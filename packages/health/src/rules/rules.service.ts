import { conflict, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { INSTANT_KEY, KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { endEpisodesOf } from './episodes.service.ts'
import { planRule } from './rule-plan.ts'
import type { RuleChanges, RuleRow } from './rules.repository.ts'
import * as repository from './rules.repository.ts'
import type {
  Condition,
  Rule,
  RuleCreate,
  RuleList,
  RuleQuery,
  RuleUpdate,
} from './rules.schema.ts'

/** Rules of one environment; each active one is judged when its data change. */
const MOST_RULES = 100

const PAGES = new KeysetPages({ createdAt: INSTANT_KEY, id: UUID_KEY })

/** Returns a page of the rules, oldest first. @throws AppError 400 `invalid_cursor` */
export async function showRules(scope: Scope, query: RuleQuery): Promise<RuleList> {
  const { status, limit, next_cursor: cursor } = query
  const list = ['rules', scope.environment.id, status]
  const after = PAGES.read(list, cursor)
  const rows = await repository.listRules(scope, status, after, limit + 1)
  const { page, nextCursor } = PAGES.cut(list, rows, limit, (row) => ({
    createdAt: row.created_at,
    id: row.id,
  }))
  return { data: page.map(toRule), next_cursor: nextCursor }
}

/** Returns a rule. @throws AppError 404 */
export async function showRule(scope: Scope, id: string): Promise<Rule> {
  const row = await repository.findRule(scope, id)
  if (row === undefined) throw notFoundCode('rule_not_found')
  return toRule(row)
}

function toRule(row: RuleRow): Rule {
  const { task_priority: priority, task_escalation_minutes: minutes } = row
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    condition: row.condition,
    user_ids: row.user_ids,
    emits_events: row.emits_events,
    task: priority && { priority, escalation_minutes: minutes },
    cool_down_minutes: row.cool_down_minutes,
    maximum_data_age_hours: row.maximum_data_age_hours,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    activated_at: formatInstant(row.activated_at),
  }
}

/** Returns a condition with its defaults, and the data that it judges. @throws InputError 422 */
function checkCondition(given: Condition): { condition: Condition; resources: string[] } {
  const plan = planRule(given)
  const resources = [...plan.resources]
  if (plan.kind === 'no_data') {
    const { resource = null, counted_from: from = 'measurement' } = given
    return { condition: { ...given, resource, counted_from: from }, resources }
  }
  const isTrend = plan.kind === 'trend'
  const trend = {
    change_in: given.change_in ?? 'unit',
    minimum_readings: plan.trend.minimumReadings,
  } as const
  const hasUnit = plan.unit !== null && plan.unit !== '%'
  const unit = hasUnit ? { unit: plan.unit as string } : {}
  return { condition: { ...given, ...unit, ...(isTrend && trend) }, resources }
}

/**
 * Creates a rule. It judges from the next change of data on.
 * @throws InputError 422 for the condition and unknown users, AppError 409 `too_many_rules`
 */
export async function createRule(scope: Scope, input: RuleCreate): Promise<Rule> {
  const { condition, resources } = checkCondition(input.condition)
  const { user_ids: userIds = null, task = null, status = 'active' } = input
  const id = newId()
  const now = scope.clock.now()
  return scope.transaction(async (tx) => {
    if ((await repository.countRulesLocked(tx)) >= MOST_RULES) {
      throw conflict('too_many_rules', 'An environment has at most 100 rules.')
    }
    await repository.insertRule(tx, {
      ...{ id, name: input.name, status, condition: JSON.stringify(condition), resources },
      applies_to_all: userIds === null,
      emits_events: input.emits_events ?? true,
      task_priority: task?.priority ?? null,
      task_escalation_minutes: task?.escalation_minutes ?? null,
      cool_down_minutes: input.cool_down_minutes ?? 0,
      maximum_data_age_hours: input.maximum_data_age_hours ?? 24,
      ...{ created_at: now, updated_at: now, activated_at: now },
      ...{ prepared_at: null, prepared_through: null },
    })
    if (userIds !== null) await choosePeople(tx, id, userIds)
    return showRule(tx, id)
  })
}

async function choosePeople(
  tx: TransactionScope,
  ruleId: string,
  userIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const live = await repository.listLiveUsers(tx, ids)
  const unknown = userIds.findIndex((id) => !live.has(id.toLowerCase()))
  if (unknown !== -1) {
    throw invalidInput(['body', 'user_ids', unknown], 'There is no such user', 'enum')
  }
  await repository.replacePeople(tx, ruleId, ids)
}

/**
 * Changes the given fields. A rule that is paused, or gets another condition, ends its open
 * episodes; a person to whom it no longer applies has none.
 * @throws AppError 404; InputError 422
 */
export async function updateRule(scope: Scope, id: string, input: RuleUpdate): Promise<Rule> {
  const checked = input.condition === undefined ? null : checkCondition(input.condition)
  return scope.transaction(async (tx) => {
    const row = await repository.lockRule(tx, id)
    if (row === undefined) throw notFoundCode('rule_not_found')
    const { status = row.status } = input
    const isOther = checked !== null && !isSame(checked.condition, row.condition)
    const isActivated = status === 'active' && (isOther || row.status === 'paused')
    const now = tx.clock.now()
    const { user_ids: userIds } = input
    if (userIds != null) await choosePeople(tx, id, userIds)
    if (userIds === null) await repository.replacePeople(tx, id, [])
    const again = { activated_at: now, prepared_at: null, prepared_through: null }
    await repository.updateRule(tx, id, {
      ...changesOf(input),
      ...(checked && {
        condition: JSON.stringify(checked.condition),
        resources: checked.resources,
      }),
      ...(userIds !== undefined && { applies_to_all: userIds === null }),
      ...((isActivated || userIds !== undefined) && again),
      updated_at: now,
    })
    if (isOther) await endEpisodesOf(tx, row, 'rule_changed')
    else if (status === 'paused') await endEpisodesOf(tx, row, 'rule_paused')
    else if (userIds != null) await endEpisodesOf(tx, row, 'rule_changed', userIds)
    return showRule(tx, id)
  })
}

const isSame = (one: Condition, other: Condition): boolean => sorted(one) === sorted(other)

/** Two orders of the same fields are one condition. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

function changesOf({ name, status, emits_events: emits, task, ...times }: RuleUpdate): RuleChanges {
  const { cool_down_minutes: coolDown, maximum_data_age_hours: age } = times
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(emits !== undefined && { emits_events: emits }),
    ...(task !== undefined && {
      task_priority: task?.priority ?? null,
      task_escalation_minutes: task?.escalation_minutes ?? null,
    }),
    ...(coolDown !== undefined && { cool_down_minutes: coolDown }),
    ...(age !== undefined && { maximum_data_age_hours: age }),
  }
}

/** Deletes a rule with its episodes, after the open ones have ended. @throws AppError 404 */
export async function removeRule(scope: Scope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await repository.lockRule(tx, id)
    if (row === undefined) throw notFoundCode('rule_not_found')
    await endEpisodesOf(tx, row, 'rule_deleted')
    await repository.deleteRule(tx, id)
  })
}
