import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { SERIES, type Series, SOURCE_TYPES, sampleGroupSchema } from '@salus/contracts/series'
import Type from 'typebox'

/** Type of a column; `long_text` is a text that rarely repeats. All but lists may be null. */
export type SummaryColumnType =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'long_text'
  | 'date'
  /** A JSON text, empty when there is none. */
  | 'json'
  /** A list of whole numbers, empty when there is none. */
  | 'integers'

/** Columns of a table of summaries, in its order. */
export type SummaryColumns = Readonly<Record<string, SummaryColumnType>>

/**
 * Source of a summary, the same object as that of samples
 * (docs/contract/04-providers.md#source-object).
 */
export const { source: SummarySource } = sampleGroupSchema(SERIES[0] as Series).properties

/** A number or null; the text has the unit. */
export const Amount = (unit: string, options: object = {}) =>
  Nullable(Type.Number({ description: unit, ...options }))

/** A whole number or null; the text has the unit. */
export const Count = (unit: string, options: object = {}) =>
  Nullable(Type.Integer({ description: unit, ...options }))

/** A whole number that is never null. */
export const Whole = (unit: string) => Type.Integer({ description: unit })

export const TimezoneOffset = Nullable(
  Type.Integer({ description: 'Offset from UTC in seconds where the user was.' }),
)

export const TimeZone = Nullable(Type.String({ description: 'IANA time zone.' }))

/** A date that is never null, as YYYY-MM-DD; the text describes it. */
export const CalendarDate = (meaning: string) =>
  Type.String({ format: 'date', description: meaning })

/** Fields at the start of every summary. */
export const identity = { id: Uuid, user_id: Uuid }

/** The deprecated date beside a calendar date. */
export const deprecatedDate = {
  date: Type.String({
    format: 'date-time',
    deprecated: true,
    description: 'Calendar date at 00:00 UTC.',
  }),
}

/** Fields at the end of every summary. */
export const provenance = {
  source: SummarySource,
  created_at: Type.String({
    format: 'date-time',
    description: 'Time at which it was first received.',
  }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'Time at which its last change was received.',
  }),
}

/** The source as separate fields, which some objects repeat. */
export const flatSource = {
  source_provider: Type.String({ description: 'Provider slug.' }),
  source_type: TextEnum(SOURCE_TYPES),
  source_app_id: Nullable(Type.String()),
  source_device_id: Nullable(Uuid),
}
