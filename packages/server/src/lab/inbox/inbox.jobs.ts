import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import { type InboxContext, processMessage } from './process-message.service.ts'
import { PROCESS_LAB_MESSAGE } from './store-message.service.ts'

/** Reads stored messages and applies what they say. */
export function labInboxJobs(context: InboxContext): JobDefinitions {
  return {
    handlers: handleJob(PROCESS_LAB_MESSAGE, (job) => processMessage(context, job)),
    schedule: '',
  }
}
