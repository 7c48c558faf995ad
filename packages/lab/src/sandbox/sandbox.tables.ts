import type { FailureType, Interpretation, ResultType } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus, StatusDetail } from '@salus/contracts/order-lifecycle'
import type { ColumnType, Generated } from 'kysely'

/** How the results of a simulated order shall be. */
export interface ResultWish {
  interpretation: Interpretation
  resultTypes: ResultType[] | null
  hasMissingResults: boolean
  missingKind: FailureType | null
}

/** One thing that will happen to an order. */
export interface SandboxStep {
  /** A status of the order, or that somebody is on the way to its appointment. */
  to: LowLevelStatus | 'appointment_in_progress'
  detail: StatusDetail | null
  results: ResultWish
  /** The provider sets another time of an appointment that has one. */
  isMove?: boolean
  /**
   * Of steps that a sandbox plans by itself: the end of the appointment for which they are timed
   * (ISO 8601), or null where there was none with a time.
   */
  appointmentEnd?: string | null
}

export interface SandboxStepsTable {
  /** Also the sender's id of the message by which it happens, so that it happens once. */
  id: Generated<string>
  environment_id: string
  order_id: string
  position: number
  /** In the time of the sandbox. */
  due_at: Date
  step: ColumnType<SandboxStep, string, string>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    sandbox_steps: SandboxStepsTable
  }
}
