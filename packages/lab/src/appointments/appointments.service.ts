import { findUserReference, type UserReference } from '@salus/accounts/users'
import type { EventType } from '@salus/contracts/event-type'
import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { TransactionScope } from '@salus/kernel/scope'
import { showAppointment, toAppointment } from './appointment.presenter.ts'
import {
  appointmentCreated,
  appointmentReminder,
  appointmentUpdated,
} from './appointments.events.ts'
import { APPOINTMENT_TRANSITIONS, eventStatusOf } from './appointments.machine.ts'
import {
  type AppointmentEventRow,
  type AppointmentRow,
  insertAppointment,
  insertAppointmentEvent,
  updateAppointmentRow,
} from './appointments.repository.ts'
import type { Appointment, AppointmentStatus } from './appointments.schema.ts'
import type { AppointmentEventData } from './appointments.tables.ts'

/** A new appointment; {@link createAppointment} sets the columns that are left out. */
export type AppointmentDraft = Omit<
  AppointmentRow,
  'environment_id' | 'created_at' | 'updated_at' | 'ask_at' | 'remind_at'
> & { eventData: AppointmentEventData | null }

/** Fields of an appointment that may change beside its status. */
export type AppointmentChanges = Partial<
  Pick<
    AppointmentRow,
    | 'address'
    | 'lng'
    | 'lat'
    | 'site_code'
    | 'start_at'
    | 'end_at'
    | 'time_zone'
    | 'provider_id'
    | 'external_id'
    | 'can_reschedule'
    | 'notes'
    | 'confirm_by'
    | 'cancel_at'
  >
>

export interface AppointmentTransition {
  to: AppointmentStatus
  at: Date
  data?: AppointmentEventData | null
  /** Further changes of the appointment. */
  changes?: AppointmentChanges
}

export interface CancelAtProviderJob {
  environmentId: string
  /** Id under which the provider knows the appointment. */
  appointmentId: string
  provider: AppointmentProvider
}

/** Job that cancels an appointment at its provider, with attempts for about 24 hours. */
export const CANCEL_AT_PROVIDER = defineJob<CancelAtProviderJob>('cancel_appointment_at_provider', {
  maxAttempts: 12,
})

/**
 * Stores an appointment with its first event, and emits labtest.appointment.created and .updated in
 * the open transaction.
 * @param at in the environment's own time
 * @returns the row and the wire object
 * @throws AppError 400 `appointment_exists`
 */
export async function createAppointment(
  tx: TransactionScope,
  { eventData, ...draft }: AppointmentDraft,
  at: Date,
): Promise<{ row: AppointmentRow; appointment: Appointment }> {
  const stored = {
    ...draft,
    address: JSON.stringify(draft.address),
    ask_at: draft.confirm_by && at,
    remind_at: remindAt(draft, at),
    created_at: at,
    updated_at: at,
  }
  const first = { status: eventStatusOf(draft.status), data: eventData }
  // They share a round trip.
  const [made, user] = await Promise.all([
    insertAppointment(tx, stored, first),
    findUserReference(tx, draft.user_id),
  ])
  if (made === undefined) {
    const message = 'The order or the provider already has an active appointment.'
    throw badRequest('appointment_exists', message)
  }
  const { row, event } = made
  const appointment = toAppointment(row, [event])
  await writeAppointmentEvents(tx, user, appointment, [appointmentCreated, appointmentUpdated])
  return { row, appointment }
}

/**
 * Gives a locked appointment a status, or repeats its status when it is rescheduled. Appends the
 * event and emits labtest.appointment.updated. When the cancellation does not come from the
 * provider (`data.origin`), a job cancels the appointment there.
 * @throws Error for a transition that the state machine does not have
 */
export async function transitionAppointment(
  tx: TransactionScope,
  row: AppointmentRow,
  { to, at: givenAt, data = null, changes = {} }: AppointmentTransition,
): Promise<AppointmentRow> {
  if (!APPOINTMENT_TRANSITIONS[row.status].includes(to)) {
    throw new Error(`An appointment that is ${row.status} cannot become ${to}.`)
  }
  // Messages may come late, but events never go back in time.
  const at = laterOf(givenAt, row.updated_at)
  const next = { ...row, ...changes, status: to }
  const isWaiting = to === 'pending' || to === 'reserved'
  const changed = await updateAppointmentRow(tx, row.id, {
    ...storedForm(changes),
    status: to,
    // No transition leads to `pending`, and other statuses do not wait for the provider.
    ask_at: null,
    confirm_by: null,
    cancel_at: isWaiting ? next.cancel_at : null,
    remind_at: remindAt(next, at, row),
    updated_at: at,
  })
  await appendEvent(tx, changed, data, at)
  await emitEvents(tx, await showAppointment(tx, changed), appointmentUpdated)
  const isOwnDoing = to === 'cancelled' && data?.origin !== 'provider'
  if (isOwnDoing) await addCancelJob(tx, changed)
  return changed
}

/**
 * Changes a locked appointment without an event of its own, and emits labtest.appointment.updated.
 */
export async function updateAppointment(
  tx: TransactionScope,
  row: AppointmentRow,
  changes: AppointmentChanges,
  at: Date,
): Promise<AppointmentRow> {
  const changed = await updateAppointmentRow(tx, row.id, {
    ...storedForm(changes),
    remind_at: remindAt({ ...row, ...changes }, at, row),
    updated_at: laterOf(at, row.updated_at),
  })
  await emitEvents(tx, await showAppointment(tx, changed), appointmentUpdated)
  return changed
}

/**
 * Clears the time at which a locked appointment would be cancelled without a requisition. Emits no
 * event.
 */
export async function clearCancellationTime(
  tx: TransactionScope,
  row: AppointmentRow,
): Promise<AppointmentRow> {
  return row.cancel_at === null ? row : updateAppointmentRow(tx, row.id, { cancel_at: null })
}

/** Emits the reminder of a locked appointment and clears it. */
export async function emitReminder(
  tx: TransactionScope,
  row: AppointmentRow,
): Promise<AppointmentRow> {
  const reminded = await updateAppointmentRow(tx, row.id, { remind_at: null })
  await emitEvents(tx, await showAppointment(tx, reminded), appointmentReminder)
  return reminded
}

type Timed = Pick<AppointmentRow, 'status' | 'start_at' | 'remind_at'>

const isHeld = ({ status }: Pick<Timed, 'status'>): boolean =>
  status === 'reserved' || status === 'confirmed'

/**
 * Returns when the team is reminded: a day before the start of a reserved or confirmed appointment,
 * if that is in the future. An unchanged start keeps its reminder, also one that was already sent.
 */
function remindAt(next: Pick<Timed, 'status' | 'start_at'>, at: Date, before?: Timed): Date | null {
  const { start_at: startAt } = next
  if (startAt === null || !isHeld(next)) return null
  const isKept = before && isHeld(before) && before.start_at?.getTime() === startAt.getTime()
  if (isKept) return before.remind_at
  const due = new Date(startAt.getTime() - DAY_MS)
  return due > at ? due : null
}

const laterOf = (one: Date, other: Date): Date => (one < other ? other : one)

function storedForm({ address, ...changes }: AppointmentChanges) {
  return { ...changes, ...(address !== undefined && { address: JSON.stringify(address) }) }
}

function appendEvent(
  tx: TransactionScope,
  { id, status }: AppointmentRow,
  data: AppointmentEventData | null,
  at: Date,
): Promise<AppointmentEventRow> {
  const event = { status: eventStatusOf(status), data, created_at: at }
  return insertAppointmentEvent(tx, { appointment_id: id, ...event })
}

/** Emits events with the current appointment; none for a deleted person. */
async function emitEvents(
  tx: TransactionScope,
  data: Appointment,
  ...types: EventType<typeof Appointment>[]
): Promise<void> {
  await writeAppointmentEvents(tx, await findUserReference(tx, data.user_id), data, types)
}

async function writeAppointmentEvents(
  tx: TransactionScope,
  user: UserReference | undefined,
  data: Appointment,
  types: readonly EventType<typeof Appointment>[],
): Promise<void> {
  if (user === undefined) return
  await writeEvents(
    tx,
    types.map((type) => newEvent({ type, user, data, subjectIds: [data.id, data.order_id] })),
  )
}

function addCancelJob({ db, environment }: TransactionScope, row: AppointmentRow): Promise<void> {
  const { id: appointmentId, provider } = row
  const job = { environmentId: environment.id, appointmentId, provider }
  return addJob(db, CANCEL_AT_PROVIDER, job)
}
