import { isAscii, isUtf8 } from 'node:buffer'

/**
 * The character sets that are read and written. Those with shift sequences or with bytes that look
 * like separators (ISO IR 87, GB 18030 and others of table 0211) are not among them.
 */
export type Charset = 'us-ascii' | 'utf-8' | 'windows-1252' | `iso-8859-${number}`

/** The parts of ISO 8859 that table 0211 of HL7 names. */
const ISO_8859_PARTS = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 15])

/**
 * Returns the character set that a value of MSH-18 names, in the spelling of table 0211 of HL7
 * (`8859/1`, `UNICODE UTF-8`) or in a usual other one; undefined for other names.
 */
export function charsetNamed(name: string): Charset | undefined {
  const plain = name.trim().toUpperCase()
  if (/^(US-?)?ASCII$/.test(plain)) return 'us-ascii'
  if (/^(UNICODE[ _-]?)?UTF-?8$/.test(plain) || plain === 'UNICODE') return 'utf-8'
  if (/^(WINDOWS|CP)[ -]?1252$/.test(plain)) return 'windows-1252'
  const part = Number(/^(?:ISO[ _-]?)?8859[/-](\d{1,2})$/.exec(plain)?.[1])
  return ISO_8859_PARTS.has(part) ? `iso-8859-${part}` : undefined
}

/** Returns the name of a character set for MSH-18; '' for those that table 0211 does not name. */
export function nameOfCharset(charset: Charset): string {
  if (charset === 'us-ascii') return 'ASCII'
  if (charset === 'utf-8') return 'UNICODE UTF-8'
  return charset === 'windows-1252' ? '' : charset.replace('iso-8859-', '8859/')
}

/** The text of bytes; undefined when they are not valid in the character set. */
export function decodeBytes(bytes: Buffer, charset: Charset): string | undefined {
  switch (charset) {
    case 'us-ascii':
      return isAscii(bytes) ? bytes.toString('latin1') : undefined
    case 'utf-8':
      // Text of ASCII alone is the common case, and is decoded fastest as Latin-1.
      if (isAscii(bytes)) return bytes.toString('latin1')
      return isUtf8(bytes) ? bytes.toString('utf8') : undefined
    case 'iso-8859-1':
      return bytes.toString('latin1')
    default: {
      const { characters } = tableOf(charset)
      let text = ''
      for (const byte of bytes) {
        const character = characters[byte]
        if (character === undefined) return undefined
        text += character
      }
      return text
    }
  }
}

/**
 * Returns the bytes of a text; undefined when the character set lacks one of its characters, or
 * when the text contains half of a surrogate pair.
 */
export function encodeText(text: string, charset: Charset): Buffer | undefined {
  if (charset === 'utf-8') return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined
  const highest = { 'us-ascii': 0x7f, 'iso-8859-1': 0xff }[charset as string]
  const table = highest === undefined ? tableOf(charset).bytes : undefined
  const bytes = Buffer.allocUnsafe(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const byte = table === undefined ? code : table.get(code)
    if (byte === undefined || byte > (highest ?? 0xff)) return undefined
    bytes[index] = byte
  }
  return bytes
}

interface Table {
  /** By byte; undefined for the bytes that the character set leaves out. */
  characters: readonly (string | undefined)[]
  /** By UTF-16 code. */
  bytes: ReadonlyMap<number, number>
}

const tables = new Map<Charset, Table>()

/** The table of a character set with one byte for each character. */
function tableOf(charset: Charset): Table {
  const known = tables.get(charset)
  if (known !== undefined) return known
  const decoder = new TextDecoder(charset)
  const characters = Array.from({ length: 256 }, (_, byte) => {
    const character = decoder.decode(Uint8Array.of(byte))
    return character === '\ufffd' ? undefined : character
  })
  const bytes = new Map(
    characters.flatMap((character, byte) =>
      character === undefined ? [] : [[character.charCodeAt(0), byte] as const],
    ),
  )
  const table = { characters, bytes }
  tables.set(charset, table)
  return table
}
