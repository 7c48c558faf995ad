import type { SummaryRow } from '../summary.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { toActivity } from './activity-object.ts'
import { toBody } from './body-object.ts'
import { toElectrocardiogram } from './electrocardiogram-object.ts'
import { toMeal } from './meal-object.ts'
import { toMenstrualCycle } from './menstrual-cycle-object.ts'
import type { ObjectContext } from './object-context.ts'
import { toProfile } from './profile-object.ts'
import { toSleepCycle } from './sleep-cycle-object.ts'
import { toSleep } from './sleep-object.ts'
import { toWorkout } from './workout-object.ts'

export type { ObjectContext } from './object-context.ts'

const BUILDERS: {
  [R in SummaryResource]: (row: SummaryRow<R>, context: ObjectContext) => object
} = {
  activity: toActivity,
  sleep: toSleep,
  workouts: toWorkout,
  body: toBody,
  meal: toMeal,
  menstrual_cycle: toMenstrualCycle,
  profile: toProfile,
  electrocardiogram: toElectrocardiogram,
}

/** A stored summary as the object of its resource that answers and events show (contract 06). */
export function toSummaryObject<R extends SummaryResource>(
  resource: R,
  row: SummaryRow<R>,
  context: ObjectContext,
): object {
  return BUILDERS[resource](row, context)
}

/** The sleep cycle of a sleep (contract 06, section 5), or null when the sleep has no stages. */
export function toSleepCycleObject(
  row: SummaryRow<'sleep'>,
  context: ObjectContext,
): object | null {
  return toSleepCycle(row, context)
}
