import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import {
  IMPORT_APPLE_HEALTH,
  IMPORT_FILES,
  type ImportWorker,
  runAppleHealthImport,
} from './imports.service.ts'

/** Runs imports, and daily removes the files of interrupted uploads. */
export function importJobs(context: ImportWorker): JobDefinitions {
  return {
    handlers: {
      ...handleJob(IMPORT_APPLE_HEALTH, (job, signal) =>
        runAppleHealthImport(context, job, signal),
      ),
      remove_import_leftovers: () => context.files.removeLeftovers(IMPORT_FILES),
    },
    schedule: '41 3 * * * remove_import_leftovers',
  }
}
