export { labInboxJobs } from './inbox.jobs.ts'
export { type Inbox, openInbox } from './inbox.service.ts'
export { registerLabMessageRoutes } from './lab-messages.routes.ts'
export { processMessage } from './process-message.service.ts'
