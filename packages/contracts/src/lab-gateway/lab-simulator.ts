import type { CauseBy, LowLevelStatus, StatusDetail } from '../order-lifecycle/index.ts'
import type { LabGateway, Receipt } from './lab-gateway.ts'
import type { OrderUpdate } from './order-update.schema.ts'
import type { Requisition } from './requisition.ts'
import type {
  FailureType,
  Interpretation,
  ResultMessage,
  ResultType,
} from './result-message.schema.ts'

/** How a report shall be (docs/contract/11-orders.md#post-v3orderorder_idtest). */
export interface ReportWish {
  requisition: Requisition
  /** `corrected` changes something of `previous`. */
  status: ResultMessage['status']
  /**
   * What the first result shall be. All others are inside their intervals, but for those that are
   * made from the same. `unknown` leaves out ranges and flags.
   */
  interpretation: Interpretation
  /** Null leaves the type to the analyte, and brings all of numeric, comment and range. */
  resultTypes: readonly ResultType[] | null
  /** Moves a third of the results, one at least, to `missing_results`. */
  hasMissingResults: boolean
  /** Why they are missing; too little sample by default. */
  missingKind?: FailureType | null
  collectedAt: Date
  reportedAt: Date
  /** The report before this one, if any: a second partial report holds more than the first. */
  previous?: ResultMessage | undefined
  labName: string
  accountId?: string
}

/** The active appointment of an order, as far as its provider cares. */
export interface KnownAppointment {
  id: string
  /** IANA */
  timeZone: string
  /** When it begins; null until that is known. */
  startAt: Date | null
  /** Its provider has said that it stands: to say so again is to set another time. */
  isConfirmed: boolean
}

/** Something that shall happen to an order on the other side. */
export interface Happening {
  environmentId: string
  /** The same again happens once. */
  id: string
  cause: CauseBy<'update' | 'result'> | 'appointment_in_progress'
  /** Null where the order has none. */
  appointment: KnownAppointment | null
  detail: StatusDetail | null
  at: Date
  requisition: Requisition
  /** How the report shall be, of causes that are results. */
  report: Omit<ReportWish, 'requisition' | 'status' | 'reportedAt'>
  /** Whether the laboratory knows another sample by the number. */
  isSampleIdTaken: (sampleId: string) => Promise<boolean>
}

/** A gateway behind which nobody real is: what happens there can be chosen. */
export interface LabSimulator extends LabGateway {
  /** Lets something happen: the message that tells it is delivered like any other. */
  simulate(happening: Happening): Promise<Receipt>
  /** Delivers the message that tells updates; the same `id` again is the same message. */
  send(message: {
    environmentId: string
    id: string
    at: Date
    updates: readonly OrderUpdate[]
  }): Promise<Receipt>
  /** How long a transition usually takes in life, whole seconds; the same for the same seed. */
  delaySeconds(transition: { from: LowLevelStatus; to: LowLevelStatus }, seed: string): number
  /** A report as a laboratory would send it: the same wish gives the same report. */
  makeReport(wish: ReportWish): Promise<ResultMessage>
  /** The number under which a laboratory takes an order. */
  makeSampleId(order: { orderId: string; labSlug: string }): string
}

/**
 * The account number that every sandbox order has (docs/contract/13-results.md#sandbox-results).
 */
export const SANDBOX_ACCOUNT_ID = '1234567890'
