export { labInboxJobs } from './inbox.jobs.ts'
export { type Inbox, openInbox } from './inbox.service.ts'
export { countFailedByGateway } from './lab-messages.global.repository.ts'
export {
  countFailedMessages,
  findMessageOfGateway,
  listMessagesOfGateway,
  MESSAGE_STATES,
} from './lab-messages.repository.ts'
export { registerLabMessageRoutes } from './lab-messages.routes.ts'
export { LabMessage } from './lab-messages.schema.ts'
export { registerLabMessageMetric, toMessage } from './lab-messages.service.ts'
export { type ContentsScope, withContent, withContents } from './message-contents.repository.ts'
export { eraseContentsOfPeople } from './move-contents.global.repository.ts'
export { eraseRemovedOf, moveContents } from './move-contents.ts'
export { processMessage } from './process-message.service.ts'
