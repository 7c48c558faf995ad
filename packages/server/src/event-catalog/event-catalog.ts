import { CONNECTION_EVENTS } from '../connections/index.ts'
import { INGEST_EVENTS } from '../ingest/index.ts'
import { ORDER_EVENTS } from '../orders/index.ts'
import type { EventType } from '../platform/events/event-type.ts'
import { RESULT_EVENTS } from '../results/index.ts'
import { WEBHOOK_EVENTS } from '../webhooks/index.ts'

/** Every event that this version raises: the one table of names, payloads and meanings. */
export const EVENT_CATALOG: readonly EventType[] = [
  ...(CONNECTION_EVENTS as unknown as EventType[]),
  ...INGEST_EVENTS,
  ...(ORDER_EVENTS as unknown as EventType[]),
  ...(RESULT_EVENTS as unknown as EventType[]),
  ...(WEBHOOK_EVENTS as unknown as EventType[]),
]

const SUMMARIES = [
  'activity',
  'sleep',
  'sleep_cycle',
  'workouts',
  'body',
  'profile',
  'meal',
  'menstrual_cycle',
  'electrocardiogram',
  'workout_stream',
]

/**
 * Names of contract 08 that parts of Salus to come will raise. Filters take them already, so that an
 * endpoint need not be changed then.
 */
export const RESERVED_EVENT_TYPES: readonly string[] = [
  'provider.connection.error',
  ...SUMMARIES.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
  'continuous_query.result_table.changed',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'lab_report.parsing_job.created',
  'lab_report.parsing_job.updated',
]
