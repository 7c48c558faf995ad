import type { LabNews, Scan, StatusDetail } from '../../gateways/index.ts'
import type { LowLevelStatus } from '../../lifecycle/index.ts'

/** News that do something to an order by themselves; reports go through the results. */
export type StatusNews = Exclude<LabNews, { kind: 'report' }>

/** Where scans of the way out lead (contract 12, testkit). */
const OUTBOUND: Record<Scan, LowLevelStatus> = {
  in_transit: 'transit_customer',
  out_for_delivery: 'out_for_delivery',
  delivered: 'with_customer',
  exception: 'problem_in_transit_customer',
  not_deliverable: 'failure_to_deliver_to_customer',
  lost: 'lost',
}

/** Scans of the way back; that the laboratory has the sample is for the laboratory to say. */
const INBOUND: Partial<Record<Scan, LowLevelStatus>> = {
  in_transit: 'transit_lab',
  exception: 'problem_in_transit_lab',
  not_deliverable: 'failure_to_deliver_to_lab',
  lost: 'lost',
}

/** Where the last scan of the way back leads, as a shipment keeps it. */
export const statusOfReturn = (scan: string): LowLevelStatus | undefined => INBOUND[scan as Scan]

/** What an order would become by news: the first of the statuses that it may take. */
export interface Consequence {
  candidates: readonly LowLevelStatus[]
  detail: StatusDetail | null
}

const becomes = (...candidates: LowLevelStatus[]): Consequence => ({ candidates, detail: null })

/** The statuses that news can lead to; none for news that only tell of the shipment. */
export function consequenceOf(news: StatusNews): Consequence {
  switch (news.kind) {
    case 'requisition_accepted':
      return becomes('requisition_created')
    case 'kit_dispatched':
      return becomes()
    case 'fulfillment_failed':
      return {
        candidates: ['cancelled', 'failure_to_deliver_to_customer'],
        detail: 'fulfillment_error',
      }
    case 'scan': {
      const to = news.direction === 'outbound' ? OUTBOUND[news.scan] : INBOUND[news.scan]
      return to === undefined ? becomes() : becomes(to)
    }
    case 'sample_received':
    case 'processing_resumed':
      return becomes('delivered_to_lab')
    case 'processing_blocked':
      return { candidates: ['lab_processing_blocked'], detail: news.detail }
    case 'sample_error':
      return { candidates: ['sample_error'], detail: news.detail }
    case 'sample_lost':
      return becomes('lost')
    default:
      return becomes(news.kind)
  }
}
