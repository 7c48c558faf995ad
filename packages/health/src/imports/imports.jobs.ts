import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { IMPORT_APPLE_HEALTH, IMPORT_FILE, IMPORT_FILES } from './import-queue.ts'
import { type ImportWorker, runImport } from './running/run-import.ts'
import { endUnansweredImports } from './unanswered-imports.global.repository.ts'
import { removeExpiredUploads } from './uploads/uploads.service.ts'

/** Runs imports, and daily removes expired uploads and unanswered imports. */
export function importJobs(context: ImportWorker): JobDefinitions {
  return {
    handlers: {
      ...handleJob(IMPORT_FILE, (job, signal) => runImport(context, job, signal)),
      ...handleJob(IMPORT_APPLE_HEALTH, (job, signal) =>
        runImport(context, { ...job, format: 'apple_health' }, signal),
      ),
      remove_import_leftovers: async () => {
        await removeExpiredUploads(context, context.files)
        await context.files.removeLeftovers(IMPORT_FILES)
        for (const id of await endUnansweredImports(context.db, context.clock.now())) {
          await context.files.remove(IMPORT_FILES, id)
        }
      },
    },
    schedule: '41 3 * * * remove_import_leftovers',
  }
}
