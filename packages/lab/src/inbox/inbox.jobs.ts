import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import type { Inbox } from './inbox.service.ts'
import { type LabMessageJob, PROCESS_LAB_MESSAGE } from './message-writer.ts'
import { eraseRemovedContents, moveContents } from './move-contents.ts'
import { processMessage } from './process-message.service.ts'

/**
 * The job that processes stored laboratory messages, and the hourly one that moves the contents of
 * those that are over to ClickHouse, and erases contents of removed ones.
 */
export function labInboxJobs(stores: Stores, inbox: Inbox): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        PROCESS_LAB_MESSAGE,
        inEnvironment(stores, (scope, { messageId }: LabMessageJob, attempt) =>
          processMessage(scope, inbox, messageId, attempt),
        ),
      ),
      move_lab_messages: async (_payload, signal) => {
        await eraseRemovedContents(stores, signal)
        await moveContents(stores, signal)
      },
    },
    schedule: '41 * * * * move_lab_messages',
  }
}
