import { STATE_TIME_ZONES } from '@salus/kernel/geography/time-zones.registry'
import { isTimeZone } from '@salus/kernel/time/instants'
import { BILLINGS, type Billing } from '../../catalog/index.ts'
import { readOpeningHours } from '../opening-hours.ts'
import { ALIAS_CAPABILITY, CAPABILITIES, type Capability } from '../service-centers.schema.ts'

/** A site as a row of a list; null for an empty cell. */
export interface CenterDraft {
  /** Slug of the laboratory. */
  lab: string
  site_code: string
  name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip_code: string
  latitude: number | null
  longitude: number | null
  time_zone: string | null
  phone_number: string | null
  fax_number: string | null
  website: string | null
  hours: string | null
  capabilities: Capability[] | null
  bill_types: Billing[] | null
  business_unit: string | null
  is_active: boolean | null
}
export type CenterColumn = keyof CenterDraft

export interface ColumnReader {
  isRequired: boolean
  /** Description of valid values. */
  expected: string
  /** Returns the value of a cell that is not empty; undefined when it is invalid. */
  read(text: string): unknown
}

const optional = (expected: string, read: ColumnReader['read']): ColumnReader => ({
  isRequired: false,
  expected,
  read,
})
const required = (expected: string, read: ColumnReader['read']): ColumnReader => ({
  isRequired: true,
  expected,
  read,
})

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
const LINE = /^[^\p{Cc}]{1,200}$/u
const line = matching(LINE)
const LINE_WORDS = 'a line of at most 200 characters'

/**
 * Reads a decimal number between -most and most with limited precision, because PostgreSQL cannot
 * square numbers that are too small.
 */
const degrees = (most: number) => (text: string) => {
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return undefined
  const value = Math.round(Number(text) * 1e6) / 1e6
  return Math.abs(value) <= most ? value : undefined
}

/** Reads a list of words with any separators; undefined for an unknown word. */
const wordsOf =
  <Word extends string>(find: (word: string) => Word | undefined) =>
  (text: string): Word[] | undefined => {
    const found = text.split(/[\s,;|]+/).map((word) => find(word.toLowerCase()))
    return found.includes(undefined) ? undefined : [...new Set(found as Word[])]
  }

const findCapability = (word: string): Capability | undefined =>
  word === ALIAS_CAPABILITY
    ? 'appointment_scheduling_via_service'
    : CAPABILITIES.find((known) => known === word)

const FLAGS: Record<string, boolean> = { true: true, yes: true, false: false, no: false }

/** The columns of a list of service centers, explained in docs/service-centers.md#the-file. */
export const CENTER_COLUMNS: Readonly<Record<CenterColumn, ColumnReader>> = {
  lab: required('the slug of a laboratory', matching(/^[a-z0-9][a-z0-9_]{0,99}$/)),
  site_code: required(
    'at most 40 letters, digits, dots, hyphens and underscores',
    matching(/^[\w.-]{1,40}$/),
  ),
  name: required(LINE_WORDS, line),
  first_line: required(LINE_WORDS, line),
  second_line: optional(LINE_WORDS, line),
  city: required(LINE_WORDS, line),
  state: required('two letters of a state or a territory', (text) =>
    text.toUpperCase() in STATE_TIME_ZONES ? text.toUpperCase() : undefined,
  ),
  zip_code: required('five digits, or nine with a hyphen', matching(/^\d{5}(-\d{4})?$/)),
  latitude: optional('degrees from -90 to 90', degrees(90)),
  longitude: optional('degrees from -180 to 180, negative in the west', degrees(180)),
  time_zone: optional('an IANA time zone', (text) => (isTimeZone(text) ? text : undefined)),
  phone_number: optional('at most 40 characters', matching(/^[^\p{Cc}]{1,40}$/u)),
  fax_number: optional('at most 40 characters', matching(/^[^\p{Cc}]{1,40}$/u)),
  website: optional('an address that begins with http:// or https://', (text) =>
    /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined,
  ),
  hours: optional('openings such as Mo-Fr 07:00-16:00; Sa 08:00-12:00', (text) =>
    readOpeningHours(text) === undefined ? undefined : text,
  ),
  capabilities: optional(`any of ${CAPABILITIES.join(', ')}`, wordsOf(findCapability)),
  bill_types: optional(
    `any of ${BILLINGS.join(', ')}`,
    wordsOf((word) => BILLINGS.find((known) => known === word)),
  ),
  business_unit: optional(LINE_WORDS, line),
  is_active: optional('true or false', (text) => FLAGS[text.toLowerCase()]),
}
