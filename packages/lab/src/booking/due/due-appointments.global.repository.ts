import type { Db } from '@salus/kernel/postgres/database'
import { type Compilable, sql } from 'kysely'
import type { AppointmentJob } from '../booking-job.ts'
import { DUE_AT, isOfShownOrder } from './due-appointments.repository.ts'

/**
 * Returns the environments of live teams in which something is due by their own time. That time is
 * never behind the real time, so one index range finds what is due by the real time; only sandboxes
 * with an advanced clock are examined individually.
 */
export function selectDueEnvironments(
  db: Db,
  now: Date,
): Compilable<{ id: string }> & { execute(): Promise<{ id: string }[]> } {
  const due = db
    .selectFrom('appointments')
    .select('environment_id')
    .where(DUE_AT, '<=', now)
    .where(isOfShownOrder)
  const dueAhead = db
    .selectFrom('team_environments as ahead')
    .select('ahead.id as environment_id')
    .where('ahead.clock_offset_seconds', '>', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('appointments')
          .select('appointments.id')
          .whereRef('appointments.environment_id', '=', 'ahead.id')
          .where(
            sql<boolean>`${DUE_AT} <= ${now}::timestamptz
              + make_interval(secs => ahead.clock_offset_seconds)`,
          )
          .where(isOfShownOrder),
      ),
    )
  return db
    .selectFrom(due.union(dueAhead).as('found'))
    .innerJoin('team_environments as environment', 'environment.id', 'found.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('environment.id')
    .where('team.deleted_at', 'is', null)
}

export async function listEnvironmentsWithDueAppointments(db: Db, now: Date): Promise<string[]> {
  const rows = await selectDueEnvironments(db, now).execute()
  return rows.map(({ id }) => id)
}

const MOST_AT_ONCE = 1_000

/** Returns the attempts of live teams that were abandoned before a time, oldest first. */
export function listAbandonedAttempts(db: Db, before: Date): Promise<AppointmentJob[]> {
  return db
    .selectFrom('booking_attempts as attempt')
    .innerJoin('team_environments as environment', 'environment.id', 'attempt.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select(['environment.id as environmentId', 'attempt.appointment_id as appointmentId'])
    .where('held_until', '<=', before)
    .where('team.deleted_at', 'is', null)
    .orderBy('held_until')
    .limit(MOST_AT_ONCE)
    .execute()
}
