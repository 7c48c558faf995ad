import { findUserReference } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import type { TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { isSameResult } from '../evaluation/expected-results.ts'
import { isSameShown } from '../evaluation/ordered-tests.ts'
import { resultWithdrawn } from '../results.events.ts'
import type { BiomarkerResult } from '../results.schema.ts'
import type { ReceivedContent } from '../results.tables.ts'
import type { StoredVersion } from './critical-results.ts'

/**
 * Informs team and operator of results and documents that were shown and that the laboratory took
 * back because they are of another person: by an event and a line of the log, without the results.
 */
export async function emitWrongPatient(
  tx: TransactionScope,
  { row, evaluated, before, goneDocuments, at }: StoredVersion,
  { withdrawn = [] }: ReceivedContent,
): Promise<void> {
  const wrong = withdrawn.filter(({ reason }) => reason === 'wrong_patient')
  const isNamed = (shown: BiomarkerResult) =>
    wrong.some((named) => (named.sub_id ?? null) === shown.sub_id && isSameResult(named, shown))
  const isGone = (shown: BiomarkerResult) =>
    !evaluated.results.some((result) => isSameShown(result, shown))
  const ofResults = before.filter((shown) => isNamed(shown) && isGone(shown)).length
  const count = wrong.length === 0 ? 0 : ofResults + goneDocuments
  if (count === 0) return
  tx.log.warn({ orderId: row.id, code: 'result_of_wrong_patient', count }, 'results were withdrawn')
  if (row.is_hidden) return
  const user = (await findUserReference(tx, row.user_id)) ?? null
  const data = {
    order_id: row.id,
    reason: 'wrong_patient' as const,
    count,
    withdrawn_at: formatInstant(at),
  }
  await writeEvents(tx, [newEvent({ type: resultWithdrawn, user, subjectIds: [row.id], data })])
}
