import type { Scope } from '@salus/kernel/scope'
import type { ParseProgress } from '@salus/lab-report-parser'
import type { JobRow } from '../lab-reports.repository.ts'
import { saveProgress } from '../lab-reports.repository.ts'

const INTERVAL_MS = 500

/**
 * Saves how far reading has come now and then, one save at a time; a failed one is only a missed
 * update.
 */
export function createProgressSaver(scope: Scope, job: JobRow) {
  let savedAt = Number.NEGATIVE_INFINITY
  let saving: Promise<void> | undefined
  return {
    /** Takes the page that is begun. */
    offer({ page, pages }: ParseProgress): void {
      if (saving !== undefined || performance.now() - savedAt < INTERVAL_MS) return
      savedAt = performance.now()
      // How many there are was known when the job was made; a reader of images counts them as they
      // come.
      const pagesTotal = Math.max(job.pages_total ?? 0, pages)
      saving = saveProgress(scope, job, { pages_read: page - 1, pages_total: pagesTotal })
        .catch((error: unknown) => scope.log.warn({ err: error }, 'progress not saved'))
        .finally(() => {
          saving = undefined
        })
    },
    /** Waits for a save that runs. */
    async settled(): Promise<void> {
      await saving
    },
  }
}
