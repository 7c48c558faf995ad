import type { UserRow } from '../../accounts/users/index.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { noteAttempts } from '../connections/index.ts'
import { type HistoryContext, noteHistory } from '../ingest/index.ts'
import { findSeries } from '../series/index.ts'
import { summaryHistory } from '../summaries/index.ts'
import type { HistoryRanges } from './apple-health/history-ranges.ts'

export const APPLE_HEALTH_PROVIDER = 'apple_health_kit'

/** Notes that the history of all that an import brought is there. */
export async function noteImportedHistory(
  context: HistoryContext,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  history: HistoryRanges,
): Promise<void> {
  for (const [name, range] of history.ranges()) {
    const chunk = { ...range, provider: APPLE_HEALTH_PROVIDER, isFinal: true, upload: null }
    await noteHistory(context, user, subjectOf(name), chunk)
  }
}

/** Takes note that an import failed after it had stored something of these resources. */
export async function noteFailedImport(
  { db, clock }: { db: Db; clock: Clock },
  { environmentId, userId }: { environmentId: string; userId: string },
  history: HistoryRanges,
): Promise<void> {
  const attempts = history.ranges().map(([name]) => ({
    user_id: userId,
    provider: APPLE_HEALTH_PROVIDER,
    resource: subjectOf(name).resource,
    last_attempt_at: clock.now(),
    last_attempt_status: 'failure' as const,
    sent_count: 0,
  }))
  await noteAttempts(db, environmentId, attempts)
}

/** A series, or a resource of summaries. */
function subjectOf(name: string): Parameters<typeof noteHistory>[2] {
  const found = findSeries(name)
  return found ?? summaryHistory(name as Parameters<typeof summaryHistory>[0])
}
