import type { components } from '../api/openapi.generated.d.ts'

export type Rule = components['schemas']['Rule']
export type Condition = components['schemas']['RuleCondition']
export type RuleTemplate = components['schemas']['RuleTemplate']
export type RuleEpisode = components['schemas']['RuleEpisode']
export type PreviewResult = components['schemas']['RulePreviewResult']

export const CONDITION_TITLE: Readonly<Record<Condition['type'], string>> = {
  threshold: 'Value above or below a number',
  trend: 'Change between two periods',
  no_data: 'No data for some time',
  goal: 'Goal of a day or week',
}

const COMPARED: Readonly<Record<string, string>> = {
  '>': 'above',
  '>=': 'at least',
  '<': 'below',
  '<=': 'at most',
}
export const COMPARISONS = Object.entries(COMPARED).map(([value, label]) => ({ value, label }))

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
const lengthOf = (window: Condition['window']): string =>
  window === undefined ? '' : plural(window.value, window.unit)

/** Returns the name of the column of a value, such as `glucose` or `sleep duration second`. */
export function columnTitle({ arg }: NonNullable<Condition['value']>): string {
  const column = arg as Readonly<Record<string, string>>
  const series = column.merged ?? column.timeseries
  const words =
    series === undefined
      ? Object.entries(column).flat()
      : [series, column.field === 'value' ? '' : (column.field ?? '')]
  return words.join(' ').replaceAll('_', ' ').trim()
}

/** Describes a condition in one sentence. */
export function describeCondition(condition: Condition): string {
  const { type, value, comparison = '>=', threshold, unit, change_in: changeIn } = condition
  const shownUnit = changeIn === 'percent' ? '%' : unit === 'count' ? '' : unit
  const number = [threshold, shownUnit].filter((part) => part != null && part !== '').join(' ')
  const of = value === undefined ? '' : `${value.func} of ${columnTitle(value)}`
  switch (type) {
    case 'no_data': {
      const what = condition.resource?.replaceAll('_', ' ') ?? 'data'
      const from = condition.counted_from === 'arrival' ? 'arrived' : 'measured'
      return `No ${what} ${from} for ${lengthOf(condition.for)}`
    }
    case 'trend':
      return `The ${of} changes by ${COMPARED[comparison]} ${number}: the last ${plural(condition.recent_days ?? 1, 'day')} against ${plural(condition.baseline_days ?? 1, 'day')} before`
    case 'goal':
      return `The ${of} of a ${condition.window?.unit ?? 'day'} reaches ${number}`
    default: {
      const lasting = condition.for === undefined ? '' : `, for ${lengthOf(condition.for)}`
      return `The ${of} over ${lengthOf(condition.window)} is ${COMPARED[comparison]} ${number}${lasting}`
    }
  }
}
