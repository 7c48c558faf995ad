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
 * The order of an update: by Salus' own id where the sender knows it, otherwise by its numbers.
 * Each is tried in the order of the fields.
 */
const OrderReference = Strict({
  orderId: Type.Optional(Type.String()),
  /** Numbers that Salus gave the requisition or its tests (placer numbers). */
  placerNumbers: Type.Optional(Type.Array(Type.String())),
  /** Numbers that the laboratory gave the tests (filler numbers). */
  fillerNumbers: Type.Optional(Type.Array(Type.String())),
  /** The laboratory's requisition or control number, or the number on the kit. */
  sampleId: Type.Optional(Type.String()),
  labSlug: Type.String(),
})
export type OrderReference = Type.Static<typeof OrderReference>

const Update = <const K extends string, P extends TProperties>(kinds: readonly K[], data: P) =>
  Strict({
    kind: TextEnum(kinds as readonly [K, ...K[]]),
    order: OrderReference,
    /** Time at which it happened; the time of receipt where the sender gives none. */
    at: Type.Optional(Instant),
    ...data,
  })

const Detail = Nullable(TextEnum(STATUS_DETAILS))

/** The provider's id of the appointment; without it, the active appointment of the order. */
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

/** Updates of the life cycle that have no data beside their kind. */
const BARE_UPDATES = (Object.keys(CAUSES) as PlainUpdate[]).filter(
  (cause): cause is BareUpdate =>
    CAUSES[cause].by === 'update' &&
    !cause.includes(' ') &&
    !(WITH_DATA as readonly string[]).includes(cause),
)

/** An update about an order from a laboratory, courier, kit vendor or phlebotomist. JSON. */
export const OrderUpdate = Type.Union([
  Update(['requisition_accepted'], { sampleId: Nullable(Type.String()) }),
  // Codes and fields, without the laboratory's text.
  Update(['requisition_refused'], {
    code: Type.String({ maxLength: 100 }),
    location: Nullable(Type.String({ maxLength: 100 })),
  }),
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
  // A phlebotomist on the way, or drawing, does not change the order.
  Update(['appointment_pending', 'appointment_in_progress'], OfAppointment),
  // Confirms the requested time, or sets a time that the provider chose.
  Update(['appointment_scheduled'], Confirmed),
  Update(['appointment_scheduled'], { ...Confirmed, startAt: Instant, endAt: Instant }),
  Update(['appointment_cancelled'], {
    ...OfAppointment,
    reason: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  Update(['report'], { report: ResultMessage }),
])
export type OrderUpdate = Type.Static<typeof OrderUpdate>

/** Updates that change an order directly; reports are handled with the results. */
export type StatusUpdate = Exclude<OrderUpdate, { kind: 'report' }>

/** Updates about an appointment, from its provider. */
export type AppointmentUpdate = Extract<StatusUpdate, { kind: `appointment_${string}` }>

/** Whether an update goes to the appointment instead of the order. */
export function isAppointmentUpdate(update: StatusUpdate): update is AppointmentUpdate {
  return update.kind.startsWith('appointment_')
}

/** Updates that change no status. An order whose requisition was refused waits for a retry. */
const NO_CAUSES = new Set<StatusUpdate['kind']>([
  'kit_dispatched',
  'appointment_in_progress',
  'requisition_refused',
])

/**
 * Returns the cause that an update is; undefined for one that changes no status.
 */
export function causeOfUpdate(update: StatusUpdate): CauseBy<'update'> | undefined {
  if (NO_CAUSES.has(update.kind)) return undefined
  if (update.kind !== 'scan') return update.kind as CauseBy<'update'>
  const cause = `${update.direction} ${update.scan}`
  return cause in CAUSES ? (cause as CauseBy<'update'>) : undefined
}
