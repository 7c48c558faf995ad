import { TASK_EVENTS } from '@salus/accounts/tasks'
import type { EventType } from '@salus/contracts/event-type'
import { CONNECTION_EVENTS } from '@salus/health/connections'
import { CONTINUOUS_QUERY_EVENTS } from '@salus/health/continuous-queries'
import { INGEST_EVENTS } from '@salus/health/ingest'
import { MOBILE_EVENTS } from '@salus/health/mobile'
import { RULE_EVENTS } from '@salus/health/rules'
import { SUMMARY_EVENTS } from '@salus/health/summaries'
import { APPOINTMENT_EVENTS } from '@salus/lab/appointments'
import { LAB_CONNECTION_EVENTS } from '@salus/lab/connections'
import { ORDER_EVENTS } from '@salus/lab/orders'
import { LAB_REPORT_EVENTS } from '@salus/lab/reports'
import { RESULT_EVENTS } from '@salus/lab/results'
import { WEBHOOK_EVENTS } from '../index.ts'

/** Every event that this version emits: the one table of names, payloads and meanings. */
export const EVENT_CATALOG: readonly EventType[] = [
  ...TASK_EVENTS,
  ...CONNECTION_EVENTS,
  ...MOBILE_EVENTS,
  ...INGEST_EVENTS,
  ...SUMMARY_EVENTS,
  ...CONTINUOUS_QUERY_EVENTS,
  ...RULE_EVENTS,
  ...ORDER_EVENTS,
  ...APPOINTMENT_EVENTS,
  ...RESULT_EVENTS,
  ...LAB_REPORT_EVENTS,
  ...LAB_CONNECTION_EVENTS,
  ...WEBHOOK_EVENTS,
]
