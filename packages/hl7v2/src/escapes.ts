import { type Charset, decodeBytes } from './charsets.ts'
import { type Separators, splitAt } from './separators.ts'

/**
 * Replaces the escape sequences of a value (chapter 2.7 of HL7 2.5.1) by what they stand for.
 * Formatting becomes line breaks and spaces, highlighting disappears. What is no escape sequence
 * stays as it is, such as a stray backslash. Line breaks become LF, whatever they were.
 */
export function unescapeText(text: string, separators: Separators, charset: Charset): string {
  const unescaped = replaceSequences(text, separators, charset)
  return unescaped.includes('\r') ? unescaped.replace(/\r\n?/g, '\n') : unescaped
}

function replaceSequences(text: string, separators: Separators, charset: Charset): string {
  const sign = separators.escape
  if (sign === '' || !text.includes(sign)) return text
  let result = ''
  let position = 0
  for (;;) {
    const start = text.indexOf(sign, position)
    const end = start < 0 ? -1 : text.indexOf(sign, start + 1)
    if (end < 0) return result + text.slice(position)
    const meaning = meaningOf(text.slice(start + 1, end), separators, charset)
    result += text.slice(position, start)
    if (meaning === undefined) {
      // The next escape character may begin a sequence, so only this one is passed over.
      result += sign
      position = start + 1
    } else {
      result += meaning
      position = end + 1
    }
  }
}

/** The text that a sequence stands for, without its escape characters; undefined for none. */
function meaningOf(sequence: string, separators: Separators, charset: Charset): string | undefined {
  switch (sequence) {
    case 'F':
      return separators.field
    case 'S':
      return separators.component
    case 'T':
      return separators.subcomponent
    case 'R':
      return separators.repetition
    case 'E':
      return separators.escape
    case 'P':
      return separators.truncation || '#'
    case 'H':
    case 'N':
      return ''
  }
  if (sequence.startsWith('.')) return formattingOf(sequence)
  if (/^X[0-9A-F]+$/i.test(sequence)) return charactersOf(sequence.slice(1), charset)
  // They select a character set, for which the rest of the value is already decoded.
  if (/^C[0-9A-F]{4}$|^M[0-9A-F]{4}(?:[0-9A-F]{2})?$/i.test(sequence)) return ''
  return undefined
}

const MOST_LINES = 100

function formattingOf(sequence: string): string | undefined {
  const [, command = '', amount] =
    /^\.(br|sp|sk|in|ti|ce|fi|nf)\s*([+-]?\d{1,4})?$/i.exec(sequence) ?? []
  const times = Math.min(Math.max(Number(amount ?? 1), 0), MOST_LINES)
  switch (command.toLowerCase()) {
    case 'br':
    case 'ce':
      return '\n'
    case 'sp':
      return '\n'.repeat(times)
    case 'sk':
      return ' '.repeat(times)
    case 'in':
    case 'ti':
    case 'fi':
    case 'nf':
      return ''
    default:
      return undefined
  }
}

/**
 * Hexadecimal digits are bytes of the message's character set. Some senders write one UTF-16 code
 * with three digits, or with four that begin with 00.
 */
function charactersOf(digits: string, charset: Charset): string | undefined {
  if (digits.length === 3 || /^00[0-9A-F]{2}$/i.test(digits)) {
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
  if (digits.length % 2 === 1) return undefined
  const bytes = Buffer.from(digits, 'hex')
  return decodeBytes(bytes, charset) ?? decodeBytes(bytes, 'windows-1252')
}

/**
 * Escapes a text for a field, component or subcomponent. Line breaks become `\.br\`, control
 * characters `\X..\`, and a value of two quotes `\X22\\X22\`, since it would mean a deletion.
 */
export function escapeText(text: string, separators: Separators): string {
  const sign = separators.escape
  // Without an escape character nothing can be escaped, so what would split the value is left out.
  const sequence = (name: string) => (sign === '' ? ' ' : sign + name + sign)
  const names = new Map<string, string>([
    [separators.truncation, 'P'],
    [separators.subcomponent, 'T'],
    [separators.repetition, 'R'],
    [separators.component, 'S'],
    [separators.field, 'F'],
    [sign, 'E'],
    ['\n', '.br'],
  ])
  names.delete('')
  if (text === '""') return sequence('X22').repeat(2)
  let result = ''
  for (const character of text.replace(/\r\n?/g, '\n')) {
    const name = names.get(character)
    if (name !== undefined) result += sequence(name)
    else if (character < ' ' && character !== '\t') result += sequence(hexOf(character))
    else result += character
  }
  return result
}

const hexOf = (character: string): string =>
  `X${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/**
 * Cuts an escaped value to a length in characters, neither inside an escape sequence nor inside a
 * surrogate pair: the result may be shorter than the length.
 */
export function cutEscaped(escaped: string, length: number, separators: Separators): string {
  if (escaped.length <= length) return escaped
  const sign = separators.escape
  let end = 0
  while (end < escaped.length) {
    const close = escaped[end] === sign ? escaped.indexOf(sign, end + 1) : -1
    const size = (escaped.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    const next = close < 0 ? end + size : close + 1
    if (next > length) break
    end = next
  }
  return escaped.slice(0, end)
}

/**
 * The lines of a text value whose writer did not escape: separators of components and
 * subcomponents are text, repetitions are lines.
 */
export function freeTextOf(raw: string, separators: Separators, charset: Charset): string {
  return splitAt(raw, separators.repetition)
    .map((line) => (line === '""' ? '' : unescapeText(line, separators, charset)))
    .join('\n')
}
