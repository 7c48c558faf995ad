import { findUser } from '@salus/accounts/users'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { invalidInput, notFound } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { type AnalyzedQuery, analyzeQuery, type Query } from '../queries/index.ts'
import { judge } from './judge.ts'
import type { RulePreview, RulePreviewResult } from './preview-rule.schema.ts'
import {
  localNow,
  parseLocal,
  type RulePerson,
  readRows,
  readValues,
  type ValueReader,
} from './read-values.service.ts'
import { planRule, type RulePlan, type SilencePlan, type ValuePlan } from './rule-plan.ts'
import { listNextUsers } from './rules.repository.ts'
import type { EpisodeStep } from './rules.schema.ts'
import { formatLocal, type Run, rangesOf, runsOf, shownSteps, stepsOf } from './timeline.ts'

/** Users whom a page of a preview looks at, and the time after which it ends earlier. */
const MOST_USERS = 200
const MOST_MS = 8_000
/** Steps that a preview shows. */
const MOST_STEPS = 3_000

interface Found {
  runs: readonly Run[]
  steps: EpisodeStep[]
  isHolding: boolean
}

const PAGES = new KeysetPages({ id: UUID_KEY })

/**
 * Returns when a rule with this condition would have triggered in the last days, for a user or a
 * page of users, without a cool-down.
 * @throws InputError 422 for the condition, AppError 404 for the user
 */
export async function previewRule(
  scope: Scope,
  { condition, days, user_id: userId = null, next_cursor: cursor }: RulePreview,
  queryMaxSourceRows: number,
): Promise<RulePreviewResult> {
  const plan = planRule(condition)
  refuseUnknowable(plan)
  const reader: ValueReader = { scope, queryMaxSourceRows, priorities: new Map() }
  const common = {
    threshold: condition.threshold ?? null,
    unit: plan.kind === 'no_data' ? null : plan.unit,
  }
  if (userId !== null) {
    const user = await findUser(scope, userId)
    if (user === undefined) throw notFound('User')
    const found = await previewPerson(reader, plan, user, days)
    return { ...common, ...countsOf([found]), ...shownOf(plan, found), next_cursor: null }
  }
  const list = ['rule_preview', scope.environment.id, JSON.stringify(condition), days]
  const after = PAGES.read(list, cursor)?.id ?? null
  const users = await listNextUsers(scope, after, MOST_USERS + 1)
  const endsAt = performance.now() + MOST_MS
  const found: Found[] = []
  for (const user of users.slice(0, MOST_USERS)) {
    if (found.length > 0 && performance.now() > endsAt) break
    found.push(await previewPerson(reader, plan, user, days))
  }
  const last = users.length > found.length ? users[found.length - 1] : undefined
  const nextCursor = PAGES.write(list, last && { id: last.id })
  return { ...common, ...countsOf(found), episodes: [], steps: [], next_cursor: nextCursor }
}

/** What was silent when is only known of measurements of one series. */
function refuseUnknowable(plan: RulePlan): void {
  if (plan.kind !== 'no_data') return
  const refuse = (field: string, message: string) =>
    invalidInput(['body', 'condition', field], message, 'enum')
  if (plan.series === null) throw refuse('resource', 'A preview needs a series')
  if (plan.countedFrom === 'arrival') {
    throw refuse('counted_from', 'A preview knows the times of measurements only')
  }
}

const countsOf = (found: readonly Found[]) => ({
  users_checked: found.length,
  users_triggered: found.filter(({ runs }) => runs.length > 0).length,
  users_holding: found.filter(({ isHolding }) => isHolding).length,
  episodes_counted: found.reduce((sum, { runs }) => sum + runs.length, 0),
})

const shownOf = (plan: RulePlan, { runs, steps }: Found) => ({
  steps,
  episodes: runs.map(({ start, end, value }) => ({
    start: formatLocal(start),
    end: end === null ? null : formatLocal(end),
    value: plan.kind === 'no_data' ? null : plan.toRuleUnit(value),
  })),
})

async function previewPerson(
  reader: ValueReader,
  plan: RulePlan,
  person: RulePerson,
  days: number,
): Promise<Found> {
  if (plan.kind === 'no_data') return previewSilence(reader, plan, person, days)
  return previewValues(reader, plan, person, days)
}

async function previewValues(
  reader: ValueReader,
  plan: ValuePlan,
  person: RulePerson,
  days: number,
): Promise<Found> {
  const now = reader.scope.clock.now()
  const local = localNow(person, now)
  const { steps: range, read } = rangesOf(plan, local, days * DAY_MS)
  const request = { plan, range: read }
  const values = (await readValues(reader, person, [request])).get(request) ?? new Map()
  const steps = stepsOf(plan, values, range, local)
  const runs = runsOf(plan, steps)
  // The same judgement as that of a check, so that both begin episodes alike.
  const limits = { cool_down_minutes: 0, maximum_data_age_hours: days * 24 }
  const { triggered } = judge(plan, { steps, runs }, [], limits, { now, local })
  return {
    runs: triggered,
    steps: shownSteps(plan, steps, Infinity, MOST_STEPS),
    isHolding: triggered.some(({ end }) => end === null || end > local),
  }
}

/** Columns with which the readings of a series are counted, where it has no `value`. */
const COUNTED: Readonly<Record<string, string>> = { blood_pressure: 'systolic', note: 'content' }

/** The hours with a measurement, and the newest one of each. */
function hoursQuery(series: string): AnalyzedQuery {
  const counted = { timeseries: series, field: COUNTED[series] ?? 'value' }
  const query = {
    select: [
      { group_key: 0 },
      { func: 'count', arg: counted },
      { func: 'max', arg: { index: 'timeseries' } },
    ],
    group_by: [{ date_trunc: { value: 1, unit: 'hour' }, arg: { index: 'timeseries' } }],
  }
  return analyzeQuery(query as Query, ['body', 'condition'])
}

async function previewSilence(
  reader: ValueReader,
  { series, silenceMs }: SilencePlan,
  person: RulePerson,
  days: number,
): Promise<Found> {
  const now = reader.scope.clock.now()
  const local = localNow(person, now)
  const from = local - days * DAY_MS
  const window = { from: Math.floor((from - silenceMs) / HOUR_MS) * HOUR_MS, to: local + DAY_MS }
  const query = hoursQuery(series?.resource ?? '')
  const rows = await readRows(reader, person, new Map(), query, window)
  const times = rows.map((row) => parseLocal(row[2]))
  const runs = times.flatMap((last, at): Run[] => {
    const next = times[at + 1] ?? null
    const triggeredAt = last + silenceMs
    if (triggeredAt > (next ?? local) || triggeredAt < from) return []
    return [{ start: last, triggeredAt, lastHolding: triggeredAt, end: next, value: 0 }]
  })
  const steps = rows.slice(-MOST_STEPS).map((row) => ({
    start: formatLocal(parseLocal(row[0])),
    value: Number(row[1]),
    is_holding: false,
  }))
  return { runs, steps, isHolding: runs.at(-1)?.end === null }
}
