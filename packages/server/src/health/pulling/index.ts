export { pullingJobs } from './pulling.jobs.ts'
