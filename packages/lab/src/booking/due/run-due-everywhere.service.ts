import { enterEnvironment } from '@salus/accounts/teams'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, Stores } from '@salus/kernel/scope'
import { CONTINUE_BOOKING, SETTLE_ATTEMPT } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import {
  listAbandonedAttempts,
  listEnvironmentsWithDueAppointments,
} from './due-appointments.global.repository.ts'
import type { DueAppointment } from './due-appointments.repository.ts'
import { runDueAppointments } from './run-due-appointments.service.ts'

/** Clients that received 502 have this long to repeat the request. */
const LEFT_AFTER_MS = 60_000

/**
 * Applies the timed changes of appointments in all environments, each by its own time, and adds
 * jobs that settle abandoned attempts.
 */
export async function runDueEverywhere(
  stores: Stores,
  parts: Pick<BookingParts, 'scheduling'>,
  signal: AbortSignal,
): Promise<void> {
  for (const id of await listEnvironmentsWithDueAppointments(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await runDueAppointments(scope, parts, { callProvider: continueByJob })
  }
  await addSettlingJobs(stores)
}

async function addSettlingJobs({ db, clock }: Stores): Promise<void> {
  const before = new Date(clock.now().getTime() - LEFT_AFTER_MS)
  for (const job of await listAbandonedAttempts(db, before)) {
    await addJob(db, SETTLE_ATTEMPT, job, { key: `settle:${job.appointmentId}` })
  }
}

/** Continues the booking in its own job, so that a slow provider delays no others. */
async function continueByJob({ db, environment }: Scope, { id }: DueAppointment): Promise<void> {
  const job = { environmentId: environment.id, appointmentId: id }
  await addJob(db, CONTINUE_BOOKING, job, { key: `continue:${id}` })
}
