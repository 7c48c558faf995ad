import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { Db } from '@salus/kernel/postgres/database'
import { createLabReportParser, type LabReportParser } from '@salus/lab-report-parser'
import type { Registry } from 'prom-client'
import type { LabReportSettings } from './lab-report-settings.ts'
import { type LabReportMetrics, registerLabReportMetrics } from './lab-reports.metrics.ts'

/** What of a process reads reports. */
export interface LabReportReading {
  labReportParser: LabReportParser
  labReportMetrics: LabReportMetrics
}

/** What reading reports needs beside a scope. */
export interface LabReportParts extends LabReportReading {
  files: FileStore
  secrets: SecretBox
}

/**
 * The parser, whose processes start with the first file and end when there are none for a while,
 * unless one is given; and the metrics of it.
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
