import type { Scope } from '@salus/kernel/scope'
import type { ParseProgress } from '@salus/lab-report-parser'
import type { JobRow } from '../lab-reports.repository.ts'
import { saveProgress } from '../lab-reports.repository.ts'

const INTERVAL_MS = 500

/** Saves the progress of parsing, one save at a time. A failed save only loses an update. */
export function createProgressSaver(scope: Scope, job: JobRow) {
  let savedAt = Number.NEGATIVE_INFINITY
  let saving: Promise<void> | undefined
  return {
    /** Accepts the page that was begun. */
    offer({ page, pages }: ParseProgress): void {
      if (saving !== undefined || performance.now() - savedAt < INTERVAL_MS) return
      savedAt = performance.now()
      // The number is known from the upload; for images, the parser counts the pages as they come.
      const pagesTotal = Math.max(job.pages_total ?? 0, pages)
      saving = saveProgress(scope, job, { pages_read: page - 1, pages_total: pagesTotal })
        .catch((error: unknown) => scope.log.warn({ err: error }, 'progress not saved'))
        .finally(() => {
          saving = undefined
        })
    },
    /** Waits for a running save. */
    async settled(): Promise<void> {
      await saving
    },
  }
}
