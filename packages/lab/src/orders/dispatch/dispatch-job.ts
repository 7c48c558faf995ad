import { defineJob } from '@salus/kernel/jobs/jobs'

export interface OrderJob {
  environmentId: string
  orderId: string
}

/** An order as the laboratory knows it; whatever became of ours, this is what it is told. */
export interface CancelJob extends OrderJob {
  labSlug: string
  sampleId: string | null
}

/**
 * The job that hands an order over. graphile-worker waits e^attempt seconds after each failure, so
 * twelve attempts fill about 24 hours (docs/contract/11-orders.md#dispatch-and-scheduling).
 */
export const DISPATCH_ORDER = defineJob<OrderJob>('dispatch_order', { maxAttempts: 12 })

/** The one job of an order that the schedule adds. */
export const dispatchKey = (orderId: string): string => `dispatch:${orderId}`

/** The job that tells the laboratory that an order was cancelled. */
export const CANCEL_AT_LAB = defineJob<CancelJob>('cancel_order_at_lab', { maxAttempts: 12 })
