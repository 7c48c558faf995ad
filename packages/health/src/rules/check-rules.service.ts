import { enterEnvironment } from '@salus/accounts/teams'
import { findUser } from '@salus/accounts/users'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import {
  claimDueChecks,
  deleteCheck,
  postponeCheck,
  type RuleCheck,
} from './checks.global.repository.ts'
import { listKnownEpisodes } from './episodes.repository.ts'
import { type RuleOutcome, storeOutcomes } from './episodes.service.ts'
import { type Judgement, judge, type KnownEpisode } from './judge.ts'
import {
  localNow,
  type RuleContext,
  type RulePerson,
  readValues,
  type ValueReader,
} from './read-values.service.ts'
import { ANY_RESOURCE, type PlannedRule, planRule, type ValuePlan } from './rule-plan.ts'
import { listActiveRules, type RuleRow } from './rules.repository.ts'
import { CLAIM_MS, SETTLED_MS } from './schedule.ts'
import { resolveSilence } from './silence.service.ts'
import { type Buckets, rangesOf, runsOf, shownSteps, stepsOf } from './timeline.ts'

/** The active rules of an environment, read once for many people. */
interface RulesOfEnvironment {
  reader: ValueReader
  rules: readonly PlannedRule[]
}

/** People whose checks are claimed together; they take far less time than a claim lasts. */
const MOST_CLAIMED = 50

/** Checks the people whose data changed, the longest due first, until none is due. */
export async function checkDueRules(context: RuleContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = context.clock.now()
    const claim = { now, until: new Date(now.getTime() + CLAIM_MS), limit: MOST_CLAIMED }
    const checks = await claimDueChecks(context.db, claim)
    if (checks.length === 0) return
    for (const [id, ofEnvironment] of Map.groupBy(checks, (check) => check.environment_id)) {
      const environment = await openRules(context, id)
      for (const check of ofEnvironment) {
        // The rest is checked when the claim has ended.
        if (signal.aborted) return
        await checkPerson(context, environment, check)
      }
    }
  }
}

async function openRules(context: RuleContext, id: string): Promise<RulesOfEnvironment | null> {
  const scope = await enterEnvironment(context, id)
  if (scope === undefined) return null
  const rows = await listActiveRules(scope)
  const { queryMaxSourceRows } = context
  return {
    reader: { scope, queryMaxSourceRows, priorities: new Map() },
    rules: rows.map((rule) => ({ rule, plan: planRule(rule.condition) })),
  }
}

/** Checks a person; a failure is logged, and tried again when the claim has ended. */
async function checkPerson(
  { db, clock, log }: RuleContext,
  environment: RulesOfEnvironment | null,
  check: RuleCheck,
): Promise<void> {
  const startedAt = clock.now()
  try {
    const person =
      environment === null ? undefined : await findUser(environment.reader.scope, check.user_id)
    if (environment === null || person === undefined) return await deleteCheck(db, check)
    const touched = environment.rules.filter((planned) => concerns(planned, check))
    const judgeAgainAt = await judgePerson(environment.reader, person, touched, startedAt)
    const isSettled = startedAt.getTime() - check.changed_at.getTime() >= SETTLED_MS
    if (!isSettled) {
      const dueAt = new Date(check.changed_at.getTime() + SETTLED_MS)
      await postponeCheck(db, check, dueAt, check.resources)
    } else if (judgeAgainAt !== null) {
      await postponeCheck(db, check, judgeAgainAt, check.resources)
    } else await deleteCheck(db, check)
  } catch (error) {
    log.error({ err: error, userId: check.user_id }, 'the rules of a user could not be checked')
  }
}

/** Whether data of a check change the judgement of a rule about its person. */
function concerns({ rule, plan }: PlannedRule, { resources, user_id: id }: RuleCheck): boolean {
  if (rule.user_ids !== null && !rule.user_ids.includes(id)) return false
  return plan.resources.some((name) => name === ANY_RESOURCE || resources.includes(name))
}

/**
 * Judges rules about a person, and stores what changed.
 * @returns when time alone may change the outcome; null when only data can
 */
async function judgePerson(
  reader: ValueReader,
  person: RulePerson,
  rules: readonly PlannedRule[],
  now: Date,
): Promise<Date | null> {
  const { scope } = reader
  const judged = await judgeValues(reader, person, rules.filter(isOfValues), now)
  const silent = await resolveSilence(scope, person.id, rules, now)
  const outcomes = [...judged.map(({ outcome }) => outcome), ...silent].filter(
    ({ triggered, resolved }) => triggered.length + resolved.length > 0,
  )
  if (outcomes.length > 0) await storeOutcomes(scope, person.id, outcomes)
  const times = judged.flatMap(({ judgeAgainAt }) => judgeAgainAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

const isOfValues = (planned: PlannedRule): planned is PlannedRule<ValuePlan> =>
  planned.plan.kind !== 'no_data'

async function judgeValues(
  reader: ValueReader,
  person: RulePerson,
  rules: readonly PlannedRule<ValuePlan>[],
  now: Date,
): Promise<{ outcome: RuleOutcome; judgeAgainAt: Date | null }[]> {
  if (rules.length === 0) return []
  const local = localNow(person, now)
  const requests = rules.map(({ rule, plan }) => {
    const { steps, read } = rangesOf(plan, local, rule.maximum_data_age_hours * HOUR_MS)
    return { plan, rule, steps, range: read }
  })
  const values = await readValues(reader, person, requests)
  const after = Math.min(
    ...requests.map(({ steps, rule }) => steps.from - rule.cool_down_minutes * MINUTE_MS),
  )
  const known = await knownByRule(reader.scope, person.id, rules, after)
  return requests.map((request) => {
    const { plan, rule, steps: range } = request
    const buckets: Buckets = values.get(request) ?? new Map()
    const steps = stepsOf(plan, buckets, range, local)
    const found = { steps, runs: runsOf(plan, steps) }
    const judgement = judge(plan, found, known.get(rule.id) ?? [], rule, { now, local })
    return {
      outcome: toOutcome(rule, plan, steps, judgement),
      judgeAgainAt: judgement.judgeAgainAt,
    }
  })
}

async function knownByRule(
  scope: Scope,
  userId: string,
  rules: readonly PlannedRule[],
  after: number,
): Promise<Map<string, KnownEpisode[]>> {
  const ids = rules.map(({ rule }) => rule.id)
  const known = await listKnownEpisodes(scope, userId, ids, after)
  return Map.groupBy(known, ({ rule_id: id }) => id)
}

function toOutcome(
  rule: RuleRow,
  plan: ValuePlan,
  steps: Parameters<typeof shownSteps>[1],
  { triggered, resolved }: Judgement,
): RuleOutcome {
  return {
    rule,
    resolved,
    triggered: triggered.map(({ start, end, value, triggeredAt }) => ({
      ...{ start, end, value: plan.toRuleUnit(value) },
      steps: shownSteps(plan, steps, triggeredAt),
    })),
  }
}
