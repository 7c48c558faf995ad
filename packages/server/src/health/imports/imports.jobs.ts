import type { JobDefinitions } from '../../platform/jobs/jobs.ts'
import {
  IMPORT_FILES,
  IMPORT_TASK,
  type ImportPayload,
  type ImportWorker,
  runAppleHealthImport,
} from './imports.service.ts'

/** Runs imports, and once a day removes what interrupted uploads left on disk. */
export function importJobs(context: ImportWorker): JobDefinitions {
  return {
    handlers: {
      [IMPORT_TASK]: (payload: ImportPayload, signal) =>
        runAppleHealthImport(context, payload, signal),
      remove_import_leftovers: () => context.files.removeLeftovers(IMPORT_FILES),
    },
    schedule: '41 3 * * * remove_import_leftovers',
  }
}
