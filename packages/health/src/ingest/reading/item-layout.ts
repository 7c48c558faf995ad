import {
  COLON,
  COMMA,
  endOfValue,
  type ItemReader,
  type Literal,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  toLiteral,
} from './item-bytes.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * Keys, and objects and lists, of an item with a layout: so that 100,000 of them are within the
 * limits of JSON without being counted.
 */
const MOST_KEYS = 32
const MOST_COMMAS = 64
const MOST_CONTAINERS = 4

/** A part of an item that varies: its number, or an instant or another text in quotes. */
type Part = 'value' | 'start_date' | 'end_date' | 'id' | 'name'

/** What was read of an item. Offsets are NaN where the text names none. */
export interface ReadItem {
  startedAt: number
  offsetSeconds: number
  endedAt: number
  value: number
  /** Position of the name of its owner, in the layout of an item that has one. */
  nameAt: number
  nameEnd: number
}

export const newReadItem = (): ReadItem => ({
  ...{ startedAt: 0, offsetSeconds: 0, endedAt: 0, value: 0, nameAt: 0, nameEnd: 0 },
})

/**
 * Text of an item of which only the times, the value, the id and the name of its owner vary.
 * Clients write thousands of them with the same text around these.
 */
export class ItemLayout {
  /** The first item of this layout. */
  readonly item: Fields
  readonly #parts: readonly Part[]
  /** Bytes before each part, and after the last one. */
  readonly #literals: readonly Literal[]

  private constructor(item: Fields, parts: readonly Part[], literals: readonly Literal[]) {
    this.item = item
    this.#parts = parts
    this.#literals = literals
  }

  /**
   * Returns the layout of an item, or undefined for one that has to be read by the parser.
   * @param item What the parser made of the bytes between `start` and `end`.
   * @param nameKey Key of the text that names the owner of an item, where each has its own.
   */
  static of(
    bytes: Buffer,
    start: number,
    end: number,
    item: Fields,
    nameKey?: string,
  ): ItemLayout | undefined {
    const parts: Part[] = []
    const literals: Literal[] = []
    let from = start
    if (!isSmall(bytes.subarray(start, end))) return undefined
    const keys = readKeys(bytes, start, end)
    // Otherwise a key has escapes, or comes twice.
    if (keys === undefined || keys.length !== Object.keys(item).length) return undefined
    for (const { key, valueAt, valueEnd } of keys) {
      if (!Object.hasOwn(item, key)) return undefined
      const part = partOf(key, item[key], nameKey)
      if (part === undefined) continue
      const quote = part === 'value' ? 0 : 1
      parts.push(part)
      literals.push(toLiteral(bytes.subarray(from, valueAt + quote)))
      from = valueEnd - quote
    }
    if (!parts.includes('value') || !parts.includes('start_date')) return undefined
    if (nameKey !== undefined && !parts.includes('name')) return undefined
    // Only a text is a part, and no other end is a time.
    if (!parts.includes('end_date') && item.end_date !== undefined && item.end_date !== null) {
      return undefined
    }
    literals.push(toLiteral(bytes.subarray(from, end)))
    return new ItemLayout(item, parts, literals)
  }

  /** Reads an item; returns false, at any position, where it has another layout. */
  read(reader: ItemReader, into: ReadItem): boolean {
    const [parts, literals] = [this.#parts, this.#literals]
    let hasEnd = false
    for (let index = 0; index < parts.length; index++) {
      if (!reader.readLiteral(literals[index] as Literal)) return false
      const part = parts[index]
      if (part === 'value') {
        if (!reader.readNumber()) return false
        into.value = reader.number
        continue
      }
      if (part === 'id' || part === 'name') {
        if (part === 'name') into.nameAt = reader.at
        if (!reader.readText()) return false
        if (part === 'name') into.nameEnd = reader.at
        continue
      }
      if (!reader.readInstant()) return false
      if (part === 'start_date') {
        into.startedAt = reader.number
        into.offsetSeconds = reader.offsetSeconds
      } else {
        into.endedAt = reader.number
        hasEnd = true
      }
    }
    if (!hasEnd) into.endedAt = into.startedAt
    return reader.readLiteral(literals[parts.length] as Literal)
  }
}

const TEXTS = ['start_date', 'end_date', 'id'] as const

function partOf(key: string, value: unknown, nameKey: string | undefined): Part | undefined {
  if (key === 'value') return typeof value === 'number' ? key : undefined
  if (typeof value !== 'string') return undefined
  return key === nameKey ? 'name' : TEXTS.find((text) => text === key)
}

function isSmall(bytes: Uint8Array): boolean {
  let [commas, containers] = [0, 0]
  for (const byte of bytes) {
    if (byte === COMMA) commas += 1
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) containers += 1
  }
  return commas <= MOST_COMMAS && containers <= MOST_CONTAINERS
}

interface KeyPosition {
  key: string
  valueAt: number
  valueEnd: number
}

/** Returns the keys of an object that is JSON, or undefined where one has escapes. */
function readKeys(bytes: Buffer, start: number, end: number): KeyPosition[] | undefined {
  const keys: KeyPosition[] = []
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] === QUOTE && keys.length < MOST_KEYS) {
    const keyEnd = bytes.indexOf(QUOTE, at + 1)
    const key = bytes.toString('utf8', at + 1, keyEnd)
    const colon = skipSpace(bytes, keyEnd + 1)
    if (key.includes('\\') || bytes[colon] !== COLON) return undefined
    const valueAt = skipSpace(bytes, colon + 1)
    const valueEnd = endOfValue(bytes, valueAt, end)
    keys.push({ key, valueAt, valueEnd })
    at = skipSpace(bytes, valueEnd)
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
    else return at === end - 1 ? keys : undefined
  }
  return undefined
}
