import { enterEnvironment } from '@salus/accounts/teams'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { listResourceStatistics } from '../connections/index.ts'
import { listSeriesExtents } from '../coverage/index.ts'
import { listSilenceEnvironments } from './checks.global.repository.ts'
import { listKnownEpisodes } from './episodes.repository.ts'
import { type RuleOutcome, storeOutcomes } from './episodes.service.ts'
import type { RuleContext } from './read-values.service.ts'
import { type PlannedRule, planRule, type SilencePlan } from './rule-plan.ts'
import { listActiveRules, listNextUsers, type RuleRow, updateRule } from './rules.repository.ts'
import { listLastData, listSilentPeople, recordLastData } from './silence.repository.ts'

/** Rules on silence: time alone makes their conditions hold. */

/** People whose newest data are looked for together. */
const MOST_PREPARED = 500
/** People of a rule that one statement finds. */
const MOST_SILENT = 500
/**
 * A rule looks for the newest data so long after it was activated: by then each process that stores
 * data records them.
 */
const KNOWN_EVERYWHERE_MS = 15_000

const isOfSilence = (planned: PlannedRule): planned is PlannedRule<SilencePlan> =>
  planned.plan.kind === 'no_data'

/** Triggers rules on silence for people who have been silent long enough. */
export async function checkSilence(context: RuleContext, signal: AbortSignal): Promise<void> {
  for (const id of await listSilenceEnvironments(context.db)) {
    const scope = await enterEnvironment(context, id)
    if (scope === undefined) continue
    const rules = (await listActiveRules(scope))
      .map((rule) => ({ rule, plan: planRule(rule.condition) }))
      .filter(isOfSilence)
    for (const planned of rules) {
      if (signal.aborted) return
      await checkSilenceRule(scope, planned, signal).catch((error: unknown) =>
        scope.log.error({ err: error, ruleId: planned.rule.id }, 'a rule could not be checked'),
      )
    }
  }
}

async function checkSilenceRule(
  scope: Scope,
  { rule, plan }: PlannedRule<SilencePlan>,
  signal: AbortSignal,
): Promise<void> {
  if (rule.prepared_at === null && !(await prepareRule(scope, rule, plan, signal))) return
  const now = scope.clock.now().getTime()
  const age = rule.maximum_data_age_hours * HOUR_MS
  // Silence that was long enough before the rule was activated is not reported.
  const after = new Date(Math.max(rule.activated_at.getTime(), now - age) - plan.silenceMs)
  const range = { after, until: new Date(now - plan.silenceMs) }
  while (!signal.aborted) {
    const people = await listSilentPeople(scope, plan, rule, range, MOST_SILENT)
    for (const { user_id: userId, last_at: lastAt } of people) {
      const episode = { start: lastAt.getTime(), end: null, value: null, steps: [] }
      await storeOutcomes(scope, userId, [{ rule, triggered: [episode], resolved: [] }])
    }
    if (people.length < MOST_SILENT) return
  }
}

/**
 * Looks for the newest data of everyone, once for each rule, so that silence that had begun before
 * it is known. Returns whether everyone was looked at.
 */
async function prepareRule(
  scope: Scope,
  rule: RuleRow,
  { resource, series }: SilencePlan,
  signal: AbortSignal,
): Promise<boolean> {
  const now = scope.clock.now()
  if (now.getTime() - rule.activated_at.getTime() < KNOWN_EVERYWHERE_MS) return false
  let after = rule.prepared_through
  while (!signal.aborted) {
    const ids = (await listNextUsers(scope, after, MOST_PREPARED)).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) {
      await updateRule(scope, rule.id, { prepared_at: now, prepared_through: null })
      return true
    }
    const extents = await listSeriesExtents(scope, ids)
    const attempts = await listResourceStatistics(scope, ids)
    const rows = ids.flatMap((id) => {
      const measured = extents.flatMap(({ user_id: of, series: name, newest }) =>
        of === id && (series === null || name === series.name) ? [Number(newest)] : [],
      )
      if (measured.length === 0) return []
      const newest = Math.min(Math.max(...measured), now.getTime())
      const arrived = attempts.flatMap(({ user_id: of, resource: name, last_attempt_at: at }) =>
        of === id && (series === null || name === series.resource) ? [at.getTime()] : [],
      )
      const arrivedAt = new Date(Math.max(newest, ...arrived))
      return [{ user_id: id, resource, measured_at: new Date(newest), arrived_at: arrivedAt }]
    })
    await recordLastData(scope, rows)
    await updateRule(scope, rule.id, { prepared_through: last })
    after = last
  }
  return false
}

/** Ends episodes of silence of a person whose data came. */
export async function resolveSilence(
  scope: Scope,
  userId: string,
  rules: readonly PlannedRule[],
  now: Date,
): Promise<RuleOutcome[]> {
  const silent = rules.filter(isOfSilence)
  if (silent.length === 0) return []
  const ids = silent.map(({ rule }) => rule.id)
  const [known, newest] = await Promise.all([
    listKnownEpisodes(scope, userId, ids, Number.MAX_SAFE_INTEGER),
    listLastData(scope, userId, [...new Set(silent.map(({ plan }) => plan.resource))]),
  ])
  return silent.flatMap(({ rule, plan }): RuleOutcome[] => {
    const open = known.find((episode) => episode.rule_id === rule.id)
    const data = newest.find(({ resource }) => resource === plan.resource)
    if (open === undefined || data === undefined) return []
    const last = (plan.countedFrom === 'arrival' ? data.arrived_at : data.measured_at).getTime()
    if (last <= now.getTime() - plan.silenceMs) return []
    const end = Math.max(last, open.starts_at + 1)
    return [{ rule, triggered: [], resolved: [{ id: open.id, end }] }]
  })
}
