import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { environmentNow, type Scope, type Stores } from '@salus/kernel/scope'
import { CANCEL_AT_PROVIDER, type CancelAtProviderJob } from '../appointments/index.ts'
import { type AppointmentJob, CONTINUE_BOOKING, SETTLE_ATTEMPT } from './booking-job.ts'
import type { BookingParts } from './booking-parts.ts'
import { settleAttempt } from './commands/settle-attempt.service.ts'
import { continueBooking } from './due/continue-booking.service.ts'
import { runDueEverywhere } from './due/run-due-everywhere.service.ts'
import { callProvider } from './provider-calls.ts'

type Parts = Pick<BookingParts, 'scheduling'>

/** Background jobs of appointments: recovery after failures, and timed changes. */
export function bookingJobs(stores: Stores, parts: Parts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        SETTLE_ATTEMPT,
        inEnvironment(stores, (scope, { appointmentId }: AppointmentJob) =>
          settleAttempt(scope, parts, appointmentId),
        ),
      ),
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
      run_due_appointments: (_payload, signal) => runDueEverywhere(stores, parts, signal),
    },
    schedule: '* * * * * run_due_appointments',
  }
}

/**
 * Cancels an appointment at its provider.
 * @throws ProviderUnavailable so that the job is retried
 */
async function cancelAtProvider(
  { environment }: Scope,
  { scheduling }: Parts,
  { appointmentId, provider }: CancelAtProviderJob,
): Promise<void> {
  const gateway = scheduling.find(environment.kind, provider)
  if (gateway === undefined) return
  await callProvider(() => gateway.cancel({ environmentId: environment.id, appointmentId }))
}
