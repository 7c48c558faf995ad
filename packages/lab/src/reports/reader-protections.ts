import { StartupError } from '@salus/kernel/errors'
import type { Logger } from '@salus/kernel/log'
import {
  checkTemporaryFolder,
  findConfinement,
  READER_PROTECTIONS,
  type ReaderProtection,
} from '@salus/lab-report-parser'

export { READER_PROTECTIONS }

/** What the system holds a process with that reads files, and what it does not have for that. */
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

/** Found out by trying once, in the first call. */
export async function findReaderConfinement(): Promise<ReaderConfinement> {
  const { protections } = await findConfinement()
  return {
    protections,
    missing: READER_PROTECTIONS.filter((name) => !protections.includes(name)),
  }
}

/**
 * Logs at a start by what the processes that read files are confined, what that holds and what it
 * does not.
 */
export async function logReaderConfinement(log: Logger): Promise<void> {
  const { name, hasOwnUser } = await findConfinement()
  const { protections, missing } = await findReaderConfinement()
  const facts = { confinement: name, has_own_user: hasOwnUser, protections, missing }
  if (missing.length === 0) log.info(facts, 'processes that read files are confined')
  else log.warn(facts, 'processes that read files are not confined in full')
}
