import type { ResultType } from '@salus/contracts/lab-gateway'
import { type Document, type ObservationValue, readValue, type Segment } from '@salus/hl7v2'

/** What OBX-5 says. */
export type ReadValue =
  | { kind: 'none' }
  /** The null of HL7: an earlier value is deleted. */
  | { kind: 'deleted' }
  | { kind: 'value'; type: ResultType; text: string }
  | { kind: 'documents'; documents: Document[] }

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
/** The form of a range in docs/contract/13-results.md#biomarkerresult. */
const RANGE = /^(?:[<>]=?(?:\d+(?:\.\d+)?|\.\d+)|\d+(?:\.\d+)?-\d+(?:\.\d+)?)$/
const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
/** Types whose value is text of several lines, which senders also split over several OBX. */
export const TEXT_TYPES = ['TX', 'FT', 'ST', '']

/** Reads the value of an OBX. `zone` is the zone of times without an offset (IANA). */
export function readObservationValue(obx: Segment, zone: string): ReadValue {
  const value = readValue(obx, { zone })
  switch (value.kind) {
    case 'empty':
      return { kind: 'none' }
    case 'null':
      return { kind: 'deleted' }
    case 'documents':
      return { kind: 'documents', documents: value.documents }
    case 'structured':
      return interpretText(textOfStructured(value))
    case 'coded':
      return CODE.test(value.text.trim())
        ? { kind: 'value', type: 'coded_value', text: value.text.trim() }
        : comment(value.text)
    case 'time':
      return comment(value.time?.local.replace('T', ' ') ?? value.text)
    case 'time_range':
    case 'numeric_range':
      return interpretText(value.text.replace(/^ - $/, '').replace(/ - /, '-'))
    default:
      return interpretText(value.text)
  }
}

/** An equals sign before a number says nothing. */
const textOfStructured = ({ text }: Extract<ObservationValue, { kind: 'structured' }>): string =>
  text.replace(/^=(?=[\d.+-])/, '')

/** A value as its text reads: a number, a range, or words. Numbers also come as text. */
export function interpretText(text: string): ReadValue {
  const trimmed = text.trim()
  if (NUMBER.test(trimmed)) return { kind: 'value', type: 'numeric', text: trimmed }
  const dense = trimmed
    .replace(/\s+/g, '')
    .replace(/^([<>])or=/i, '$1=')
    .replace(/^=([<>])/, '$1=')
  if (RANGE.test(dense)) return { kind: 'value', type: 'range', text: dense }
  return comment(text)
}

function comment(text: string): ReadValue {
  const lines = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  if (lines.trim() === '') return { kind: 'none' }
  return { kind: 'value', type: 'comment', text: lines.includes('\n') ? lines : lines.trim() }
}
