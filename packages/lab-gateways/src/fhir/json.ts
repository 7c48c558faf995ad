import { UnreadableMessage } from '@salus/contracts/lab-gateway'

/** An object of FHIR as it was sent: nothing about its fields is known. */
export type Json = Readonly<Record<string, unknown>>

/** The third argument of a reviver (ES2026), which has the text of a number. */
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * Parses JSON with numbers as their text, because `1.40` says more than 1.4.
 * @throws UnreadableMessage `not_utf8`, `not_json`
 */
export function parseNumbersAsText(content: Buffer): unknown {
  return parse(content, (_key, value, { source }) =>
    typeof value === 'number' ? (source ?? String(value)) : value,
  )
}

/**
 * Parses JSON so that `JSON.stringify` writes its numbers with the digits that they had.
 * @throws UnreadableMessage `not_utf8`, `not_json`
 */
export function parseKeepingDigits(content: Buffer): unknown {
  return parse(content, (_key, value, { source }) =>
    typeof value === 'number' ? rawJSON(source ?? String(value)) : value,
  )
}

function parse(content: Buffer, reviver: Reviver): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new UnreadableMessage('not_utf8', { cause })
  }
  try {
    return parseWith(text, reviver)
  } catch (cause) {
    // Values nested too deep end here too.
    throw new UnreadableMessage('not_json', { cause })
  }
}

/** Returns an object, or an empty one for anything else. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Returns the objects of a list; a single object is a list of one. */
export function objectsOf(value: unknown): Json[] {
  const items = Array.isArray(value) ? value : [value]
  return items.filter(
    (item): item is Json => typeof item === 'object' && item !== null && !Array.isArray(item),
  )
}

/** Returns a text without the spaces around it; null for an empty one and for anything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Returns the texts of a list. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? [])

/** Returns the codings of a CodeableConcept. */
export const codingsOf = (concept: unknown): Json[] => objectsOf(objectOf(concept).coding)

/** Returns the words of a CodeableConcept: its text, else a name, else a code. */
export function wordsOf(concept: unknown): string | null {
  const codings = codingsOf(concept)
  const names = [...codings.map(({ display }) => display), ...codings.map(({ code }) => code)]
  return [objectOf(concept).text, ...names].map(textOf).find((text) => text !== null) ?? null
}

/** Returns the first text of a list of candidates; null without any. */
export const firstText = (...values: unknown[]): string | null =>
  values.map(textOf).find((text) => text !== null) ?? null
