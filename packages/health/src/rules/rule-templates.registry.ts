import type { TableColumn } from '../queries/index.ts'
import type { Comparison, Condition, RuleFunction, RuleTemplate } from './rules.schema.ts'

const merged = (series: string): TableColumn => ({ merged: series, field: 'value' })
const value = (func: RuleFunction, arg: TableColumn) => ({ func, arg })
const minutes = (number: number) => ({ value: number, unit: 'minute' as const })
const hours = (number: number) => ({ value: number, unit: 'hour' as const })
const days = (number: number) => ({ value: number, unit: 'day' as const })

function reading(
  arg: TableColumn,
  func: RuleFunction,
  window: Condition['window'],
  comparison: Comparison,
  threshold: number,
  unit?: string,
): Condition {
  const condition = { type: 'threshold', value: value(func, arg), window, comparison, threshold }
  return { ...condition, ...(unit !== undefined && { unit }) } as Condition
}

const BATTELINO =
  'Battelino et al., Clinical targets for continuous glucose monitoring data interpretation, Diabetes Care 42 (2019)'
const ESC =
  'McDonagh et al., ESC guidelines for acute and chronic heart failure, European Heart Journal 42 (2021)'
const ACC_AHA =
  'Whelton et al., ACC/AHA guideline for high blood pressure in adults, Hypertension 71 (2018)'
const OWN = 'No guideline: a number to begin with, which the team adapts.'

/**
 * Rules to begin with (docs/contract/24-rules.md#templates). None of them is a medical device, and
 * each team answers for the numbers that it uses.
 */
export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  {
    slug: 'glucose-high',
    name: 'Glucose above 180 mg/dL for 2 hours',
    meaning: 'The mean of each quarter of an hour is above 180 mg/dL for two hours.',
    source: `${BATTELINO}: above 180 mg/dL is above the target range. The two hours are no part of it.`,
    condition: {
      ...reading(merged('glucose'), 'mean', minutes(15), '>', 180, 'mg/dL'),
      for: hours(2),
    },
    cool_down_minutes: 240,
  },
  {
    slug: 'glucose-low',
    name: 'Glucose below 70 mg/dL',
    meaning: 'A reading is below 70 mg/dL.',
    source: `${BATTELINO}: below 70 mg/dL is below the target range (level 1).`,
    condition: reading(merged('glucose'), 'min', minutes(5), '<', 70, 'mg/dL'),
    cool_down_minutes: 30,
  },
  {
    slug: 'glucose-very-low',
    name: 'Glucose below 54 mg/dL',
    meaning: 'A reading is below 54 mg/dL.',
    source: `${BATTELINO}: below 54 mg/dL (level 2) asks for immediate action.`,
    condition: reading(merged('glucose'), 'min', minutes(5), '<', 54, 'mg/dL'),
    cool_down_minutes: 15,
  },
  {
    slug: 'oxygen-low',
    name: 'Oxygen saturation below 90 %',
    meaning: 'The mean of five minutes is below 90 %.',
    source:
      'O’Driscoll et al., BTS guideline for oxygen use in adults, Thorax 72 (2017): the target for most adults is 94–98 %, and 88–92 % for those at risk of hypercapnia. 90 % is between them.',
    condition: reading(merged('blood_oxygen'), 'mean', minutes(5), '<', 90),
    cool_down_minutes: 60,
  },
  {
    slug: 'blood-pressure-crisis',
    name: 'Systolic blood pressure above 180 mmHg',
    meaning: 'A reading is above 180 mmHg.',
    source: `${ACC_AHA}: above 180 mmHg systolic is a hypertensive crisis, to be measured again.`,
    condition: reading(
      { timeseries: 'blood_pressure', field: 'systolic' },
      'max',
      minutes(15),
      '>',
      180,
    ),
    cool_down_minutes: 60,
  },
  {
    slug: 'weight-gain',
    name: 'Weight gain of more than 2 kg in 3 days',
    meaning: 'The newest weight of a day is more than 2 kg above that of the three days before.',
    source: `${ESC}: a sudden gain of more than 2 kg in 3 days is a reason to be seen.`,
    condition: {
      type: 'trend',
      value: value('newest', merged('weight')),
      recent_days: 1,
      baseline_days: 3,
      comparison: '>',
      threshold: 2,
      unit: 'kg',
      minimum_readings: 1,
    },
    cool_down_minutes: 4320,
  },
  {
    slug: 'resting-heart-rate-up',
    name: 'Resting heart rate up by 10 % over 2 weeks',
    meaning: 'The mean of the last 7 days is at least 10 % above that of the 14 days before.',
    source: OWN,
    condition: {
      type: 'trend',
      value: value('mean', { activity: 'heart_rate_resting' }),
      recent_days: 7,
      baseline_days: 14,
      comparison: '>=',
      threshold: 10,
      change_in: 'percent',
      minimum_readings: 4,
    },
    cool_down_minutes: 10_080,
  },
  {
    slug: 'sleep-short',
    name: 'Less than 6 hours of sleep for 3 nights',
    meaning: 'The sleep of a day is shorter than 6 hours, three days in a row.',
    source:
      'Watson et al., Recommended amount of sleep for a healthy adult, Sleep 38 (2015): 7 hours or more; 6 hours or less are inadequate.',
    condition: {
      ...reading({ sleep: 'duration_second' }, 'sum', days(1), '<', 21_600),
      for: days(3),
    },
    cool_down_minutes: 10_080,
  },
  {
    slug: 'no-data',
    name: 'No data for 3 days',
    meaning: 'Nothing arrived for 3 days.',
    source: OWN,
    condition: { type: 'no_data', for: days(3), resource: null, counted_from: 'arrival' },
    cool_down_minutes: 0,
  },
  {
    slug: 'steps-goal',
    name: '8,000 steps a day',
    meaning: 'The steps of a local day reach 8,000.',
    source:
      'Paluch et al., Daily steps and all-cause mortality, Lancet Public Health 7 (2022): the risk falls until 8,000 to 10,000 steps a day below the age of 60, and 6,000 to 8,000 from 60 on.',
    condition: {
      type: 'goal',
      value: value('sum', merged('steps')),
      window: days(1),
      threshold: 8000,
    },
    cool_down_minutes: 0,
  },
]
