import type { JobDefinitions } from '../../platform/jobs/jobs.ts'
import { type Inbox, type LabMessageJob, PROCESS_LAB_MESSAGE } from './inbox.service.ts'
import { processMessage } from './process-message.service.ts'

/** Reads stored messages and applies what they say. */
export function labInboxJobs(inbox: Inbox): JobDefinitions {
  return {
    handlers: {
      [PROCESS_LAB_MESSAGE.task]: (job: LabMessageJob, _signal, attempt) =>
        processMessage(inbox, job, attempt),
    },
    schedule: '',
  }
}
