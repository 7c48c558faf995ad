import type { FileStore } from '../../platform/files/file-store.ts'
import type { Scope } from '../../platform/scope.ts'

/** What the services of results work in. */
export interface ResultsContext extends Scope {
  files: FileStore
}

/** Where a report came from, and when in the environment's own time. */
export interface ReportSource {
  messageId: string | null
  at: Date
}
