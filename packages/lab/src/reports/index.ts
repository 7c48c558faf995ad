import './lab-reports.tables.ts'

export { registerLabReportUpload } from './creating/create-job.routes.ts'
export { LAB_REPORT_SETTINGS } from './lab-report-settings.ts'
export { LAB_REPORT_EVENTS } from './lab-reports.events.ts'
export { REPORT_REASONS } from './lab-reports.global.repository.ts'
export {
  eraseLabReports,
  labReportJobs,
  labReportParsingJobs,
  removeOldReports,
} from './lab-reports.jobs.ts'
export { type LabReportReading, openLabReportReading } from './lab-reports.parts.ts'
export {
  countJobsToReview,
  countOldReports,
  listFilesOfUser,
  listResultsOfUser,
  type ReportResultRow,
} from './lab-reports.repository.ts'
export { registerLabReportRoutes } from './lab-reports.routes.ts'
export { isPerhapsOfAnother } from './patient/of-another.ts'
export {
  findReaderConfinement,
  logReaderConfinement,
  READER_PROTECTIONS,
  requireTemporaryFolder,
} from './reader-protections.ts'
export { readReportFile, SEALED_LAB_REPORT_KEYS } from './report-files.ts'
export { registerReportReviewRoutes } from './review/review.routes.ts'
export { listParsingJobs, requireJobOf } from './show-jobs.service.ts'
