/** The appointment that holds a seat, or asked for one. */
export interface BookingReference {
  environmentId: string
  appointmentId: string
}

/** A seat of a slot. */
export interface Seat {
  /** Whose slots these are: the calendar of a site, or of an area of a provider. */
  calendar: string
  start: Date
  /** How many appointments the slot takes; the same each time. */
  capacity: number
}

/** What a provider says of a booking some time after it took it. */
export interface LaterAnswer {
  /** In the environment's own time. */
  at: Date
  kind: 'appointment_scheduled' | 'appointment_cancelled'
}

export interface Booking {
  /** Null of one for which a time is still to be set. */
  seat: Seat | null
  /** In the environment's own time. */
  now: Date
  /** What the provider says later, if anything. */
  later: LaterAnswer | null
}

export type Taken =
  /** It has the seat, and had it before unless this is new. `since` is when it was given. */
  | { state: 'taken'; isNew: boolean; since: Date }
  /** The slot is full; what the appointment had before it still has. */
  | { state: 'full' }
  /** The appointment was cancelled. */
  | { state: 'cancelled' }

/**
 * Where the providers of sandboxes keep which seats are taken: the same for all processes, and
 * exact however calls meet.
 */
export interface SlotStore {
  /**
   * Seats taken of the slots of a calendar that start in a span; slots of which none is may be left
   * out.
   */
  listTaken(
    slots: { environmentId: string; calendar: string },
    from: Date,
    before: Date,
  ): Promise<{ start: Date; taken: number }[]>
  /** The seat that an appointment has. */
  findSeat(booking: BookingReference): Promise<Seat | undefined>
  /**
   * Gives an appointment a seat in place of the one that it has. The same one again changes
   * nothing.
   */
  take(booking: BookingReference, wanted: Booking): Promise<Taken>
  /** Gives the seat back, if there is one. After that the appointment gets none. */
  cancel(booking: BookingReference): Promise<void>
}
