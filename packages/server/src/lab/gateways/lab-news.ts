import type { LabReport } from './lab-report.ts'

/** Which order news are about: by our own id where the sender was told it, else by its number. */
export interface OrderReference {
  orderId?: string
  /** The laboratory's requisition or control number, or the number on the kit. */
  sampleId?: string
  labSlug: string
}

/** What couriers say of a parcel. */
export const SCANS = [
  'in_transit',
  'out_for_delivery',
  'delivered',
  'exception',
  'not_deliverable',
  'lost',
] as const
export type Scan = (typeof SCANS)[number]

/** Slugs of couriers (contract 11, Shipment). */
export const COURIERS = ['usps', 'ups', 'fedex', 'dhl', 'other'] as const
export type Courier = (typeof COURIERS)[number]

interface About {
  order: OrderReference
  /** When it happened; when it was received, where the sender does not say. */
  at?: Date
}

/** Why a sample was no good, or why a laboratory waits (contract 12, status_detail). */
export const STATUS_DETAILS = [
  'fulfillment_error',
  'date_of_collection_unspecified',
  'demographic_information_unspecified',
  'demographic_information_mismatch',
  'sample_quantity_not_sufficient',
  'sample_contaminated',
  'sample_stability_exceeded',
  'sample_hemolyzed',
  'sample_improper_collection',
] as const
export type StatusDetail = (typeof STATUS_DETAILS)[number]

/** What laboratories, couriers, kit vendors and phlebotomists tell of an order. */
export type LabNews =
  | (About & { kind: 'requisition_accepted'; sampleId: string | null })
  | (About & { kind: 'kit_dispatched'; sampleId: string })
  | (About & { kind: 'fulfillment_failed' })
  | (About & {
      kind: 'scan'
      direction: 'outbound' | 'inbound'
      scan: Scan
      courier: Courier
      trackingNumber: string
      trackingUrl: string | null
    })
  | (About & { kind: 'sample_received' })
  | (About & { kind: 'processing_blocked'; detail: StatusDetail | null })
  | (About & { kind: 'processing_resumed' })
  | (About & { kind: 'sample_error'; detail: StatusDetail | null })
  | (About & { kind: 'sample_lost' })
  | (About & { kind: 'do_not_process' })
  | (About & { kind: 'appointment_pending' })
  | (About & { kind: 'appointment_scheduled' })
  | (About & { kind: 'appointment_cancelled' })
  | (About & { kind: 'draw_completed' })
  | (About & { kind: 'report'; report: LabReport })
export type LabNewsKind = LabNews['kind']
