import type { LabReportParser } from '@salus/lab-report-parser'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { LabReportMetrics } from './lab-reports.metrics.ts'

/** What reading reports needs beside a scope. */
export interface LabReportParts {
  files: FileStore
  secrets: SecretBox
  labReportParser: LabReportParser
  labReportMetrics: LabReportMetrics
}
