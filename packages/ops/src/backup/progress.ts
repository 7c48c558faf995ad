/** How far a backup or a restore is, for a person who waits. */
export interface BackupProgress {
  /** Table, or files. */
  what: string
  done: number
  total: number
  /** That came since the last report. */
  bytes: number
}

export type ReportProgress = (progress: BackupProgress) => void
