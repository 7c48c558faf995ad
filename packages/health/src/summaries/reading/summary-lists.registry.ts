import type { TSchema } from 'typebox'
import { Activity } from '../activity/activity.schema.ts'
import { Body } from '../body/body.schema.ts'
import { Electrocardiogram } from '../electrocardiogram/electrocardiogram.schema.ts'
import { Meal } from '../meal/meal.schema.ts'
import { MenstrualCycle } from '../menstrual-cycle/menstrual-cycle.schema.ts'
import { Sleep, SleepCycle } from '../sleep/sleep.schema.ts'
import { Workout } from '../workout/workout.schema.ts'
import type { RawResource } from './raw-summary.presenter.ts'
import { RawActivity, RawBody, RawSleep, RawWorkout } from './raw-summary.schema.ts'
import type { DatedResource } from './summary-dates.ts'

/** A resource whose summaries are read by date. */
interface SummaryList {
  operationId: string
  resource: DatedResource
  /** Key of the list in the answer. */
  key: string
  item: TSchema
  summary: string
  description: string
}

/** A resource whose raw items are read. */
interface RawList {
  operationId: string
  resource: RawResource
  /** Plural noun for the items, in the middle of a sentence. */
  what: string
  item: TSchema
}

const BY_START = 'A date is compared with the calendar date, a date-time with the start.'
const DATES_ONLY = 'A date-time is truncated to its date.'

/** Reads of summaries by date; a row is a route. */
export const LISTS: readonly SummaryList[] = [
  {
    operationId: 'listActivities',
    resource: 'activity',
    key: 'activity',
    item: Activity,
    summary: 'List days of activity',
    description: `Returns days of activity by calendar date. ${DATES_ONLY}`,
  },
  {
    operationId: 'listBodyMeasurements',
    resource: 'body',
    key: 'body',
    item: Body,
    summary: 'List body measurements',
    description: `Returns body measurements in a time range. ${BY_START}`,
  },
  {
    operationId: 'listSleeps',
    resource: 'sleep',
    key: 'sleep',
    item: Sleep,
    summary: 'List sleeps',
    description:
      'Returns sleeps in a time range. A date is compared with `calendar_date`, a date-time with `bedtime_stop`.',
  },
  {
    operationId: 'listSleepCycles',
    resource: 'sleep_cycle',
    key: 'sleep_cycle',
    item: SleepCycle,
    summary: 'List sleep cycles',
    description: `Returns the stages of sleeps whose local day of the end is in the range. ${DATES_ONLY}`,
  },
  {
    operationId: 'listWorkouts',
    resource: 'workouts',
    key: 'workouts',
    item: Workout,
    summary: 'List workouts',
    description: `Returns workouts in a time range. ${BY_START}`,
  },
  {
    operationId: 'listMeals',
    resource: 'meal',
    key: 'meals',
    item: Meal,
    summary: 'List meals',
    description: `Returns meals in a time range. ${BY_START}`,
  },
  {
    operationId: 'listMenstrualCycles',
    resource: 'menstrual_cycle',
    key: 'menstrual_cycle',
    item: MenstrualCycle,
    summary: 'List menstrual cycles',
    description: `Returns menstrual cycles that overlap the range. ${DATES_ONLY}`,
  },
  {
    operationId: 'listElectrocardiograms',
    resource: 'electrocardiogram',
    key: 'electrocardiogram',
    item: Electrocardiogram,
    summary: 'List electrocardiograms',
    description: `Returns electrocardiograms whose local day of the start is in the range. ${DATES_ONLY}`,
  },
]

/** Reads of raw items; a row is a route. */
export const RAW_LISTS: readonly RawList[] = [
  {
    operationId: 'listRawActivities',
    resource: 'activity',
    what: 'days of activity',
    item: RawActivity,
  },
  {
    operationId: 'listRawBodyMeasurements',
    resource: 'body',
    what: 'body measurements',
    item: RawBody,
  },
  { operationId: 'listRawSleeps', resource: 'sleep', what: 'sleeps', item: RawSleep },
  { operationId: 'listRawWorkouts', resource: 'workouts', what: 'workouts', item: RawWorkout },
]
