import { type Document, readDocument } from './documents.ts'
import type { Field, Repetition, Segment } from './message.ts'
import { type Hl7Time, readTime } from './times.ts'

/** One code of a coded value; '' for parts that were not sent. */
export interface Code {
  code: string
  name: string
  /** The coding system, such as LN (LOINC), SCT (SNOMED CT) or L (of the laboratory). */
  system: string
}

/** A number with what the laboratory put before it. */
export interface Quantity {
  /** `<`, `>`, `<=`, `>=`, `=`, `<>`, or '' for none. */
  comparator: string
  value: number
}

/** The value of an observation, by its type. `text` is for people, and never has escapes. */
export type ObservationValue =
  /** Nothing was sent. */
  | { kind: 'empty'; text: '' }
  /** The null of HL7: an earlier value is to be deleted. */
  | { kind: 'null'; text: '' }
  /** NM. Laboratories also send words there, which have no quantity. `text` is as sent. */
  | { kind: 'numeric'; text: string; quantity: Quantity | undefined }
  /** SN: a comparator, a number, and perhaps a separator (`-` `:` `/` `+` `.`) and another one. */
  | {
      kind: 'structured'
      text: string
      quantity: Quantity | undefined
      separator: string
      second: number | undefined
    }
  /** CE, CWE, CNE, IS and ID; a repetition of the field adds its codes. */
  | { kind: 'coded'; text: string; codes: Code[] }
  /** ST, TX, FT and types without a reader of their own. Repetitions are lines. */
  | { kind: 'text'; text: string }
  /** TS, DT, DTM; undefined when the value is no time. */
  | { kind: 'time'; text: string; time: Hl7Time | undefined }
  /** TM, such as `0830`, as sent. */
  | { kind: 'time_of_day'; text: string }
  /** DR: two times, of which one may be missing. */
  | { kind: 'time_range'; text: string; from: Hl7Time | undefined; until: Hl7Time | undefined }
  /** NR: two numbers, of which one may be missing. */
  | { kind: 'numeric_range'; text: string; low: number | undefined; high: number | undefined }
  /** ED: one document a repetition. */
  | { kind: 'documents'; text: ''; documents: Document[] }
  /** RP: where the document is. Its address is never fetched here. */
  | { kind: 'pointer'; text: string; application: string; type: string; subtype: string }

/**
 * Reads OBX-5 by the type in OBX-2.
 * @param options.zone The zone (IANA) of times that have no offset.
 */
export function readValue(obx: Segment, options: { zone: string }): ObservationValue {
  const field = obx.field(5)
  if (field.isEmpty) return { kind: 'empty', text: '' }
  if (field.isNull) return { kind: 'null', text: '' }
  const first = field.repetitions[0] as Repetition
  const time = (text: string) => readTime(text, options)
  switch (obx.text(2).trim().toUpperCase()) {
    case 'NM': {
      // Empty components behind a number are no part of it.
      const text = first.components.slice(1).join('') === '' ? first.component(1) : first.text
      const isAlone = field.repetitions.length === 1
      return isAlone
        ? { kind: 'numeric', text, quantity: readQuantity(text) }
        : { kind: 'numeric', text: field.freeText, quantity: undefined }
    }
    case 'SN':
      return readStructured(first)
    case 'CE':
    case 'CWE':
    case 'CNE':
    case 'CF':
    case 'IS':
    case 'ID':
      return readCoded(field)
    case 'TS':
    case 'DT':
    case 'DTM':
      return { kind: 'time', text: first.component(1), time: time(first.component(1)) }
    case 'TM':
      return { kind: 'time_of_day', text: first.component(1) }
    case 'DR':
      return {
        kind: 'time_range',
        text: rangeText(first),
        from: time(first.component(1, 1)),
        until: time(first.component(2, 1)),
      }
    case 'NR':
      return {
        kind: 'numeric_range',
        text: rangeText(first),
        low: readNumber(first.component(1)),
        high: readNumber(first.component(2)),
      }
    case 'ED':
      return { kind: 'documents', text: '', documents: field.repetitions.map(readDocument) }
    case 'RP':
      return {
        kind: 'pointer',
        text: first.component(1),
        application: first.component(2, 1),
        type: first.component(3),
        subtype: first.component(4),
      }
    default:
      return { kind: 'text', text: field.freeText }
  }
}

const rangeText = (range: Repetition): string =>
  `${range.component(1, 1)} - ${range.component(2, 1)}`

const DIGITS = String.raw`([+-]?(?:\d+\.?\d*|\.\d+))`
const NUMBER = new RegExp(`^${DIGITS}$`)
const QUANTITY = new RegExp(`^(<=|>=|<>|=<|=>|<|>|=)?\\s*${DIGITS}$`)

/** Returns a number; undefined for anything else, also for hexadecimal digits and exponents. */
export function readNumber(text: string): number | undefined {
  const digits = NUMBER.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Returns a number with its comparator, such as `<10` or ` >= 5.5`; undefined for words. */
export function readQuantity(text: string): Quantity | undefined {
  const [, comparator = '', digits = ''] = QUANTITY.exec(text.trim()) ?? []
  if (digits === '') return undefined
  const turned = { '=<': '<=', '=>': '>=' }[comparator]
  return { comparator: turned ?? comparator, value: Number(digits) }
}

function readStructured(value: Repetition): ObservationValue {
  const parts = [1, 2, 3, 4].map((at) => value.component(at).trim())
  const [comparator = '', first = '', separator = '', second = ''] = parts
  // Some senders write the number, or both, into the first component.
  const quantity = readQuantity(comparator + first)
  return {
    kind: 'structured',
    text: parts.join(''),
    quantity,
    separator,
    second: readNumber(second),
  }
}

function readCoded(field: Field): ObservationValue {
  const texts = field.repetitions.map(textOfCode).filter((text) => text !== '')
  return { kind: 'coded', text: texts.join('\n'), codes: field.repetitions.flatMap(readCodes) }
}

/**
 * The text of a coded value: its name, else the original text, else the other name, else a code.
 */
export function textOfCode(value: Repetition): string {
  const texts = [2, 9, 5, 1, 4].map((at) => value.component(at))
  return texts.find((text) => text.trim() !== '') ?? ''
}

/**
 * Returns the codes of a coded element (CE, CWE, CNE): the one of components 1 to 3 and the other
 * one of 4 to 6. Laboratories also send their code in the second group alone.
 */
export function readCodes(value: Repetition): Code[] {
  return [1, 4].flatMap((at) => {
    const [code = '', name = '', system = ''] = [0, 1, 2].map((next) => value.component(at + next))
    return code === '' && name === '' ? [] : [{ code, name, system }]
  })
}
