import type { FileStore } from '@salus/kernel/files/file-store'
import type { Scope, TransactionScope } from '@salus/kernel/scope'

/** A scope with the files of the installation, where results have their PDFs. */
export interface ResultsScope extends Scope {
  readonly files: FileStore
}

/** A transaction that stores reports: files that are written in it are removed when it fails. */
export interface ReportTransaction extends TransactionScope {
  readonly files: FileStore
}

/** Where a report came from, and when in the environment's own time. */
export interface ReportSource {
  messageId: string | null
  at: Date
}
