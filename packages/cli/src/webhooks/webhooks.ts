import { callManagement, type Query } from '../connection/api-client.ts'
import type { Connection } from '../connection/config.ts'

/** A webhook as the server returns it. */
export interface Webhook {
  id: string
  description: string | null
  rate_limit: number | null
  url: string
  disabled: boolean
  disabled_reason: string | null
  filter_types: string[] | null
  created_at: string
}

export const EVENT_STATUSES = [
  'waiting',
  'unsent',
  'pending',
  'delivered',
  'failed',
  'cancelled',
] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** An event without its payload. */
export interface EventSummary {
  id: string
  event_type: string
  user_id: string | null
  created_at: string
  is_dispatched: boolean
  unsent_reason: string | null
  deliveries: {
    webhook_id: string
    status: EventStatus
    attempts: number
    next_attempt_at: string | null
  }[]
}

/** An attempt to deliver an event to a webhook. */
export interface Attempt {
  event_id: string
  event_type: string
  number: number
  timestamp: string
  status: 'succeeded' | 'failed'
  response_status_code: number | null
  error: string | null
  duration_ms: number
}

/** Maximum of `--limit`. */
export const MOST_ROWS = 10_000
/** Maximum of the server. */
const MOST_AT_ONCE = 250

/** Reads rows of a list over as many pages as needed, and whether there are more. */
export async function readRows<Row>(
  connection: Connection,
  path: string,
  query: Query,
  most: number,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(most - rows.length, MOST_AT_ONCE)
    const page: { data: Row[]; next_cursor: string | null } = await callManagement(
      connection,
      'GET',
      path,
      { query: { ...query, limit, next_cursor: cursor ?? undefined } },
    )
    rows.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null && rows.length < most)
  return { rows, hasMore: cursor !== null }
}

/** Returns the path of a webhook below that of its environment. */
export function pathOfWebhook(environment: { path: string }, webhookId: string): string {
  return `${environment.path}/webhook/${encodeURIComponent(webhookId)}`
}

/** Describes the deliveries of an event in a few words. */
export function describeOutcome({
  deliveries,
  is_dispatched,
  unsent_reason,
}: EventSummary): string {
  if (!is_dispatched) return 'waiting'
  if (deliveries.length === 0) return unsent_reason === null ? '–' : `not sent: ${unsent_reason}`
  const counts = Map.groupBy(deliveries, ({ status }) => status)
  const parts = [...counts].map(([status, { length }]) =>
    deliveries.length === 1 ? status : `${length} ${status}`,
  )
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  return `${parts.join(', ')} (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'})`
}
