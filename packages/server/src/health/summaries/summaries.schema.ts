export { Activity } from './schema/activity.schema.ts'
export { Body } from './schema/body.schema.ts'
export {
  ECG_CAUSES,
  ECG_CLASSIFICATIONS,
  Electrocardiogram,
} from './schema/electrocardiogram.schema.ts'
export { Food, Meal } from './schema/meal.schema.ts'
export { MenstrualCycle } from './schema/menstrual-cycle.schema.ts'
export { GENDERS, Profile, SEXES } from './schema/profile.schema.ts'
export { SLEEP_STATES, SLEEP_TYPES, Sleep } from './schema/sleep.schema.ts'
export { SleepCycle } from './schema/sleep-cycle.schema.ts'
export { SportReference, Workout } from './schema/workout.schema.ts'
