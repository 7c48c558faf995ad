import type { Booking, Seat, SlotStore, Taken } from '@salus/contracts/lab-gateway'
import type { Db } from '@salus/kernel/postgres/database'
import { type RowScope, rowScope } from '@salus/kernel/scope'
import * as repository from './sandbox-slots.repository.ts'

/** Undoes the transaction of a booking for which there is no seat. */
class SlotFull extends Error {}

/** Where the providers of sandboxes keep their bookings: in PostgreSQL. */
export function createSlotStore(db: Db): SlotStore {
  const inTransaction = <Result>(
    environmentId: string,
    work: (scope: RowScope) => Promise<Result>,
  ): Promise<Result> =>
    db.transaction().execute((transaction) => work(rowScope(transaction, environmentId)))
  return {
    listTaken: ({ environmentId, calendar }, from, before) =>
      repository.listTakenSeats(rowScope(db, environmentId), calendar, from, before),
    findSeat: ({ environmentId, appointmentId }) =>
      repository.findSeat(rowScope(db, environmentId), appointmentId),
    async take({ environmentId, appointmentId }, wanted) {
      try {
        return await inTransaction(environmentId, (scope) => take(scope, appointmentId, wanted))
      } catch (error) {
        if (error instanceof SlotFull) return { state: 'full' }
        throw error
      }
    },
    cancel: ({ environmentId, appointmentId }) =>
      inTransaction(environmentId, (scope) => cancel(scope, appointmentId)),
  }
}

/** @throws SlotFull */
async function take(scope: RowScope, appointmentId: string, wanted: Booking): Promise<Taken> {
  const { seat, now, later } = wanted
  const fields = {
    calendar: seat?.calendar ?? null,
    start_at: seat?.start ?? null,
    seated_at: now,
    answer_at: later?.at ?? null,
    answer: later?.kind ?? null,
  }
  if (await repository.addBooking(scope, appointmentId, fields)) {
    await exchangeSeats(scope, null, seat)
    return { state: 'taken', isNew: true, since: now }
  }
  const row = await repository.lockBooking(scope, appointmentId)
  if (row.is_cancelled || row.seated_at === null) return { state: 'cancelled' }
  const before = seatOf(row)
  if (compareSeats(before, seat) === 0) {
    return { state: 'taken', isNew: false, since: row.seated_at }
  }
  await exchangeSeats(scope, before, seat)
  await repository.updateBooking(scope, appointmentId, fields)
  return { state: 'taken', isNew: true, since: now }
}

async function cancel(scope: RowScope, appointmentId: string): Promise<void> {
  // One that comes before its booking, which was on the way for long, holds as well.
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
 * The order in which slots are locked, so that two who exchange seats do not wait for each other.
 */
function compareSeats(one: SlotKey | null, other: SlotKey | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (one.calendar !== other.calendar) return one.calendar < other.calendar ? -1 : 1
  return one.start.getTime() - other.start.getTime()
}

/** @throws SlotFull when there is no seat to be had; then nothing must be kept */
async function exchangeSeats(
  scope: RowScope,
  before: SlotKey | null,
  wanted: Seat | null,
): Promise<void> {
  const isFirst = compareSeats(before, wanted) < 0
  if (before !== null && isFirst) await repository.giveSeatBack(scope, before)
  if (wanted !== null && !(await repository.takeSeat(scope, wanted))) throw new SlotFull()
  if (before !== null && !isFirst) await repository.giveSeatBack(scope, before)
}
