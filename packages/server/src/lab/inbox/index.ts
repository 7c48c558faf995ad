export { labInboxJobs } from './inbox.jobs.ts'
export { enterEnvironment, type Inbox, openInbox } from './inbox.service.ts'
export { registerLabMessageRoutes } from './lab-messages.routes.ts'
export { processMessage } from './process-message.service.ts'
