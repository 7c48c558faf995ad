import { toActivity } from './activity/activity.presenter.ts'
import { toBody } from './body/body.presenter.ts'
import { toElectrocardiogram } from './electrocardiogram/electrocardiogram.presenter.ts'
import { toMeal } from './meal/meal.presenter.ts'
import { toMenstrualCycle } from './menstrual-cycle/menstrual-cycle.presenter.ts'
import type { PresenterContext } from './presenter-context.ts'
import { toProfile } from './profile/profile.presenter.ts'
import { toSleep } from './sleep/sleep.presenter.ts'
import type { SummaryRow } from './summary.ts'
import type { SummaryResource } from './summary-tables.registry.ts'
import { toWorkout } from './workout/workout.presenter.ts'

export type { PresenterContext } from './presenter-context.ts'
export { toSleepCycle } from './sleep/sleep.presenter.ts'

const PRESENTERS: {
  [R in SummaryResource]: (row: SummaryRow<R>, context: PresenterContext) => object
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

/** Converts a stored summary for answers and events (docs/contract/06-summaries.md). */
export function presentSummary<R extends SummaryResource>(
  resource: R,
  row: SummaryRow<R>,
  context: PresenterContext,
): object {
  return PRESENTERS[resource](row, context)
}
