import type { FileStore } from '@salus/kernel/files/file-store'
import type { Scope, TransactionScope } from '@salus/kernel/scope'

/** A scope with the file store of the results' PDFs. */
export interface ResultsScope extends Scope {
  readonly files: FileStore
}

/** A transaction that stores result messages; the files written in it are deleted when it fails. */
export interface ResultTransaction extends TransactionScope {
  readonly files: FileStore
}

/** Source of a result message, and its time in the environment's own time. */
export interface ResultSource {
  messageId: string | null
  at: Date
}
