import type {
  Interpretation,
  ReportedDocumentHead,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import type { ColumnType, Generated } from 'kysely'
import type { ResultChanges } from '../orders/index.ts'
import type {
  MatchDecisionCode,
  MatchReviewResolutionAction,
  MatchReviewStatus,
  MatchSubReasonCode,
} from './match-review/match-review.schema.ts'
import type { BiomarkerResult, MissingBiomarkerResult, ResultStatus } from './results.schema.ts'
import type {
  UnmatchedResultTestCreate,
  UnmatchedResultTestOrder,
  UnmatchedResultTestStage,
  UnmatchedResultTestStatus,
} from './review-tests/review-tests.schema.ts'

type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null, string | null>

/** A document of a report; its bytes are in the file store. */
export interface StoredDocument extends ReportedDocumentHead {
  /** UUID by the order, the code, the name and the bytes: a repetition has the same one. */
  id: string
  content_type: string
  /** In bytes */
  size: number
  /** Version of the results with which it came; held results have none. */
  version?: number
}

/** A result message without its documents. */
export type ReportContent = Omit<ResultMessage, 'pdf' | 'pdf_head' | 'documents'>

/** A result message without the bytes of its documents. */
export interface ReceivedContent extends ReportContent {
  documents?: StoredDocument[]
}

/** A result message as the laboratory sent it; its PDF is in the file store. */
export interface ResultMessageWithoutPdf extends ReceivedContent {
  /** SHA-256 of the whole message in hex, by which a repeated delivery is recognized. */
  content_hash: string
}

/** A result message that could not be matched with certainty. */
export interface HeldContent extends ResultMessageWithoutPdf {
  /** The order that the laboratory names by our id, if any. */
  named_order_id: string | null
  pdf_head?: ReportedDocumentHead
}

/**
 * The results of an order after a message, merged with those before, and their evaluation at that
 * time, because the catalog may change later. The hash is that of the message.
 */
export interface StoredResultMessage extends ResultMessageWithoutPdf {
  evaluated: { results: BiomarkerResult[]; missing_results: MissingBiomarkerResult[] }
}

export interface ResultsTable {
  environment_id: string
  order_id: string
  version: number
  lab_message_id: string | null
  status: ResultStatus
  interpretation: Interpretation
  has_missing_results: boolean
  report: Json<StoredResultMessage>
  /** The message as it was received; null where the version has nothing else. */
  received: NullableJson<ReceivedContent>
  pdf_file: string | null
  /** Files of the documents that came with this version. */
  document_files: Generated<string[]>
  created_at: Date
}

const COLUMNS = {
  environment_id: true,
  order_id: true,
  version: true,
  lab_message_id: true,
  status: true,
  interpretation: true,
  has_missing_results: true,
  report: true,
  received: true,
  pdf_file: true,
  document_files: true,
  created_at: true,
} satisfies Record<keyof ResultsTable, true>

/** All columns of results, by name: PostgreSQL prepares no statement with `*` over a migration. */
export const RESULT_COLUMNS = Object.keys(COLUMNS) as (keyof ResultsTable)[]

/** Data for the undo of a resolution. */
export interface StoredResolution {
  /**
   * Whether the team saw the item before; otherwise only operators handled it
   * (docs/contract/13-results.md#states-of-a-review).
   */
  was_shown?: boolean
  /** Version of the results in the receiving order. */
  version?: number
  /** The former values of the columns that the order copies from its results. */
  previous?: ResultChanges
  /** Id of the order's last event after it received the results. */
  last_event_id?: number
}

export interface UnmatchedResultsTable {
  environment_id: string
  id: string
  lab_message_id: string | null
  lab_id: number
  status: MatchReviewStatus
  decision_code: MatchDecisionCode
  sub_reason_codes: MatchSubReasonCode[]
  reason: string
  report: Json<HeldContent>
  pdf_file: string | null
  document_files: Generated<string[]>
  interpretation: Interpretation | null
  patient_name: string
  patient_dob: string | null
  note: string | null
  resolution_action: MatchReviewResolutionAction | null
  resolved_user_id: string | null
  resolved_order_id: string | null
  resolution: NullableJson<StoredResolution>
  created_at: Date
  updated_at: Date
  reviewed_at: Date | null
}

export interface UnmatchedResultTestsTable {
  environment_id: string
  id: string
  idempotency_key: string
  request: Json<UnmatchedResultTestCreate>
  status: UnmatchedResultTestStatus
  stage: UnmatchedResultTestStage
  orders: Json<Record<string, UnmatchedResultTestOrder>>
  raw_result_id: string | null
  error: NullableJson<{ code: string; message: string }>
  created_at: Date
  updated_at: Date
  started_at: Date | null
  completed_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    results: ResultsTable
    unmatched_results: UnmatchedResultsTable
    unmatched_result_tests: UnmatchedResultTestsTable
  }
}
