import type { Logger } from '@salus/kernel/log'
import {
  findReaderProtections,
  READER_PROTECTIONS,
  type ReaderProtection,
} from '@salus/lab-report-parser'

export { READER_PROTECTIONS }

/** What the system holds a process with that reads files, and what it does not have for that. */
export interface ReaderConfinement {
  protections: ReaderProtection[]
  missing: ReaderProtection[]
}

/** Found out by trying once, in the first call. */
export async function findReaderConfinement(): Promise<ReaderConfinement> {
  const protections = await findReaderProtections()
  return {
    protections: [...protections],
    missing: READER_PROTECTIONS.filter((name) => !protections.includes(name)),
  }
}

/** Tells the operator at a start what a file could do that takes its reader over. */
export async function logReaderConfinement(log: Logger): Promise<void> {
  const { protections, missing } = await findReaderConfinement()
  if (missing.length === 0) log.info({ protections }, 'processes that read files are confined')
  else log.warn({ protections, missing }, 'processes that read files are not confined in full')
}
