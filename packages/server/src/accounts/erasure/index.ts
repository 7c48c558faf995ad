export { eraseDeletedUsers, erasureJobs } from './erasure.jobs.ts'
