import type { Booking, Seat, SeatOutcome, SlotStore } from '@salus/contracts/lab-gateway'
import type { Db } from '@salus/kernel/postgres/database'
import { inOneTransaction } from '@salus/kernel/postgres/transaction'
import { type RowScope, rowScope } from '@salus/kernel/scope'
import * as repository from './sandbox-slots.repository.ts'

/** Thrown to roll back a booking without a free seat. */
class SlotFull extends Error {}

/** Thrown to roll back a booking that the provider already has. */
class KnownBooking extends Error {}

/** Creates the store of the simulated providers' bookings in PostgreSQL. */
export function createSlotStore(db: Db): SlotStore {
  const inTransaction = <Result>(
    environmentId: string,
    work: (scope: RowScope) => Promise<Result>,
  ): Promise<Result> =>
    inOneTransaction(db, (transaction) => work(rowScope(transaction, environmentId)))
  return {
    listTaken: ({ environmentId, calendar }, from, before) =>
      repository.listTakenSeats(rowScope(db, environmentId), calendar, from, before),
    findSeat: ({ environmentId, appointmentId }) =>
      repository.findSeat(rowScope(db, environmentId), appointmentId),
    async takeSeat({ environmentId, appointmentId }, wanted) {
      const take = (book: typeof addSeat) =>
        inTransaction(environmentId, (scope) => book(scope, appointmentId, wanted))
      try {
        return await take(addSeat).catch((error: unknown) => {
          if (error instanceof KnownBooking) return take(changeSeat)
          throw error
        })
      } catch (error) {
        if (error instanceof SlotFull) return { state: 'full' }
        throw error
      }
    },
    cancel: ({ environmentId, appointmentId }) =>
      inTransaction(environmentId, (scope) => cancelBooking(scope, appointmentId)),
  }
}

const fieldsOf = ({ seat, now, later }: Booking) => ({
  calendar: seat?.calendar ?? null,
  start_at: seat?.start ?? null,
  seated_at: now,
  answer_at: later?.at ?? null,
  answer: later?.kind ?? null,
})

/** Books a seat for a new booking. @throws KnownBooking, SlotFull */
async function addSeat(
  scope: RowScope,
  appointmentId: string,
  wanted: Booking,
): Promise<SeatOutcome> {
  const { seat, now } = wanted
  // They share a round trip; neither is kept without the other.
  const [isAdded, isSeated] = await Promise.all([
    repository.addBooking(scope, appointmentId, fieldsOf(wanted)),
    seat === null || repository.takeSeat(scope, seat),
  ])
  if (!isAdded) throw new KnownBooking()
  if (!isSeated) throw new SlotFull()
  return { state: 'taken', isNew: true, since: now }
}

/** Books another seat for a booking, unless it has the wanted one. @throws SlotFull */
async function changeSeat(
  scope: RowScope,
  appointmentId: string,
  wanted: Booking,
): Promise<SeatOutcome> {
  const { seat, now } = wanted
  const row = await repository.lockBooking(scope, appointmentId)
  if (row.is_cancelled || row.seated_at === null) return { state: 'cancelled' }
  const before = seatOf(row)
  if (compareSeats(before, seat) === 0) {
    return { state: 'taken', isNew: false, since: row.seated_at }
  }
  await exchangeSeats(scope, before, seat)
  await repository.updateBooking(scope, appointmentId, fieldsOf(wanted))
  return { state: 'taken', isNew: true, since: now }
}

async function cancelBooking(scope: RowScope, appointmentId: string): Promise<void> {
  // A cancellation that arrives before its delayed booking takes effect too.
  if (await repository.addBooking(scope, appointmentId, { is_cancelled: true })) return
  const row = await repository.lockBooking(scope, appointmentId)
  await exchangeSeats(scope, seatOf(row), null)
  const none = { calendar: null, start_at: null, answer_at: null, answer: null }
  await repository.updateBooking(scope, appointmentId, { is_cancelled: true, ...none })
}

type SlotKey = Pick<Seat, 'calendar' | 'start'>

const seatOf = ({ calendar, start_at: start }: repository.SandboxBookingRow): SlotKey | null =>
  calendar === null || start === null ? null : { calendar, start }

/**
 * Compares slots in the order in which they are locked, so that two exchanges of seats do not
 * deadlock.
 */
function compareSeats(one: SlotKey | null, other: SlotKey | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (one.calendar !== other.calendar) return one.calendar < other.calendar ? -1 : 1
  return one.start.getTime() - other.start.getTime()
}

/**
 * Exchanges the seat of a booking.
 * @throws SlotFull without a free seat; the caller must roll back
 */
async function exchangeSeats(
  scope: RowScope,
  before: SlotKey | null,
  wanted: Seat | null,
): Promise<void> {
  const isFirst = compareSeats(before, wanted) < 0
  if (before !== null && isFirst) await repository.releaseSeat(scope, before)
  if (wanted !== null && !(await repository.takeSeat(scope, wanted))) throw new SlotFull()
  if (before !== null && !isFirst) await repository.releaseSeat(scope, before)
}
