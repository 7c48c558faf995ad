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

/**
 * The text of bytes; undefined when they are not valid in the character set. Control characters of
 * ISO 8859 above ASCII count as not valid: such bytes are quotes and dashes of Windows-1252, which
 * senders name `8859/1` too.
 */
export function decodeBytes(bytes: Buffer, charset: Charset): string | undefined {
  // Text of ASCII alone is the common case, and is decoded fastest as Latin-1.
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (charset === 'us-ascii') return undefined
  if (charset === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined
  const { characters } = tableOf(charset)
  for (const byte of bytes) if (characters[byte] === undefined) return undefined
  return new TextDecoder(charset).decode(bytes)
}

/**
 * Returns the bytes of a text; undefined when the character set lacks one of its characters, or
 * when the text contains half of a surrogate pair.
 */
export function encodeText(text: string, charset: Charset): Buffer | undefined {
  if (charset === 'utf-8') return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined
  const { bytes: codes } = tableOf(charset)
  const bytes = Buffer.from(text, 'latin1')
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    const byte = codes.get(code)
    if (byte === undefined) return undefined
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
  const characters = Array.from({ length: 256 }, (_, byte) => characterOf(byte, charset))
  const bytes = new Map(
    characters.flatMap((character, byte) =>
      character === undefined ? [] : [[character.charCodeAt(0), byte] as const],
    ),
  )
  const table = { characters, bytes }
  tables.set(charset, table)
  return table
}

function characterOf(byte: number, charset: Charset): string | undefined {
  if (byte < 0x80) return String.fromCharCode(byte)
  if (charset === 'us-ascii' || (charset !== 'windows-1252' && byte < 0xa0)) return undefined
  // TextDecoder reads some parts of ISO 8859 as those of Windows, which agree with them from 0xA0.
  const character = new TextDecoder(charset).decode(Uint8Array.of(byte))
  return character === '\ufffd' ? undefined : character
}
