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

/** A resource whose items are read as providers sent them. */
interface RawList {
  operationId: string
  resource: RawResource
  /** What the items are, as a sentence begins. */
  what: string
  item: TSchema
}

const BY_DAY = 'Found by calendar date; a date-time is cut to its date.'
const BY_START = 'A date is compared with the calendar date, a date-time with the start.'
const DATES_ONLY = 'Dates only; a date-time is cut to its date.'

/** Reads of summaries by date; a row is a route. */
export const LISTS: readonly SummaryList[] = [
  {
    operationId: 'listActivities',
    resource: 'activity',
    key: 'activity',
    item: Activity,
    summary: 'Read days of activity',
    description: BY_DAY,
  },
  {
    operationId: 'listBodyMeasurements',
    resource: 'body',
    key: 'body',
    item: Body,
    summary: 'Read body measurements',
    description: BY_START,
  },
  {
    operationId: 'listSleeps',
    resource: 'sleep',
    key: 'sleep',
    item: Sleep,
    summary: 'Read sleeps',
    description: 'A date is compared with the calendar date, a date-time with bedtime_stop.',
  },
  {
    operationId: 'listSleepCycles',
    resource: 'sleep_cycle',
    key: 'sleep_cycle',
    item: SleepCycle,
    summary: 'Read the stages of sleeps',
    description: `Found by the local day of the end. ${DATES_ONLY}`,
  },
  {
    operationId: 'listWorkouts',
    resource: 'workouts',
    key: 'workouts',
    item: Workout,
    summary: 'Read workouts',
    description: BY_START,
  },
  {
    operationId: 'listMeals',
    resource: 'meal',
    key: 'meals',
    item: Meal,
    summary: 'Read meals',
    description: BY_START,
  },
  {
    operationId: 'listMenstrualCycles',
    resource: 'menstrual_cycle',
    key: 'menstrual_cycle',
    item: MenstrualCycle,
    summary: 'Read menstrual cycles',
    description: `Found when they overlap the range. ${DATES_ONLY}`,
  },
  {
    operationId: 'listElectrocardiograms',
    resource: 'electrocardiogram',
    key: 'electrocardiogram',
    item: Electrocardiogram,
    summary: 'Read electrocardiograms',
    description: `Found by the local day of the start. ${DATES_ONLY}`,
  },
]

/** Reads of the items that summaries were made of; a row is a route. */
export const RAW_LISTS: readonly RawList[] = [
  {
    operationId: 'listRawActivities',
    resource: 'activity',
    what: 'Days of activity',
    item: RawActivity,
  },
  {
    operationId: 'listRawBodyMeasurements',
    resource: 'body',
    what: 'Body measurements',
    item: RawBody,
  },
  { operationId: 'listRawSleeps', resource: 'sleep', what: 'Sleeps', item: RawSleep },
  { operationId: 'listRawWorkouts', resource: 'workouts', what: 'Workouts', item: RawWorkout },
]
