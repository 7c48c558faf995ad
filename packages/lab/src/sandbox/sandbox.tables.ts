import type { FailureType, Interpretation, ResultType } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus, StatusDetail } from '@salus/contracts/order-lifecycle'
import type { ColumnType, Generated } from 'kysely'

/** Requested properties of a simulated order's results. */
export interface RequestedResults {
  interpretation: Interpretation
  resultTypes: ResultType[] | null
  hasMissingResults: boolean
  missingKind: FailureType | null
}

/** A planned step of an order. */
export interface SandboxStep {
  /** A status of the order, or the start of the way to its appointment. */
  to: LowLevelStatus | 'appointment_in_progress'
  detail: StatusDetail | null
  results: RequestedResults
  /** Whether the provider reschedules an appointment that has a time. */
  isMove?: boolean
  /**
   * For automatically planned steps: the end of the appointment for which they are timed (ISO
   * 8601), or null without an appointment time.
   */
  appointmentEnd?: string | null
}

export interface SandboxStepsTable {
  /** Also the sender's id of the message, so that a step happens once. */
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
