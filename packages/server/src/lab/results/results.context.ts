import type { FileStore } from '../../platform/files/file-store.ts'
import type { OrdersContext } from '../orders/index.ts'

/** Where a refused or held report is noted: by ids and codes, never by its words. */
export interface ResultsLog {
  info(data: object, message: string): void
  warn(data: object, message: string): void
}

/** What the services of results need. */
export interface ResultsContext extends OrdersContext {
  files: FileStore
  log: ResultsLog
}

/** Where a report came from, and when in the environment's own time. */
export interface ReportSource {
  messageId: string | null
  at: Date
}
