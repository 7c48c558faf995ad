import { EVENT_TYPES, type EventDataByType } from './events.generated.ts'

/** Name of an event that this version of the SDK knows. */
export type EventTypeName = keyof EventDataByType

/** Fields of every event beside its type and its data. */
export interface EventEnvelope {
  /** Id of the person that the event is about; absent in events about no person. */
  user_id?: string
  /** Your own id of that person. */
  client_user_id?: string
  team_id: string
}

/**
 * Type of an event that this version of the SDK does not know. At run time it is the text that was
 * sent. A plain `string` would include the known names too, so comparing it would narrow nothing.
 */
export declare enum UnknownEventType {
  name = 'any name that this version of the SDK does not know',
}

/** An event of a newer server. Receivers must ignore it, and respond as if they had used it. */
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

/** Body of a webhook message. Comparing `event_type` narrows `data`. */
export type SalusEvent = KnownEvent | UnknownEvent

type PrefixOf<Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? Head | `${Head}.${PrefixOf<Rest>}`
  : never

/** Leading parts of event types, such as `daily.data` or `daily.data.heartrate`. */
export type EventTypePrefix = PrefixOf<EventTypeName>

type EventTypeUnder<Prefix extends string> = Extract<EventTypeName, `${Prefix}.${string}`>

/** Returns whether an event is of one type, and narrows its data. */
export function isEvent<Name extends EventTypeName>(
  event: SalusEvent,
  name: Name,
): event is Extract<SalusEvent, { event_type: Name }> {
  return event.event_type === name
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * Returns whether an event is of any of the types that start with these parts, and narrows its
 * data. It returns false for an event that the SDK does not know, because its data have no type.
 */
export function isEventUnder<Prefix extends EventTypePrefix>(
  event: SalusEvent,
  prefix: Prefix,
): event is Extract<SalusEvent, { event_type: EventTypeUnder<Prefix> }> {
  return event.event_type.startsWith(`${prefix}.`) && KNOWN_TYPES.has(event.event_type)
}
