import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { EXPORT_PERSON, type ExportParts, removeEndedExports } from './exports.service.ts'
import { runExport } from './run-export.service.ts'

/** Creates exports, and once an hour removes those that have expired. */
export function exportJobs(context: Stores & ExportParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(EXPORT_PERSON, (job, signal, attempt) =>
        runExport(context, context, job, { ...attempt, signal }),
      ),
      remove_ended_exports: (_payload, signal) =>
        removeEndedExports(context, context.files, signal),
    },
    schedule: '43 * * * * remove_ended_exports',
  }
}
