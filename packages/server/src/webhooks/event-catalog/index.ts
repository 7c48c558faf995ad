import { CONNECTION_EVENTS } from '../../health/connections/index.ts'
import { CONTINUOUS_QUERY_EVENTS } from '../../health/continuous-queries/index.ts'
import { INGEST_EVENTS } from '../../health/ingest/index.ts'
import { MOBILE_EVENTS } from '../../health/mobile/index.ts'
import { SUMMARY_EVENTS } from '../../health/summaries/index.ts'
import { APPOINTMENT_EVENTS } from '../../lab/appointments/index.ts'
import { ORDER_EVENTS } from '../../lab/orders/index.ts'
import { LAB_REPORT_EVENTS } from '../../lab/reports/index.ts'
import { RESULT_EVENTS } from '../../lab/results/index.ts'
import type { EventType } from '../../platform/events/event-type.ts'
import { WEBHOOK_EVENTS } from '../index.ts'

/** Every event that this version raises: the one table of names, payloads and meanings. */
export const EVENT_CATALOG: readonly EventType[] = [
  ...(CONNECTION_EVENTS as unknown as EventType[]),
  ...(MOBILE_EVENTS as unknown as EventType[]),
  ...INGEST_EVENTS,
  ...SUMMARY_EVENTS,
  ...(CONTINUOUS_QUERY_EVENTS as unknown as EventType[]),
  ...(ORDER_EVENTS as unknown as EventType[]),
  ...(APPOINTMENT_EVENTS as unknown as EventType[]),
  ...(RESULT_EVENTS as unknown as EventType[]),
  ...(LAB_REPORT_EVENTS as unknown as EventType[]),
  ...(WEBHOOK_EVENTS as unknown as EventType[]),
]
