import {
  type AttemptCount,
  type AttemptRange,
  countMovedAttempts,
  countRecentAttempts,
} from './attempt-counts.repository.ts'
import type { HistoryScope } from './event-history.repository.ts'
import { readAtOneInstant, readHistoryState } from './history-state.global.repository.ts'

/** Counts attempts by interval, moved ones included; an interval without any may be missing. */
export async function countAttempts(
  { db, clickhouse, environment }: HistoryScope,
  range: AttemptRange,
): Promise<AttemptCount[]> {
  const { movedAttemptsUntil: until } = await readHistoryState(db)
  if (until === null || until < range.since) {
    return countRecentAttempts({ db, clickhouse, environment }, range)
  }
  return readAtOneInstant(db, async (at, state) => {
    const instant = { db: at, clickhouse, environment }
    const recent = await countRecentAttempts(instant, range)
    const moved = await countMovedAttempts(instant, state, range)
    const counts = Map.groupBy([...recent, ...moved], (count) => count.from_second)
    return [...counts].map(([from, parts]) => ({
      from_second: from,
      succeeded: parts.reduce((sum, { succeeded }) => sum + succeeded, 0),
      failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    }))
  })
}
