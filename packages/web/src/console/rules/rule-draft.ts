import type { components } from '../api/openapi.generated.d.ts'
import type { Condition, RuleTemplate } from './rule-words.ts'

/** A rule in the form: every field is a text, as the inputs have it. */
export interface RuleDraft {
  name: string
  type: Condition['type']
  func: string
  /** JSON of the column. */
  column: string
  window: string
  comparison: string
  threshold: string
  unit: string
  /** Length and unit of `for`; empty for none. */
  forValue: string
  forUnit: string
  changeIn: string
  recentDays: string
  baselineDays: string
  minimumReadings: string
  /** Series of missing data; empty for any. */
  resource: string
  countedFrom: string
  coolDown: string
  userIds: string[]
  emitsEvents: boolean
  /** Priority of the task; empty for none. */
  priority: string
  escalation: string
}

export const NEW_DRAFT: RuleDraft = {
  ...{ name: '', type: 'threshold', func: 'mean', window: '15 minute', comparison: '>' },
  ...{ column: '{"merged":"glucose","field":"value"}', threshold: '', unit: '' },
  ...{ forValue: '', forUnit: 'hour', changeIn: 'unit', recentDays: '7', baselineDays: '14' },
  ...{ minimumReadings: '3', resource: '', countedFrom: 'measurement', coolDown: '0' },
  ...{ userIds: [], emitsEvents: true, priority: '', escalation: '' },
}

const text = (value: number | undefined, otherwise: string): string =>
  value === undefined ? otherwise : String(value)

/** Fills the form from a template. */
export function draftOf({ name, condition, cool_down_minutes: coolDown }: RuleTemplate): RuleDraft {
  const { value, window, for: lasting } = condition
  return {
    ...NEW_DRAFT,
    name,
    type: condition.type,
    func: value?.func ?? NEW_DRAFT.func,
    column: value === undefined ? NEW_DRAFT.column : JSON.stringify(value.arg),
    window: window === undefined ? NEW_DRAFT.window : `${window.value} ${window.unit}`,
    comparison: condition.comparison ?? NEW_DRAFT.comparison,
    threshold: text(condition.threshold, ''),
    unit: condition.unit ?? '',
    forValue: text(lasting?.value, ''),
    forUnit: lasting?.unit ?? NEW_DRAFT.forUnit,
    changeIn: condition.change_in ?? 'unit',
    recentDays: text(condition.recent_days, NEW_DRAFT.recentDays),
    baselineDays: text(condition.baseline_days, NEW_DRAFT.baselineDays),
    minimumReadings: text(condition.minimum_readings, NEW_DRAFT.minimumReadings),
    resource: condition.resource ?? '',
    countedFrom: condition.counted_from ?? 'measurement',
    coolDown: String(coolDown),
  }
}

function windowOf(draft: string): Condition['window'] {
  const [value, unit] = draft.split(' ')
  return { value: Number(value), unit: unit as 'day' }
}

/** Returns the condition of the form, with the fields of its type. */
export function conditionOf(draft: RuleDraft): Condition {
  const { type, func, column, threshold, unit, comparison, forValue, forUnit } = draft
  const lasting = windowOf(`${forValue} ${forUnit}`)
  if (type === 'no_data') {
    const resource = draft.resource === '' ? null : draft.resource
    return { type, for: lasting, resource, counted_from: draft.countedFrom } as Condition
  }
  const common = {
    type,
    value: { func, arg: JSON.parse(column) as object },
    ...(threshold !== '' && { threshold: Number(threshold) }),
    ...(unit !== '' && draft.changeIn !== 'percent' && { unit }),
  }
  if (type === 'goal') return { ...common, window: windowOf(draft.window) } as Condition
  if (type === 'trend') {
    return {
      ...common,
      comparison,
      change_in: draft.changeIn,
      recent_days: Number(draft.recentDays),
      baseline_days: Number(draft.baselineDays),
      minimum_readings: Number(draft.minimumReadings),
    } as Condition
  }
  const holding = forValue === '' ? {} : { for: lasting }
  return { ...common, comparison, window: windowOf(draft.window), ...holding } as Condition
}

/** Returns the body that creates the rule. */
export function bodyOf(draft: RuleDraft): components['schemas']['RuleCreate'] {
  const { name, userIds, emitsEvents, priority, escalation, coolDown } = draft
  return {
    name,
    condition: conditionOf(draft),
    user_ids: userIds.length === 0 ? null : userIds,
    emits_events: emitsEvents,
    cool_down_minutes: Number(coolDown),
    task:
      priority === ''
        ? null
        : {
            priority: priority as 'routine',
            escalation_minutes: escalation === '' ? null : Number(escalation),
          },
  }
}
