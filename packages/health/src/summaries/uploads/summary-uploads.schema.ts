import type { Static, TSchema } from 'typebox'
import { lenientList, uploadSchema } from '../../ingest/index.ts'
import { ActivityUpload } from '../activity/activity.schema.ts'
import { BodyUpload } from '../body/body.schema.ts'
import { ElectrocardiogramUpload } from '../electrocardiogram/electrocardiogram.schema.ts'
import { MealUpload } from '../meal/meal.schema.ts'
import { MenstrualCycleUpload } from '../menstrual-cycle/menstrual-cycle.schema.ts'
import { ProfileUpload } from '../profile/profile.schema.ts'
import { SleepUpload } from '../sleep/sleep.schema.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { WorkoutUpload } from '../workout/workout.schema.ts'

interface UploadDocument {
  operationId: string
  summary: string
  description: string
  body: ReturnType<typeof uploadSchema<TSchema>>
}

function listUpload(
  operationId: string,
  what: string,
  title: string,
  item: TSchema,
  description: string,
) {
  const body = uploadSchema(lenientList(item) as TSchema, title)
  return { operationId, summary: `Upload ${what}`, description, body }
}

/** Summary, description and body of each upload. */
export const SUMMARY_UPLOADS: Readonly<Record<SummaryResource, UploadDocument>> = {
  activity: listUpload(
    'uploadActivities',
    'days of activity',
    'ActivityUpload',
    ActivityUpload,
    'Stores the sums of days, and their samples as series.',
  ),
  sleep: listUpload(
    'uploadSleeps',
    'sleeps',
    'SleepUpload',
    SleepUpload,
    'Stores sleeps with their stages and samples.',
  ),
  workouts: listUpload(
    'uploadWorkouts',
    'workouts',
    'WorkoutUpload',
    WorkoutUpload,
    'Stores workouts with their streams and samples.',
  ),
  body: {
    operationId: 'uploadBodyMeasurements',
    summary: 'Upload body measurements',
    description: 'Stores each measurement as a sample, and a summary for each source and minute.',
    body: uploadSchema(BodyUpload as TSchema, 'BodyUpload'),
  },
  meal: listUpload(
    'uploadMeals',
    'meals',
    'MealUpload',
    MealUpload,
    'Stores meals from samples of HealthKit or records of Health Connect.',
  ),
  menstrual_cycle: listUpload(
    'uploadMenstrualCycles',
    'menstrual cycles',
    'MenstrualCycleUpload',
    MenstrualCycleUpload,
    'Stores menstrual cycles. The first day identifies a cycle.',
  ),
  profile: {
    operationId: 'uploadProfile',
    summary: 'Upload a profile',
    description:
      'Stores the profile of a source. Each source has one profile; omitted fields are unknown.',
    body: uploadSchema(ProfileUpload as TSchema, 'ProfileUpload'),
  },
  electrocardiogram: listUpload(
    'uploadElectrocardiograms',
    'electrocardiograms',
    'ElectrocardiogramUpload',
    ElectrocardiogramUpload,
    'Stores electrocardiograms with their voltages.',
  ),
}

/** An upload's envelope with its unchecked items. */
export type SummaryUploadBody = Static<UploadDocument['body']>
