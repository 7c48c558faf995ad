import { findUser } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import type { TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { OrderRow } from '../../orders/index.ts'
import { openCriticalTask } from '../critical-tasks/critical-tasks.service.ts'
import type { EvaluatedMessage } from '../evaluation/evaluate-result-message.ts'
import { isSameShown } from '../evaluation/ordered-tests.ts'
import { resultCritical } from '../results.events.ts'
import type { BiomarkerResult } from '../results.schema.ts'
import type { ReceivedContent } from '../results.tables.ts'

/** A version of results that was just stored. */
export interface StoredVersion {
  row: OrderRow
  version: number
  message: ReceivedContent
  evaluated: EvaluatedMessage
  /** Results of the previous version. */
  before: readonly BiomarkerResult[]
  /** Documents of the previous version that are not shown any more. */
  goneDocuments: number
  /** Time of the first version. */
  firstAt: Date
  at: Date
}

const criticalOf = (results: readonly BiomarkerResult[]): BiomarkerResult[] =>
  results.filter(({ interpretation }) => interpretation === 'critical')

/** Returns true when a result is critical that was not critical in the previous version. */
export function becomesCritical(
  results: readonly BiomarkerResult[],
  before: readonly BiomarkerResult[],
): boolean {
  const known = criticalOf(before)
  return criticalOf(results).some((result) => !known.some((old) => isSameShown(old, result)))
}

/**
 * Writes labtest.result.critical in the transaction of the version, once for it, and opens the task
 * to acknowledge it (docs/contract/13-results.md#result-life).
 */
export async function emitCritical(
  tx: TransactionScope,
  { row, version, message, evaluated, before, firstAt, at }: StoredVersion,
): Promise<void> {
  const { environment } = tx
  if (!becomesCritical(evaluated.results, before)) return
  const task = { order: row, version, status: evaluated.status, at }
  if (row.is_hidden) return openCriticalTask(tx, task)
  const user = await findUser(tx, row.user_id)
  const event = newEvent({
    type: resultCritical,
    user: user === undefined ? null : { id: user.id, client_user_id: user.client_user_id },
    subjectIds: [row.id],
    data: {
      order_id: row.id,
      sample_id: row.sample_id ?? message.sample_id ?? message.specimen_number ?? '',
      status: evaluated.status,
      interpretation: 'critical',
      team_id: environment.teamId,
      user_id: row.user_id,
      created_at: formatInstant(firstAt),
      updated_at: formatInstant(at),
    },
  })
  await writeEvents(tx, [event])
  await openCriticalTask(tx, task)
}
