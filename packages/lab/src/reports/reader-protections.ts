import { StartupError } from '@salus/kernel/errors'
import type { Logger } from '@salus/kernel/log'
import {
  checkTemporaryFolder,
  findConfinement,
  READER_PROTECTIONS,
  type ReaderProtection,
} from '@salus/lab-report-parser'

export { READER_PROTECTIONS }

/** Protections of the processes that read files, and protections that the system lacks. */
export interface ReaderConfinement {
  protections: ReaderProtection[]
  missing: ReaderProtection[]
}

/**
 * Checks at a start that processes that read files can be tried, which needs temporary files.
 * @throws StartupError that names their folder when it cannot be written
 */
export function requireTemporaryFolder(): void {
  try {
    checkTemporaryFolder()
  } catch (cause) {
    throw new StartupError((cause as Error).message, { cause })
  }
}

/** Determines the protections by trying them once, on the first call. */
export async function findReaderConfinement(): Promise<ReaderConfinement> {
  const { protections } = await findConfinement()
  return {
    protections,
    missing: READER_PROTECTIONS.filter((name) => !protections.includes(name)),
  }
}

/** Logs at the start which protections the processes that read files have and lack. */
export async function logReaderConfinement(log: Logger): Promise<void> {
  const { name, hasOwnUser } = await findConfinement()
  const { protections, missing } = await findReaderConfinement()
  const facts = { confinement: name, has_own_user: hasOwnUser, protections, missing }
  if (missing.length === 0) log.info(facts, 'processes that read files are confined')
  else log.warn(facts, 'processes that read files are not confined in full')
}
