/**
 * The separators that a message declares in MSH-1 and MSH-2; '' for one that it does not declare.
 */
export interface Separators {
  field: string
  component: string
  repetition: string
  escape: string
  subcomponent: string
  /** The character of cut values, since 2.7; '' in most messages. */
  truncation: string
}

/** The separators that HL7 recommends, `|^~\&`. */
export const USUAL_SEPARATORS: Separators = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
  truncation: '',
}

/**
 * Reads the separators from the text of a header segment (MSH, FHS or BHS), which begins with its
 * name. The usual ones are assumed where it has none.
 */
export function readSeparators(header: string): Separators {
  const sent = header[3] ?? ''
  const field = sent.trim() === '' ? USUAL_SEPARATORS.field : sent
  const end = header.slice(4).search(/[\r\n]/)
  const line = end < 0 ? header.slice(4) : header.slice(4, 4 + end)
  const declared = line.split(field, 1)[0] ?? ''
  if (declared === '') return { ...USUAL_SEPARATORS, field }
  const [component = '', repetition = '', sign = '', subcomponent = '', truncation = ''] = declared
  return { field, component, repetition, escape: sign, subcomponent, truncation }
}

/** The value of the second field of a header segment, such as `^~\&`. */
export function encodingCharacters(separators: Separators): string {
  const { component, repetition, subcomponent, truncation } = separators
  return component + repetition + separators.escape + subcomponent + truncation
}

/** Returns true for separators of which an answer can be made: five different signs of ASCII. */
export function areUsable(separators: Separators): boolean {
  const { field, component, repetition, subcomponent, truncation } = separators
  const signs = [field, component, repetition, separators.escape, subcomponent]
  if (truncation !== '') signs.push(truncation)
  return (
    new Set(signs).size === signs.length && signs.every((sign) => /^[!-/:-@[-`{-~]$/.test(sign))
  )
}

/** Splits at a separator; a separator that is not declared does not split. */
export function splitAt(text: string, separator: string): string[] {
  return separator === '' ? [text] : text.split(separator)
}

/** Returns what is before the first separator. */
export function firstPart(text: string, separator: string): string {
  const end = separator === '' ? -1 : text.indexOf(separator)
  return end < 0 ? text : text.slice(0, end)
}
