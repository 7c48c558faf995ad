import type { CauseBy, LowLevelStatus, StatusDetail } from '../order-lifecycle/index.ts'
import type { LabGateway, Receipt } from './lab-gateway.ts'
import type { FailureType, Interpretation, LabReport, ResultType } from './lab-report.schema.ts'
import type { OrderUpdate } from './order-update.schema.ts'
import type { Requisition } from './requisition.ts'

/** The report that a simulation requests. */
export interface ReportWish {
  requisition: Requisition
  /** `corrected` changes something of `previous`. */
  status: LabReport['status']
  /**
   * Interpretation of the first result. The other results are inside their intervals unless they
   * are computed from the same values. `unknown` leaves out ranges and flags.
   */
  interpretation: Interpretation
  /** Null chooses the type by analyte, and includes all of numeric, comment and range. */
  resultTypes: readonly ResultType[] | null
  /** Moves a third of the results, at least one, to `missing_results`. */
  hasMissingResults: boolean
  /** Reason for the missing results; too little sample by default. */
  missingKind?: FailureType | null
  collectedAt: Date
  reportedAt: Date
  /**
   * The report before this one, if any. A second partial report has more results than the first.
   */
  previous?: LabReport | undefined
  labName: string
  accountId?: string
}

/** The active appointment of an order, as its provider knows it. */
export interface KnownAppointment {
  id: string
  /** IANA */
  timeZone: string
  /** Start; null until it is known. */
  startAt: Date | null
  /** Whether the provider has confirmed it. A second confirmation sets another time. */
  isConfirmed: boolean
}

/** An occurrence on the other side of an order that a simulation causes. */
export interface Happening {
  environmentId: string
  /** Idempotency key: the same id has an effect once. */
  id: string
  cause: CauseBy<'update' | 'result'> | 'appointment_in_progress'
  /** Null where the order has none. */
  appointment: KnownAppointment | null
  detail: StatusDetail | null
  at: Date
  requisition: Requisition
  /** The report, for causes that are results. */
  report: Omit<ReportWish, 'requisition' | 'status' | 'reportedAt'>
  /** Whether the laboratory knows another sample by the number. */
  isSampleIdTaken: (sampleId: string) => Promise<boolean>
}

/** A simulated gateway whose occurrences can be chosen. */
export interface LabSimulator extends LabGateway {
  /** Simulates an occurrence. Its message is delivered like any other. */
  simulate(happening: Happening): Promise<Receipt>
  /** Delivers a message with updates; the same `id` identifies the same message. */
  send(message: {
    environmentId: string
    id: string
    at: Date
    updates: readonly OrderUpdate[]
  }): Promise<Receipt>
  /** Usual duration of a transition in whole seconds; the same for the same seed. */
  delaySeconds(transition: { from: LowLevelStatus; to: LowLevelStatus }, seed: string): number
  /** Makes a report as a laboratory sends it; the same wish gives the same report. */
  makeReport(wish: ReportWish): Promise<LabReport>
  /** Makes the number that a laboratory assigns to an order. */
  makeSampleId(order: { orderId: string; labSlug: string }): string
}

/**
 * The account number that every sandbox order has (docs/contract/13-results.md#sandbox-results).
 */
export const SANDBOX_ACCOUNT_ID = '1234567890'
