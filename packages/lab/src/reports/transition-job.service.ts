import { endTasks, openTask, type TaskKind } from '@salus/accounts/tasks'
import { findUserReference } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { parsingJobCreated, parsingJobUpdated } from './lab-reports.events.ts'
import { toParsingJob } from './lab-reports.presenter.ts'
import type { JobRow } from './lab-reports.repository.ts'
import * as repository from './lab-reports.repository.ts'
import type { JobStatus } from './lab-reports.schema.ts'
import { TRANSITIONS, type Trigger } from './lab-reports.states.ts'
import { isPerhapsOfAnother } from './patient/of-another.ts'
import { listCorrections } from './review/reviews.repository.ts'

type Changes = Omit<Parameters<typeof repository.updateJob>[2], 'status' | 'updated_at'>

/**
 * Moves a locked job to its next status and writes the events; none for a deleted person. Opens or
 * ends the task to review it.
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
  await matchTask(tx, row, from)
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

/** Kinds of tasks to review a report. */
export const REPORT_TASKS: readonly TaskKind[] = ['lab_report_review', 'patient_mismatch']

async function matchTask(tx: TransactionScope, row: JobRow, from: JobStatus): Promise<void> {
  if (from === 'pending_review') await endTasks(tx, REPORT_TASKS, [row.id], 'completed')
  if (row.status !== 'pending_review') return
  await openTask(tx, {
    kind: isPerhapsOfAnother(row) ? 'patient_mismatch' : 'lab_report_review',
    focus: { type: 'lab_report', id: row.id },
    userId: row.user_id,
  })
}
