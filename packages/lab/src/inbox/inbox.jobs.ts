import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import type { Inbox } from './inbox.service.ts'
import { type LabMessageJob, PROCESS_LAB_MESSAGE } from './message-writer.ts'
import { processMessage } from './process-message.service.ts'

/** The job that processes stored laboratory messages. */
export function labInboxJobs(stores: Stores, inbox: Inbox): JobDefinitions {
  return {
    handlers: handleJob(
      PROCESS_LAB_MESSAGE,
      inEnvironment(stores, (scope, { messageId }: LabMessageJob, attempt) =>
        processMessage(scope, inbox, messageId, attempt),
      ),
    ),
    schedule: '',
  }
}
