import { writeEvents } from '../../../platform/events/events.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import {
  type ClaimedMark,
  deleteMark,
  lockClaimedMark,
  postponeMark,
} from '../marking/marks.repository.ts'
import { PACE, SETTLED_MS } from '../pace.ts'
import { type FloatingRange, isEmpty } from './buckets.ts'
import { changeEvents } from './change-events.ts'
import type { EvaluationContext, EvaluationSubject } from './evaluation.context.ts'
import {
  deleteRows,
  listKeys,
  type ResultRow,
  upsertEvaluation,
  upsertRows,
} from './results.repository.ts'
import { endTask, insertScheduledTask } from './tasks.repository.ts'

/** The rows of the buckets that were evaluated. */
export interface ComputedResult {
  /** In the order in which they are told. */
  rows: readonly ResultRow[]
  /** The buckets whose stored rows these take the place of. */
  touched: FloatingRange
  basis: string
}

/** The claim ended meanwhile, so another evaluation may have stored what is newer. */
export class ClaimLost extends Error {}

/** Stores rows, their events and the outcome of the task, and removes the mark: all or nothing. */
export async function storeResult(
  { db, clock }: Pick<EvaluationContext, 'db' | 'clock'>,
  { query, user, scope }: EvaluationSubject,
  mark: ClaimedMark,
  { rows, touched, basis }: ComputedResult,
  startedAt: Date,
): Promise<void> {
  const { environment_id: environmentId } = mark
  await db.transaction().execute(async (transaction) => {
    const { changed, vanished } = await replaceRows(transaction, mark, rows, touched)
    const at = clock.now()
    if (query.data_events_enabled && changed.length > 0) {
      const { columns } = query.result_table_schema
      const events = changeEvents({ query, user: toReference(user), columns, rows: changed })
      await writeEvents(transaction, scope, events, at)
    }
    await upsertEvaluation(transaction, environmentId, mark, { evaluated_at: startedAt, basis })
    const status = changed.length + vanished > 0 ? 'completed' : 'skipped'
    await endTask(transaction, environmentId, mark, { status, at })
    // Last, because uploads of the person wait while the mark is locked.
    await settleMark(transaction, mark, startedAt, query.minimum_gap_seconds)
  })
}

const toReference = ({ id, client_user_id }: EvaluationSubject['user']) => ({ id, client_user_id })

async function replaceRows(
  db: Db,
  mark: ClaimedMark,
  rows: readonly ResultRow[],
  touched: FloatingRange,
): Promise<{ changed: ResultRow[]; vanished: number }> {
  if (isEmpty(touched)) return { changed: [], vanished: 0 }
  const { environment_id: environmentId } = mark
  const stored = await listKeys(db, environmentId, mark, touched)
  const keys = new Set(rows.map(({ key }) => key))
  const vanished = stored.filter((key) => !keys.has(key))
  await deleteRows(db, environmentId, mark, vanished)
  const changed = await upsertRows(db, environmentId, mark, rows)
  return { changed: rows.filter(({ key }) => changed.has(key)), vanished: vanished.length }
}

/**
 * Removes the mark, unless something was noted too shortly before the evaluation, or during it, to
 * know that it was stored when the evaluation read. That part stays, to be evaluated once more.
 */
async function settleMark(
  db: Db,
  mark: ClaimedMark,
  startedAt: Date,
  gapSeconds: number | null,
): Promise<void> {
  const { environment_id: environmentId } = mark
  const held = await lockClaimedMark(db, environmentId, mark)
  if (held === undefined) throw new ClaimLost()
  const isSettled = startedAt.getTime() - mark.marked_at.getTime() >= SETTLED_MS
  if (isSettled && !held.hasChanged) return deleteMark(db, environmentId, mark)
  const gapMs = (gapSeconds ?? PACE.gapSeconds) * 1000
  await postponeMark(db, environmentId, mark, {
    due_at: new Date(startedAt.getTime() + gapMs),
    failures: 0,
    claimed: isSettled ? 'empty' : mark.fresh,
  })
  await insertScheduledTask(db, environmentId, mark, startedAt)
}
