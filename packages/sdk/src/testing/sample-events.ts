// what describeSdkEvents makes of sample-event-types.ts, below its notice

/** As people see it. */
export type Colour = 'red' | 'green'

/** Data with a property of every kind. */
export interface Everything {
  /** How far it is. */
  state:
    | 'waiting'
    | 'sent_to_laboratory'
    | 'received_by_laboratory'
    | 'in_analysis'
    | 'finished'
    | 'given_up'
  states: (
    | 'waiting'
    | 'sent_to_laboratory'
    | 'received_by_laboratory'
    | 'in_analysis'
    | 'finished'
    | 'given_up'
  )[]
  /** How far it is. */
  last_state:
    | 'waiting'
    | 'sent_to_laboratory'
    | 'received_by_laboratory'
    | 'in_analysis'
    | 'finished'
    | 'given_up'
    | null
  main_part: Part
  spare_part: Part | null
  parts: Part[]
  parts_by_name: Record<string, Part>
  counts?: Record<string, number | null>
  colours: (Colour | null)[]
  unit: 'bpm'
  version: 2
  is_final: boolean
  /** @deprecated */
  nothing: null
  either: string | number | null
  /** As the provider sent it. */
  anything: unknown
  list_of_anything: unknown[]
  empty: Record<string, never>
  open: Record<string, unknown>
  /** Not *\/* but a media type. */
  'content-type'?: string
  inner: {
    /**
     * A description so long that it does not fit into one line of the code, so it is broken between
     * words.
     */
    remark: string | null
  }
  inner_or_null: {
    /** @format date-time */
    at: string
  } | null
  inner_list: {
    /** @format date-time */
    at: string
    note?: string
  }[]
}

export interface Part {
  /** @format uuid */
  id: string
  /** As people see it. */
  colour: Colour | null
}

export type PartsByName = Record<string, Part>

/** Data of events by type. */
export interface EventDataByType {
  /** A sample was made. */
  'sample.everything.created': Everything
  /** A sample was changed. */
  'sample.everything.updated': Everything
  /** There are parts. */
  'sample.parts': PartsByName
  /** Its data has no title. */
  'sample.untitled': {
    count: number
    [name: string]: unknown
  }
}

/** Every event that this version knows. */
export const EVENT_TYPES: readonly (keyof EventDataByType)[] = [
  'sample.everything.created',
  'sample.everything.updated',
  'sample.parts',
  'sample.untitled',
]
