import { EVENT_TYPES, type EventDataByType } from './events.generated.ts'

/** Name of an event that this version of the SDK knows. */
export type EventTypeName = keyof EventDataByType

/** What every event has beside its type and its data. */
export interface EventEnvelope {
  /** The person that the event is about; events about no person have none. */
  user_id?: string
  /** Your own id of that person. */
  client_user_id?: string
  team_id: string
}

/**
 * The type of an event that this version of the SDK does not know. At run time it is the text that
 * was sent. A plain `string` would hold the known names too, and comparing it would narrow nothing.
 */
export declare enum UnknownEventType {
  name = 'any name that this version of the SDK does not know',
}

/** An event of a newer server. Receivers must ignore it, and answer as if they had used it. */
export interface UnknownEvent extends EventEnvelope {
  event_type: UnknownEventType
  data: unknown
}

interface EventOf<Name extends EventTypeName> extends EventEnvelope {
  event_type: Name
  data: EventDataByType[Name]
}

/** An event of one of the named types; without names, any event that the SDK knows. */
export type KnownEvent<Name extends EventTypeName = EventTypeName> = {
  [Each in Name]: EventOf<Each>
}[Name]

/** What the body of a webhook holds. Comparing `event_type` narrows `data`. */
export type SalusEvent = KnownEvent | UnknownEvent

type PrefixOf<Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? Head | `${Head}.${PrefixOf<Rest>}`
  : never

/** The leading parts of event types, such as `daily.data` or `daily.data.heartrate`. */
export type EventTypePrefix = PrefixOf<EventTypeName>

type EventTypeUnder<Prefix extends string> = Extract<EventTypeName, `${Prefix}.${string}`>

/** Tells whether an event is of one type, and narrows its data. */
export function isEvent<Name extends EventTypeName>(
  event: SalusEvent,
  name: Name,
): event is Extract<SalusEvent, { event_type: Name }> {
  return event.event_type === name
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * Tells whether an event is of any of the types that start with these parts, and narrows its data.
 * An event that the SDK does not know is of none, because nothing is known about its data.
 */
export function isEventUnder<Prefix extends EventTypePrefix>(
  event: SalusEvent,
  prefix: Prefix,
): event is Extract<SalusEvent, { event_type: EventTypeUnder<Prefix> }> {
  return event.event_type.startsWith(`${prefix}.`) && KNOWN_TYPES.has(event.event_type)
}
