import type Type from 'typebox'
import type { TSchema } from 'typebox'

/** An event type, from which the event's name, payload and documentation derive. */
export interface EventType<Data extends TSchema = TSchema> {
  /** Name in `event_type` and in the filters of endpoints. */
  name: string
  /** Shape of `data` in the envelope. */
  data: Data
  /** One sentence that says when the event is raised. */
  meaning: string
  /** Whether the event is about a user; other events have no user_id. */
  isAboutUser: boolean
  /** A valid `data`, which "send an example" sends and the docs show. */
  example: Type.Static<Data>
}

/** Defines an event type and checks its example against the schema. */
export function defineEvent<Data extends TSchema>(type: EventType<Data>): EventType<Data> {
  return type
}
