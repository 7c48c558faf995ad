import { SERIES, type Series } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { InputError, type InputProblem, invalidInput } from '@salus/kernel/errors'
import { type AnalyzedQuery, analyzeQuery, type Query, type TableColumn } from '../queries/index.ts'
import type { RuleRow } from './rules.repository.ts'
import type { Comparison, Condition, RuleFunction, RuleWindow } from './rules.schema.ts'

/** A condition of values that was checked, in the units of the stored data. */
export interface ValuePlan {
  kind: 'threshold' | 'trend' | 'goal'
  func: RuleFunction
  arg: TableColumn
  table: string
  /** Functions that are read for each bucket, the number of readings last. */
  parts: readonly RuleFunction[]
  /** Length of a step: the values of its buckets are those of a query with this `date_trunc`. */
  stepMs: number
  /** Number of steps in the window of a value. */
  windowSteps: number
  comparison: Comparison
  threshold: number
  /** How long the condition must hold before it triggers. */
  forMs: number
  trend: { recentDays: number; baselineDays: number; minimumReadings: number; isPercent: boolean }
  /** Whether a value is only judged when its last step has ended, since it still grows. */
  isJudgedAtEnd: boolean
  /** Names of the data as in changes of data. */
  resources: readonly string[]
  unit: string | null
  /** Converts a value to the unit of the rule. */
  toRuleUnit: (value: number) => number
}

/** A condition that nothing was measured or arrived for some time. */
export interface SilencePlan {
  kind: 'no_data'
  /** Name as in changes of data; `*` is any. */
  resource: string
  series: Series | null
  silenceMs: number
  countedFrom: 'measurement' | 'arrival'
  resources: readonly string[]
}

export type RulePlan = ValuePlan | SilencePlan

/** A rule with its checked condition. */
export interface PlannedRule<Plan extends RulePlan = RulePlan> {
  rule: RuleRow
  plan: Plan
}

/** The name under which any data of a person count. */
export const ANY_RESOURCE = '*'

const AT: InputProblem['loc'] = ['body', 'condition']

const UNIT_MS = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
} as const
const lengthMs = ({ value, unit }: RuleWindow): number => value * UNIT_MS[unit]

/** Fields of each type beside `type`; true for those that it requires. */
const FIELDS = {
  threshold: {
    ...{ value: true, window: true, comparison: true, threshold: true },
    ...{ unit: false, for: false },
  },
  trend: {
    ...{ value: true, comparison: true, threshold: true, recent_days: true, baseline_days: true },
    ...{ unit: false, change_in: false, minimum_readings: false },
  },
  goal: { value: true, window: true, threshold: true, unit: false },
  no_data: { for: true, resource: false, counted_from: false },
} as const satisfies Record<Condition['type'], Partial<Record<keyof Condition, boolean>>>

/**
 * Checks a condition that its schema accepted.
 * @throws InputError 422 at the first field that is wrong
 */
export function planRule(condition: Condition): RulePlan {
  const allowed: Partial<Record<keyof Condition, boolean>> = FIELDS[condition.type]
  for (const [name, isRequired] of Object.entries(allowed)) {
    if (isRequired && condition[name as keyof Condition] === undefined) {
      throw refusal([name], 'missing', 'Field required')
    }
  }
  for (const name of Object.keys(condition) as (keyof Condition)[]) {
    if (name !== 'type' && condition[name] !== undefined && !(name in allowed)) {
      throw refusal([name], 'extra_forbidden', 'A condition of this type does not have the field')
    }
  }
  return condition.type === 'no_data' ? planSilence(condition) : planValue(condition)
}

const refusal = (path: string[], type: InputProblem['type'], message: string): InputError =>
  invalidInput([...AT, ...path], message, type)

function planSilence({ for: silence, resource, counted_from: from }: Condition): SilencePlan {
  const silenceMs = lengthMs(silence as RuleWindow)
  if (silenceMs < HOUR_MS || silenceMs > LONGEST_MS) throw wrongLength('for', 'an hour', '31 days')
  const series = resource == null ? null : findSeriesOfQueries(resource)
  if (series === undefined) throw refusal(['resource'], 'unknown_column', 'There is no such series')
  const name = series?.name ?? ANY_RESOURCE
  const common = { kind: 'no_data', resource: name, series, silenceMs } as const
  return { ...common, countedFrom: from ?? 'measurement', resources: [name] }
}

/** Longest time that a condition looks back. */
const LONGEST_MS = 31 * DAY_MS

const wrongLength = (field: string, least: string, most: string): InputError =>
  refusal([field, 'value'], 'less_than_equal', `The time must be from ${least} to ${most}`)

/** Returns a series by its name in queries. */
const findSeriesOfQueries = (name: string): Series | undefined =>
  SERIES.find(({ resource, deprecated }) => resource === name && !deprecated)

function planValue(condition: Condition): ValuePlan {
  const { value, type, comparison = '>=' } = condition
  const { func, arg } = value as NonNullable<Condition['value']>
  const kind = type as ValuePlan['kind']
  if (kind === 'goal' && func !== 'sum' && func !== 'count') {
    throw refusal(['value', 'func'], 'enum', 'A goal is a sum or a count')
  }
  const table = tableOf(arg)
  const { resources, isDaily } = readColumn(func, arg, table)
  const { stepMs, windowSteps } = stepsOfWindow(condition, isDaily)
  const forMs = condition.for === undefined ? 0 : lengthMs(condition.for)
  if (forMs > LONGEST_MS) throw wrongLength('for', 'a minute', '31 days')
  const grows = func === 'sum' || func === 'count'
  return {
    ...{ kind, func, arg, table, stepMs, windowSteps, comparison, forMs, resources },
    parts: partsOf(func, kind, windowSteps),
    trend: {
      recentDays: condition.recent_days ?? 1,
      baselineDays: condition.baseline_days ?? 1,
      minimumReadings: condition.minimum_readings ?? 3,
      isPercent: condition.change_in === 'percent',
    },
    isJudgedAtEnd: grows && (kind === 'trend' || comparison.startsWith('<')),
    ...unitOf(condition, func, arg),
  }
}

const tableOf = (arg: TableColumn): string =>
  'merged' in arg ? 'merged' : 'timeseries' in arg ? 'timeseries' : (Object.keys(arg)[0] ?? '')

/** Functions by which the value of a window is made from those of its steps. */
function partsOf(func: RuleFunction, kind: ValuePlan['kind'], steps: number): RuleFunction[] {
  if (func === 'count') return ['count']
  const isSplit = func === 'mean' && kind === 'threshold' && steps > 1
  return [isSplit ? 'sum' : func, 'count']
}

const MERGED_TABLES = ['sleep', 'workout']

/** Returns the query of values by steps (docs/contract/09-aggregate.md). */
export function queryOf(
  table: string,
  stepMs: number,
  values: readonly { func: RuleFunction; arg: TableColumn }[],
): AnalyzedQuery {
  const minutes = stepMs / MINUTE_MS
  const period =
    stepMs === DAY_MS ? { value: 1, unit: 'day' } : { value: minutes, unit: 'minute' as const }
  const query = {
    select: [{ group_key: 0 }, ...values],
    group_by: [{ date_trunc: period, arg: { index: table } }],
    ...(MERGED_TABLES.includes(table) && { source_rule: 'merged' }),
  }
  return analyzeQuery(query as Query, [...AT])
}

/** Checks the column and the function of a value. */
function readColumn(func: RuleFunction, arg: TableColumn, table: string) {
  try {
    const analyzed = queryOf(table, DAY_MS, [{ func, arg }])
    const [key, value] = analyzed.columns
    if (value?.type !== 'integer' && value?.type !== 'number') {
      throw refusal(['value', 'func'], 'invalid_function', 'The value of a rule is a number')
    }
    return { resources: analyzed.resources, isDaily: key?.type === 'date' }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    // The query is made here; its caller knows the value.
    throw new InputError(
      error.problems.map(({ loc, ...problem }) => {
        const end = loc.includes('select') ? loc.slice(loc.indexOf('select') + 2) : loc.slice(2)
        const path = end[0] === 'value' ? end : ['value', ...end]
        return { ...problem, loc: [...AT, ...path] as InputProblem['loc'] }
      }),
    )
  }
}

/** Steps of a window: minutes are one step, hours and days are steps of one. */
function stepsOfWindow({ type, window }: Condition, isDaily: boolean) {
  if (type === 'trend' || window === undefined) return { stepMs: DAY_MS, windowSteps: 1 }
  const { value, unit } = window
  const refuse = (message: string) => refusal(['window'], 'enum', message)
  if (type === 'goal') {
    if (value !== 1 || (unit !== 'day' && unit !== 'week')) {
      throw refuse('The window of a goal is one day or one week')
    }
    return { stepMs: DAY_MS, windowSteps: unit === 'week' ? 7 : 1 }
  }
  if (isDaily && unit !== 'day') throw refuse('Values of days have a window of days')
  if (unit === 'minute') {
    if (value !== 5 && value !== 15) throw refuse('A window in minutes is of 5 or 15 minutes')
    return { stepMs: value * MINUTE_MS, windowSteps: 1 }
  }
  const most = unit === 'hour' ? 48 : 31
  if (unit === 'week' || value > most) {
    throw refuse('A window is of 5 or 15 minutes, at most 48 hours, or at most 31 days')
  }
  return { stepMs: UNIT_MS[unit], windowSteps: value }
}

/** Converts the threshold to the unit of the data. */
function unitOf(condition: Condition, func: RuleFunction, arg: TableColumn) {
  const { type, unit, change_in: changeIn, threshold = 0 } = condition
  const plain = { threshold, unit: null, toRuleUnit: (value: number) => value }
  const name = 'merged' in arg ? arg.merged : 'timeseries' in arg ? arg.timeseries : undefined
  const series = typeof name === 'string' ? findSeriesOfQueries(name) : undefined
  const isOfUnit = series !== undefined && func !== 'count' && changeIn !== 'percent'
  if (!isOfUnit || series === undefined) {
    if (unit === undefined) return { ...plain, unit: changeIn === 'percent' ? '%' : null }
    throw refusal(['unit'], 'extra_forbidden', 'This value has no unit to choose')
  }
  const label = unit ?? series.unit
  const conversion = Object.hasOwn(series.units, label) ? series.units[label] : undefined
  if (conversion === undefined) {
    throw refusal(['unit'], 'enum', 'The series is not measured in this unit')
  }
  const { times, by } = conversion
  // A change has no zero that moves.
  const plus = type === 'trend' ? 0 : conversion.plus
  const stored = (threshold * times + plus) / by
  const isReading = type === 'threshold' && func !== 'sum'
  if (isReading && series.most !== null && stored > series.most) {
    throw refusal(['threshold'], 'less_than_equal', 'The series has no value so large')
  }
  if (isReading && series.least !== null && stored < series.least) {
    throw refusal(['threshold'], 'greater_than_equal', 'The series has no value so small')
  }
  return {
    threshold: stored,
    unit: label,
    toRuleUnit: (value: number) => Number(((value * by - plus) / times).toPrecision(6)),
  }
}
