export { retentionJobs } from './retention.jobs.ts'
export { registerRetentionRoutes } from './retention.routes.ts'
