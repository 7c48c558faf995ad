import type Type from 'typebox'
import type { TSchema } from 'typebox'

/** One kind of event: what its name, its payload and its documentation derive from. */
export interface EventType<Data extends TSchema = TSchema> {
  /** As in `event_type` and in the filters of endpoints. */
  name: string
  /** Shape of `data` in the envelope. */
  data: Data
  /** One sentence: when it is raised. */
  meaning: string
  /** Events about no person have no user_id. */
  isAboutUser: boolean
  /** A valid `data`, sent by "send an example" and shown in the docs. */
  example: Type.Static<Data>
}

/** Ties the example to the schema; events are written by passing what this returns. */
export function defineEvent<Data extends TSchema>(type: EventType<Data>): EventType<Data> {
  return type
}
