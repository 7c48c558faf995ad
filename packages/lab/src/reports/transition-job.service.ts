import { findUserReference } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { parsingJobCreated, parsingJobUpdated } from './lab-reports.events.ts'
import { toParsingJob } from './lab-reports.presenter.ts'
import type { JobRow } from './lab-reports.repository.ts'
import * as repository from './lab-reports.repository.ts'
import { TRANSITIONS, type Trigger } from './lab-reports.states.ts'
import { listCorrections } from './review/reviews.repository.ts'

type Changes = Omit<Parameters<typeof repository.updateJob>[2], 'status' | 'updated_at'>

/**
 * Moves a locked job to its next status and writes the events; none for a deleted person.
 * @throws Error when the trigger does not apply to the job's status
 */
export async function transitionJob(
  tx: TransactionScope,
  job: JobRow,
  trigger: Trigger,
  changes: Changes = {},
): Promise<JobRow> {
  const { from, to, events } = TRANSITIONS[trigger]
  if (job.status !== from) throw new Error(`A job that is ${job.status} cannot be ${trigger}.`)
  const updated_at = environmentNow(tx)
  const row = await repository.updateJob(tx, job.id, { ...changes, status: to, updated_at })
  if (row === undefined) throw new Error('A locked job is gone.')
  const user = await findUserReference(tx, row.user_id)
  if (user === undefined) return row
  const corrections = await listCorrections(tx, row.id)
  const data = {
    // Also for a job whose files could not be stored (docs/contract/17-lab-events.md#rules).
    created: toParsingJob({ ...row, status: 'started', failure_reason: null }, []),
    updated: toParsingJob(row, corrections),
  }
  const types = { created: parsingJobCreated, updated: parsingJobUpdated }
  await writeEvents(
    tx,
    events.map((event) =>
      newEvent({ type: types[event], user, data: data[event], subjectIds: [row.id] }),
    ),
  )
  return row
}
