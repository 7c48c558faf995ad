import { defineEvent, type EventType } from '@salus/contracts/event-type'
import { Uuid } from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'
import { HistoricalPullCompleted, type HistoryEventType } from '../ingest/index.ts'
import { Activity } from './activity/activity.schema.ts'
import { Body } from './body/body.schema.ts'
import { Electrocardiogram } from './electrocardiogram/electrocardiogram.schema.ts'
import { Meal } from './meal/meal.schema.ts'
import { MenstrualCycle } from './menstrual-cycle/menstrual-cycle.schema.ts'
import { Profile } from './profile/profile.schema.ts'
import { Sleep, SleepCycle } from './sleep/sleep.schema.ts'
import { toWorkoutStreamNotice } from './storing/workout-stream-notice.ts'
import { EXAMPLE_CONTEXT, exampleRow } from './summary-examples.ts'
import { presentSummary, toSleepCycle } from './summary-presenters.ts'
import { SUMMARY_RESOURCES, type SummaryResource } from './summary-tables.registry.ts'
import { Workout } from './workout/workout.schema.ts'

/**
 * A stream is too long for an event, which names its route instead
 * (docs/contract/08-webhooks-and-events.md#event-types).
 */
const ShallowWorkoutStream = Type.Object(
  {
    user_id: Uuid,
    workout_id: Uuid,
    provider_id: Type.String({ description: 'Id of the workout at the provider.' }),
    message: Type.String({ description: 'Message that names the route of the stream.' }),
    source: Workout.properties.source,
    sport: Workout.properties.sport,
  },
  { title: 'ShallowWorkoutStream' },
)

/** Resources that events about summaries name. */
export type PublishedResource = SummaryResource | 'sleep_cycle' | 'workout_stream'

interface SummaryEvents {
  created: EventType
  updated: EventType
  historical: HistoryEventType
}

/** Noun for a resource in the middle of a sentence. */
const NAMES: Record<PublishedResource, string> = {
  activity: 'day of activity',
  sleep: 'sleep',
  sleep_cycle: 'sleep cycle',
  workouts: 'workout',
  body: 'body measurement',
  meal: 'meal',
  menstrual_cycle: 'menstrual cycle',
  profile: 'profile',
  electrocardiogram: 'recording of an electrocardiogram',
  workout_stream: 'workout stream',
}

const SCHEMAS: Record<PublishedResource, TSchema> = {
  activity: Activity,
  sleep: Sleep,
  sleep_cycle: SleepCycle,
  workouts: Workout,
  body: Body,
  meal: Meal,
  menstrual_cycle: MenstrualCycle,
  profile: Profile,
  electrocardiogram: Electrocardiogram,
  workout_stream: ShallowWorkoutStream,
}

function exampleOf(resource: PublishedResource): object {
  if (resource === 'workout_stream')
    return toWorkoutStreamNotice(exampleRow('workouts'), EXAMPLE_CONTEXT)
  if (resource !== 'sleep_cycle') {
    return presentSummary(resource, exampleRow(resource), EXAMPLE_CONTEXT)
  }
  return toSleepCycle(exampleRow('sleep'), EXAMPLE_CONTEXT) ?? {}
}

function defineSummaryEvents(resource: PublishedResource): SummaryEvents {
  const common = { data: SCHEMAS[resource], example: exampleOf(resource), isAboutUser: true }
  const name = NAMES[resource]
  return {
    created: defineEvent({
      ...common,
      name: `daily.data.${resource}.created`,
      meaning: `A new ${name} was stored.`,
    }),
    updated: defineEvent({
      ...common,
      name: `daily.data.${resource}.updated`,
      meaning: `A stored ${name} was replaced by a newer version.`,
    }),
    historical: defineEvent({
      name: `historical.data.${resource}.created`,
      data: HistoricalPullCompleted,
      meaning: `The historical data of ${resource} are stored, as far back as the source has them. Read them from the API.`,
      isAboutUser: true,
      example: {
        user_id: EXAMPLE_CONTEXT.userId,
        start_date: '2026-01-01T00:00:00+00:00',
        end_date: '2026-03-01T00:00:00+00:00',
        provider: 'health_connect',
        is_final: true,
      },
    }),
  }
}

const RESOURCES: readonly PublishedResource[] = [
  ...SUMMARY_RESOURCES,
  'sleep_cycle',
  'workout_stream',
]

const BY_RESOURCE: ReadonlyMap<PublishedResource, SummaryEvents> = new Map(
  RESOURCES.map((resource) => [resource, defineSummaryEvents(resource)]),
)

/** Returns the events of a resource. */
export function summaryEvents(resource: PublishedResource): SummaryEvents {
  return BY_RESOURCE.get(resource) as SummaryEvents
}

/** Returns the subject of recordHistory for a resource. */
export function summaryHistory(resource: PublishedResource) {
  return { resource, historical: summaryEvents(resource).historical }
}

/** Events for complete histories. */
export const SUMMARY_HISTORY_EVENTS: readonly HistoryEventType[] = [...BY_RESOURCE.values()].map(
  ({ historical }) => historical,
)

/** The events that this domain raises. */
export const SUMMARY_EVENTS: readonly EventType[] = [...BY_RESOURCE.values()].flatMap(
  ({ created, updated, historical }) => [created, updated, historical],
)
