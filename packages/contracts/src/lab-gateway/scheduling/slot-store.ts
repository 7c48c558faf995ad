/** The appointment that holds a seat or requested one. */
export interface BookingReference {
  environmentId: string
  appointmentId: string
}

/** A seat of a slot. */
export interface Seat {
  /** Calendar of the slots: of a site, or of an area of a provider. */
  calendar: string
  start: Date
  /** Number of appointments that the slot takes; the same in every call. */
  capacity: number
}

/** A later answer of a provider to a booking that it accepted. */
export interface DelayedAnswer {
  /** In the environment's own time. */
  at: Date
  kind: 'appointment_scheduled' | 'appointment_cancelled'
}

export interface Booking {
  /** Null for an appointment whose time is not yet set. */
  seat: Seat | null
  /** Time of the environment. */
  now: Date
  /** Later answer of the provider, if any. */
  later: DelayedAnswer | null
}

export type SeatOutcome =
  /**
   * The appointment has the seat; `isNew` is false when it had it before. `since` is when it got
   * it.
   */
  | { state: 'taken'; isNew: boolean; since: Date }
  /** The slot is full; the appointment keeps the seat that it had. */
  | { state: 'full' }
  /** The appointment was cancelled. */
  | { state: 'cancelled' }

/**
 * Stores the taken seats of the providers of sandboxes. It is shared by all processes and exact
 * under concurrent calls.
 */
export interface SlotStore {
  /**
   * Returns the taken seats of slots of a calendar that start in a span. Slots without any may be
   * left out.
   */
  listTaken(
    slots: { environmentId: string; calendar: string },
    from: Date,
    before: Date,
  ): Promise<{ start: Date; taken: number }[]>
  /** Returns the seat of an appointment. */
  findSeat(booking: BookingReference): Promise<Seat | undefined>
  /** Gives an appointment a seat in place of its present one. A repeated call changes nothing. */
  takeSeat(booking: BookingReference, wanted: Booking): Promise<SeatOutcome>
  /** Releases the seat, if any. The appointment cannot get another one. */
  cancel(booking: BookingReference): Promise<void>
}
