import type { components } from '../../api/openapi.generated.d.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type Task = components['schemas']['Task']

/** Names of the kinds of tasks, and what to do about them, the most urgent first. */
export const TASK_KIND: Readonly<Record<Task['kind'], { title: string; work: string }>> = {
  critical_result: {
    title: 'Critical result',
    work: 'Acknowledge the result, and act on it.',
  },
  patient_mismatch: {
    title: 'Patient does not match',
    work: 'The result or report names another patient than its order or user. Decide whose it is.',
  },
  unmatched_result: {
    title: 'Unmatched result',
    work: 'No order matches the result with certainty. Attach it to an order, or reject it.',
  },
  stuck_order: {
    title: 'Stuck order',
    work: 'The order could not be sent or cancelled at its laboratory, or has had no update for 14 days.',
  },
  lab_connection: {
    title: 'Laboratory connection',
    work: 'The connection to a laboratory has an alert.',
  },
  rule: {
    title: 'Rule',
    work: 'The condition of a rule holds for the person. Look at the values, and act on them.',
  },
  lab_report_review: {
    title: 'Report to review',
    work: 'Compare the report with what was read in it.',
  },
  provider_connection: {
    title: 'Broken connection',
    work: 'The user has to connect the provider again.',
  },
  erasure_request: {
    title: 'Erasure requested',
    work: 'The person asked for the erasure of their data. Erase them, or cancel the task with the reason.',
  },
}

/** Kinds that a person may end although the reason lasts. */
export const ENDED_BY_PERSON: readonly Task['kind'][] = [
  'stuck_order',
  'lab_connection',
  'rule',
  'provider_connection',
  'erasure_request',
]

export const TASK_STATUS: Readonly<Record<Task['status'], { label: string; tone: Tone }>> = {
  requested: { label: 'New', tone: 'info' },
  received: { label: 'Seen', tone: 'info' },
  accepted: { label: 'Acknowledged', tone: 'warning' },
  completed: { label: 'Completed', tone: 'good' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const isOpen = ({ status }: Task): boolean =>
  status !== 'completed' && status !== 'cancelled'
