import { enterEnvironment } from '../../../accounts/teams/index.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Scope, Stores } from '../../../platform/scope.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import { listEnvironmentsWithDueAppointments } from './due-appointments.global.repository.ts'
import type { DueAppointment } from './due-appointments.repository.ts'
import { runDueAppointments } from './run-due-appointments.service.ts'

/** Lets happen whatever is due for appointments, in every environment by its own time. */
export async function runDueEverywhere(
  stores: Stores,
  parts: Pick<BookingParts, 'scheduling'>,
  signal: AbortSignal,
): Promise<void> {
  for (const id of await listEnvironmentsWithDueAppointments(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await runDueAppointments(scope, parts, { askProvider: askByJob })
  }
}

/** A silent provider is waited for by a job of its own, and keeps nothing else waiting. */
async function askByJob({ db, environment }: Scope, { id }: DueAppointment): Promise<void> {
  const job = { environmentId: environment.id, appointmentId: id }
  await addJob(db, CONTINUE_BOOKING, job, { key: `continue:${id}` })
}
