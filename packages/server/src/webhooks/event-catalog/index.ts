import type { EventType } from '@salus/contracts/event-type'
import { CONNECTION_EVENTS } from '@salus/health/connections'
import { CONTINUOUS_QUERY_EVENTS } from '@salus/health/continuous-queries'
import { INGEST_EVENTS } from '@salus/health/ingest'
import { MOBILE_EVENTS } from '@salus/health/mobile'
import { SUMMARY_EVENTS } from '@salus/health/summaries'
import { APPOINTMENT_EVENTS } from '@salus/lab/appointments'
import { ORDER_EVENTS } from '@salus/lab/orders'
import { LAB_REPORT_EVENTS } from '@salus/lab/reports'
import { RESULT_EVENTS } from '@salus/lab/results'
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
