import { DAY_MS } from '@salus/contracts/time-units'
import type { Db } from '@salus/kernel/postgres/database'

const MOST_WAITING_MS = 7 * DAY_MS

/** Fails the imports of all teams that have waited for options for 7 days; returns their ids. */
export async function endUnansweredImports(db: Db, now: Date): Promise<string[]> {
  const error = {
    error_type: 'not_answered',
    error_message: 'The options that the import waited for were not given within 7 days.',
  }
  const rows = await db
    .updateTable('import_jobs')
    .set({ status: 'failed', error: JSON.stringify(error), finished_at: now })
    .where('status', '=', 'needs_options')
    .where('started_at', '<', new Date(now.getTime() - MOST_WAITING_MS))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
