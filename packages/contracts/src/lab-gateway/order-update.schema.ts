import Type, { type TProperties } from 'typebox'
import {
  CAUSES,
  type CauseBy,
  DIRECTIONS,
  type PlainUpdate,
  SCANS,
  STATUS_DETAILS,
} from '../order-lifecycle/index.ts'
import { Nullable, TextEnum } from '../schema-types.ts'
import { Instant, ResultMessage, Strict } from './result-message.schema.ts'

/** Slugs of couriers (docs/contract/11-orders.md#shipment). */
export const COURIERS = ['usps', 'ups', 'fedex', 'dhl', 'other'] as const
export type Courier = (typeof COURIERS)[number]

/**
 * Which order an update is about: by our own id where the sender was told it, else by its number.
 */
const OrderReference = Strict({
  orderId: Type.Optional(Type.String()),
  /** The laboratory's requisition or control number, or the number on the kit. */
  sampleId: Type.Optional(Type.String()),
  labSlug: Type.String(),
})
export type OrderReference = Type.Static<typeof OrderReference>

const Update = <const K extends string, P extends TProperties>(kinds: readonly K[], data: P) =>
  Strict({
    kind: TextEnum(kinds as readonly [K, ...K[]]),
    order: OrderReference,
    /** When it happened; when it was received, where the sender does not say. */
    at: Type.Optional(Instant),
    ...data,
  })

const Detail = Nullable(TextEnum(STATUS_DETAILS))

/** The id under which the provider knows an appointment; the active one of the order without it. */
const OfAppointment = { appointmentId: Type.Optional(Type.String()) }
const Confirmed = { ...OfAppointment, externalId: Type.Optional(Nullable(Type.String())) }
const WITH_DATA = [
  'requisition_accepted',
  'processing_blocked',
  'sample_error',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
] as const
type BareUpdate = Exclude<PlainUpdate, (typeof WITH_DATA)[number]>

/** Updates that say all there is by their kind: those of the life cycle that carry nothing else. */
const BARE_UPDATES = (Object.keys(CAUSES) as PlainUpdate[]).filter(
  (cause): cause is BareUpdate =>
    CAUSES[cause].by === 'update' &&
    !cause.includes(' ') &&
    !(WITH_DATA as readonly string[]).includes(cause),
)

/** What laboratories, couriers, kit vendors and phlebotomists say of an order. JSON. */
export const OrderUpdate = Type.Union([
  Update(['requisition_accepted'], { sampleId: Nullable(Type.String()) }),
  Update(['kit_dispatched'], { sampleId: Type.String() }),
  Update(['scan'], {
    direction: TextEnum(DIRECTIONS),
    scan: TextEnum(SCANS),
    courier: TextEnum(COURIERS),
    trackingNumber: Type.String(),
    trackingUrl: Nullable(Type.String()),
  }),
  Update(['processing_blocked', 'sample_error'], { detail: Detail }),
  Update(BARE_UPDATES, {}),
  // That somebody is on the way or drawing does nothing to the order.
  Update(['appointment_pending', 'appointment_in_progress'], OfAppointment),
  // Its time stands as it was asked for, or is the one that the provider sets, also another one.
  Update(['appointment_scheduled'], Confirmed),
  Update(['appointment_scheduled'], { ...Confirmed, startAt: Instant, endAt: Instant }),
  Update(['appointment_cancelled'], {
    ...OfAppointment,
    reason: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  Update(['report'], { report: ResultMessage }),
])
export type OrderUpdate = Type.Static<typeof OrderUpdate>

/** Updates that do something to an order by themselves; reports go through the results. */
export type StatusUpdate = Exclude<OrderUpdate, { kind: 'report' }>

/** What a provider of appointments says of one. */
export type AppointmentUpdate = Extract<StatusUpdate, { kind: `appointment_${string}` }>

/**
 * True for what a provider of appointments says, which goes to the appointment and not to the
 * order.
 */
export function isOfAppointment(update: StatusUpdate): update is AppointmentUpdate {
  return update.kind.startsWith('appointment_')
}

/**
 * What an update is a cause of; undefined for one that only says something of a parcel or a visit.
 */
export function causeOf(update: StatusUpdate): CauseBy<'update'> | undefined {
  if (update.kind === 'kit_dispatched' || update.kind === 'appointment_in_progress') {
    return undefined
  }
  if (update.kind !== 'scan') return update.kind
  const cause = `${update.direction} ${update.scan}`
  return cause in CAUSES ? (cause as CauseBy<'update'>) : undefined
}
