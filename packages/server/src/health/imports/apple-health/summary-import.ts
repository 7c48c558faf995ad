import type { UserRow } from '../../../accounts/users/index.ts'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import {
  type Announcement,
  isWithinBounds,
  type SampleOwner,
  type SampleWriter,
} from '../../ingest/index.ts'
import type { NewSummary, SummaryWriter } from '../../summaries/index.ts'
import type { ExportFiles } from './export-files.ts'
import type { HistoryRanges } from './history-ranges.ts'
import type { ImportReport } from './import-report.ts'
import type { SummaryIntake } from './summary-intake.ts'

/** The parts of a user that an import goes by. */
export type ImportUser = Pick<
  UserRow,
  | 'ingestion_start'
  | 'ingestion_end'
  | 'fallback_time_zone'
  | 'fallback_time_zone_source'
  | 'fallback_birth_date'
>

export interface SummaryImport {
  owner: SampleOwner
  user: ImportUser
  clickhouse: ClickHouse
  writer: SampleWriter
  summaryWriter: SummaryWriter
  announcement?: Announcement | undefined
  intake: SummaryIntake
  /** Files beside the export.xml; undefined where there are none. */
  files: ExportFiles | undefined
  /** Whether the export was read to its end; of one that is damaged a part of a night may be missing. */
  isComplete: boolean
  /** When the summaries count as written, epoch milliseconds; null: at their arrival. */
  modifiedAt: number | null
  report: ImportReport
  history: HistoryRanges
  signal: AbortSignal
}

/** Whether the day of a summary lies within the person's bounds; that of a sleep is the day of waking up. */
export function isSummaryWithinBounds(user: ImportUser, summary: NewSummary): boolean {
  const { resource, startedAt, endedAt, timezoneOffset, calendarDate } = summary
  if (calendarDate !== null) {
    return isWithinBounds(user, { startedAt: Date.parse(calendarDate), timezoneOffset: 0 })
  }
  return isWithinBounds(user, {
    startedAt: resource === 'sleep' ? endedAt : startedAt,
    timezoneOffset,
  })
}

/** Resources of which an export holds one record each, which somebody may delete. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set(['sleep', 'workouts', 'body'])

/**
 * Stores summaries of one resource and counts them.
 * @param elementType Type of the elements that they are made of, one each, whose counts they are too.
 * @returns The summaries that lie within the bounds.
 */
export async function writeSummaries<Summary extends NewSummary>(
  { owner, user, summaryWriter, announcement, intake, report, history }: SummaryImport,
  resource: Summary['resource'],
  summaries: readonly Summary[],
  elementType?: string,
): Promise<Summary[]> {
  if (MAY_BE_MISSING.has(resource)) intake.keys.addSummaries(owner, summaries)
  const within = summaries.filter((summary) => isSummaryWithinBounds(user, summary))
  const outside = summaries.length - within.length
  report.ofSummaries(resource).out_of_bounds += outside
  const counts = await summaryWriter.write(owner, within, announcement)
  report.addSummaries(resource, counts)
  if (elementType !== undefined) {
    report.of(elementType, resource).out_of_bounds += outside
    report.addWritten(elementType, counts)
  }
  if (resource === 'profile') history.addTimeless(resource)
  else history.addRange(resource, within)
  return within
}
