import { inEnvironment } from '@salus/accounts/teams'
import { ProviderUnavailable } from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { addJob, handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
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

/** Pause before a job is repeated during maintenance of its provider. */
const MAINTENANCE_MS = 5 * MINUTE_MS

/**
 * Cancels an appointment at its provider. During announced maintenance another job does it later,
 * so that no attempt is used up.
 * @throws ProviderUnavailable so that the job is retried
 */
async function cancelAtProvider(
  { db, clock, environment }: Scope,
  { scheduling }: Parts,
  { appointmentId, provider }: CancelAtProviderJob,
): Promise<void> {
  const gateway = scheduling.find(environment.kind, provider)
  if (gateway === undefined) return
  try {
    await callProvider(() => gateway.cancel({ environmentId: environment.id, appointmentId }))
  } catch (error) {
    if (!(error instanceof ProviderUnavailable && error.isMaintenance)) throw error
    const job = { environmentId: environment.id, appointmentId, provider }
    const runAt = new Date(clock.now().getTime() + MAINTENANCE_MS)
    await addJob(db, CANCEL_AT_PROVIDER, job, { runAt })
  }
}
