export { labInboxJobs } from './inbox.jobs.ts'
export { type InboxContext, processInside } from './process-message.service.ts'
export { storeMessage, takeMessage } from './store-message.service.ts'
