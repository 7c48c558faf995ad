/** Progress of a backup or a restore, for a person who waits. */
export interface BackupProgress {
  /** Table, or files. */
  what: string
  done: number
  total: number
  /** Number of bytes since the last report. */
  bytes: number
}

export type ReportProgress = (progress: BackupProgress) => void
