import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { SampleOwner } from '../../ingest/index.ts'
import { findLatestVersion } from '../imported-data.repository.ts'

interface ExportEdition {
  /** When the export was made, epoch milliseconds, or null when it does not say. */
  exportedAt: number | null
  /** It was read to its end. */
  isComplete: boolean
  /** The files beside the export.xml are there. */
  hasFiles: boolean
}

/** Milliseconds after the export within which its imports are told apart: exports are dated by the second. */
const PART = { first: 0, last: 0 }
const WITHOUT_FILES = { first: 1, last: 399 }
const WHOLE = { first: 400, last: 998 }

/**
 * When the summaries of an import count as written, epoch milliseconds; null: at their arrival. A newer
 * export wins over an older one, whatever order they are imported in. Of one export a whole one wins
 * over one without its files, and that over a damaged one; of equal ones the later import wins, since
 * summaries are made of stored samples too, of which there may be more by then.
 */
export async function findModificationTime(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  { exportedAt, isComplete, hasFiles }: ExportEdition,
): Promise<number | null> {
  if (exportedAt === null) return null
  const band = !isComplete ? PART : hasFiles ? WHOLE : WITHOUT_FILES
  const [first, last] = [exportedAt + band.first, exportedAt + band.last]
  const latest = await findLatestVersion(clickhouse, owner, first * 1000, last * 1000 + 999)
  const previous = Math.floor(latest / 1000)
  return previous < first ? first : Math.min(previous + 1, last)
}
