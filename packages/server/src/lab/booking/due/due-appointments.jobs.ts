import { enterEnvironment, inEnvironment } from '../../../accounts/teams/index.ts'
import { addJob, handleJob, type JobDefinitions } from '../../../platform/jobs/jobs.ts'
import { environmentNow, type Scope, type Stores } from '../../../platform/scope.ts'
import { CANCEL_AT_PROVIDER, type CancelAtProviderJob } from '../../appointments/index.ts'
import { type AppointmentJob, CONTINUE_BOOKING, SETTLE_ATTEMPT } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import { settleAttempt } from '../commands/settle-attempt.service.ts'
import { callProvider } from '../provider-calls.ts'
import { continueBooking } from './continue-booking.service.ts'
import { listEnvironmentsWithDueAppointments } from './due-appointments.global.repository.ts'
import type { DueAppointment } from './due-appointments.repository.ts'
import { runDueAppointments } from './run-due-appointments.service.ts'

type Parts = Pick<BookingParts, 'scheduling'>

/** What happens to appointments by time, or after a failure. */
export function dueAppointmentJobs(stores: Stores, parts: Parts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        CANCEL_AT_PROVIDER,
        inEnvironment(stores, (scope, job: CancelAtProviderJob) =>
          cancelAtProvider(scope, parts, job),
        ),
      ),
      ...handleJob(
        CONTINUE_BOOKING,
        inEnvironment(stores, (scope, { appointmentId }: AppointmentJob) =>
          continueBooking(scope, parts, appointmentId, { at: environmentNow(scope) }),
        ),
      ),
      ...handleJob(
        SETTLE_ATTEMPT,
        inEnvironment(stores, (scope, job: AppointmentJob) => settle(scope, parts, job)),
      ),
      run_due_appointments: (_payload, signal) => runAllDueAppointments(stores, parts, signal),
    },
    schedule: '* * * * * run_due_appointments',
  }
}

/** @throws ProviderUnavailable so that it is tried again */
async function cancelAtProvider(
  { environment }: Scope,
  { scheduling }: Parts,
  { appointmentId, provider }: CancelAtProviderJob,
): Promise<void> {
  const gateway = scheduling.find(environment.kind, provider)
  const appointment = { environmentId: environment.id, appointmentId }
  await callProvider(async () => gateway?.cancel(appointment))
}

/** One that somebody works on may be cut short still. @throws ProviderUnavailable so that it is tried again */
async function settle(scope: Scope, parts: Parts, job: AppointmentJob): Promise<void> {
  const heldUntil = await settleAttempt(scope, parts, job.appointmentId)
  if (heldUntil !== undefined) await addJob(scope.db, SETTLE_ATTEMPT, job, { runAt: heldUntil })
}

/** In every environment in which something is due. */
export async function runAllDueAppointments(
  stores: Stores,
  parts: Parts,
  signal: AbortSignal,
): Promise<void> {
  for (const id of await listEnvironmentsWithDueAppointments(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope === undefined) continue
    await runDueAppointments(scope, parts, { askProvider: askByJob })
  }
}

/** Silent providers are waited for by jobs of their own: nothing else waits for them. */
async function askByJob({ db, environment }: Scope, { id }: DueAppointment): Promise<void> {
  const job = { environmentId: environment.id, appointmentId: id }
  await addJob(db, CONTINUE_BOOKING, job, { key: `continue:${id}` })
}
