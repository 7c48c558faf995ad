import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import { type Inbox, PROCESS_LAB_MESSAGE } from './inbox.service.ts'
import { processMessage } from './process-message.service.ts'

/** Reads stored messages and applies what they say. */
export function labInboxJobs(inbox: Inbox): JobDefinitions {
  return {
    handlers: handleJob(PROCESS_LAB_MESSAGE, (job, _signal, attempt) =>
      processMessage(inbox, job, attempt),
    ),
    schedule: '',
  }
}
