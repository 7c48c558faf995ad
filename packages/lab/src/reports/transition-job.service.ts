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
 * Brings a locked job to its next status and writes the events that tell of it; of a person who was
 * deleted there are none.
 * @throws Error when the job is not where the trigger starts
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
    // Even of a job whose file could not be stored (docs/contract/17-lab-events.md#rules).
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
