import { defineJob } from '@salus/kernel/jobs/jobs'

export interface OrderJob {
  environmentId: string
  orderId: string
}

/** An order to cancel at the laboratory, independent of what happened to it here. */
export interface CancelJob extends OrderJob {
  labSlug: string
  sampleId: string | null
}

/**
 * The job that dispatches an order. graphile-worker waits e^attempt seconds after each failure, so
 * twelve attempts take about 24 hours (docs/contract/11-orders.md#dispatch-and-scheduling).
 */
export const DISPATCH_ORDER = defineJob<OrderJob>('dispatch_order', { maxAttempts: 12 })

/** Job key of an order that the schedule dispatches; it allows one job per order. */
export const dispatchKey = (orderId: string): string => `dispatch:${orderId}`

/**
 * The job that matches held results of an order again, after its laboratory accepted it: a result
 * may come before the acceptance is recorded, as when an acknowledgement was lost.
 */
export const REMATCH_RESULTS = defineJob<OrderJob>('rematch_results')

/** The job that cancels an order at the laboratory. */
export const CANCEL_AT_LAB = defineJob<CancelJob>('cancel_order_at_lab', { maxAttempts: 12 })
