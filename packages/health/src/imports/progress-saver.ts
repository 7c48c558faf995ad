import type { Log } from '@salus/kernel/log'
import type { RowScope } from '@salus/kernel/scope'
import * as repository from './imports.repository.ts'
import type { ImportProgress } from './imports.schema.ts'

const PROGRESS_INTERVAL_MS = 500

export interface ProgressSaver {
  offer(progress: ImportProgress): void
  /** Waits for a running save; returns what was offered last, saved or not. */
  latest(): Promise<ImportProgress | undefined>
}

/** Saves progress periodically, one save at a time; a failed one is only a missed update. */
export function createProgressSaver(scope: RowScope, log: Log, jobId: string): ProgressSaver {
  let last: ImportProgress | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  let saving: Promise<void> | undefined
  return {
    offer(progress) {
      last = progress
      if (saving !== undefined || performance.now() - savedAt < PROGRESS_INTERVAL_MS) return
      savedAt = performance.now()
      const change = { progress: JSON.stringify(progress) }
      saving = repository
        .updateImportJob(scope, jobId, change)
        .catch((error: unknown) => log.warn({ err: error }, 'progress not saved'))
        .finally(() => {
          saving = undefined
        })
    },
    async latest() {
      await saving
      return last
    },
  }
}
