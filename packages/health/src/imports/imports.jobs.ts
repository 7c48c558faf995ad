import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import {
  IMPORT_APPLE_HEALTH,
  IMPORT_FILES,
  type ImportWorker,
  runAppleHealthImport,
} from './imports.service.ts'
import { removeExpiredUploads } from './uploads/uploads.service.ts'

/** Runs imports, and daily removes expired uploads, and what interrupted requests left. */
export function importJobs(context: ImportWorker): JobDefinitions {
  return {
    handlers: {
      ...handleJob(IMPORT_APPLE_HEALTH, (job, signal) =>
        runAppleHealthImport(context, job, signal),
      ),
      remove_import_leftovers: async () => {
        await removeExpiredUploads(context, context.files)
        await context.files.removeLeftovers(IMPORT_FILES)
      },
    },
    schedule: '41 3 * * * remove_import_leftovers',
  }
}
