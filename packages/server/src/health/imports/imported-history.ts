import type { ArrivedData, HistoryChunk, HistorySubject } from '../ingest/index.ts'
import { findSeries, type Series } from '../series/index.ts'
import { summaryHistory } from '../summaries/index.ts'
import type { HistoryRanges } from './apple-health/history-ranges.ts'

export const APPLE_HEALTH_PROVIDER = 'apple_health_kit'

/** That the history of all that an import brought is there. */
export function importedHistory(history: HistoryRanges): Pick<ArrivedData, 'history'> {
  const chunks = history.ranges().map(
    ([name, range]): HistoryChunk => ({
      ...range,
      subject: subjectOf(name),
      isFinal: true,
      upload: null,
    }),
  )
  return { history: chunks }
}

/** Names in events of all that an import brought. */
export function importedResources(history: HistoryRanges): string[] {
  return history.ranges().map(([name]) => subjectOf(name).resource)
}

/** A series, or a resource of summaries. */
function subjectOf(name: string): Series | HistorySubject {
  return findSeries(name) ?? summaryHistory(name as Parameters<typeof summaryHistory>[0])
}
