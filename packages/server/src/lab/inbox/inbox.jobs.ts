import type { JobDefinitions } from '../../platform/jobs/jobs.ts'
import { type InboxContext, processMessage } from './process-message.service.ts'
import { type LabMessageJob, PROCESS_LAB_MESSAGE } from './store-message.service.ts'

/** Reads stored messages and applies what they say. */
export function labInboxJobs(context: InboxContext): JobDefinitions {
  return {
    handlers: { [PROCESS_LAB_MESSAGE]: (job: LabMessageJob) => processMessage(context, job) },
    schedule: '',
  }
}
