import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { Db } from '@salus/kernel/postgres/database'
import { createLabReportParser, type LabReportParser } from '@salus/lab-report-parser'
import type { Registry } from 'prom-client'
import type { LabReportSettings } from './lab-report-settings.ts'
import { type LabReportMetrics, registerLabReportMetrics } from './lab-reports.metrics.ts'

/** The parser of a process, and its metrics. */
export interface LabReportReading {
  labReportParser: LabReportParser
  labReportMetrics: LabReportMetrics
}

/** Dependencies for lab reports beside a scope. */
export interface LabReportParts extends LabReportReading {
  files: FileStore
  secrets: SecretBox
}

/**
 * Opens the given parser, or one whose processes start with the first file and end after some idle
 * time; and its metrics.
 */
export function openLabReportReading(
  given: { config: LabReportSettings; db: Db; labReportParser?: LabReportParser | undefined },
  registry: Registry,
): LabReportReading {
  const { config, db } = given
  const labReportParser =
    given.labReportParser ??
    createLabReportParser({
      processes: config.labReportProcesses,
      memoryMb: config.labReportMemoryMib,
      timeoutMs: config.labReportSeconds * 1000,
      idleMs: config.labReportIdleSeconds * 1000,
    })
  return { labReportParser, labReportMetrics: registerLabReportMetrics(registry, db) }
}
