import { encodeText } from './charsets.ts'
import type { Repetition } from './message.ts'

/** What a document is, by its first bytes: senders fill the type of ED in many ways. */
export type DocumentKind =
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'tiff'
  | 'rtf'
  | 'html'
  | 'xml'
  | 'text'
  | 'unknown'

/** A value of the type ED. Type, subtype and encoding are as sent: `AP`, `application`, `PDF` … */
export interface Document {
  type: string
  subtype: string
  encoding: string
  /** Undefined when the data cannot be decoded; without bytes when none were sent. */
  bytes: Buffer | undefined
  kind: DocumentKind
}

/** Reads a document, `source^type^subtype^encoding^data`. Data alone are taken as base64. */
export function readDocument(value: Repetition): Document {
  const isAlone = value.components.length === 1
  const [type = '', subtype = '', encoding = ''] = [2, 3, 4].map((at) => value.component(at))
  const bytes = decodeData(value.component(isAlone ? 1 : 5), encoding)
  return { type, subtype, encoding, bytes, kind: bytes === undefined ? 'unknown' : kindOf(bytes) }
}

function decodeData(data: string, encoding: string): Buffer | undefined {
  switch (encoding.trim().toUpperCase()) {
    case 'A':
      return encodeText(data, 'utf-8')
    case 'HEX': {
      const digits = data.replace(/\s/g, '')
      return /^(?:[0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined
    }
    default: {
      // Lines and spaces inside the data are usual.
      const digits = data.replace(/\s/g, '')
      // A search needs no memory for a document of many megabytes; a pattern of all of it does.
      const end = digits.search(/[^A-Za-z0-9+/_-]/)
      const isBase64 = end < 0 || /^={1,2}$/.test(digits.slice(end, end + 3))
      return isBase64 ? Buffer.from(digits, 'base64') : undefined
    }
  }
}

const SIGNATURES: readonly [DocumentKind, string][] = [
  ['pdf', '%PDF'],
  ['png', '\x89PNG'],
  ['jpeg', '\xff\xd8\xff'],
  ['gif', 'GIF8'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
  ['rtf', '{\\rtf'],
]

/** Returns what a document is. A PDF may have some bytes before its signature. */
export function kindOf(bytes: Buffer): DocumentKind {
  const start = bytes.toString('latin1', 0, 1024)
  const found = SIGNATURES.find(([, signature]) => start.startsWith(signature))
  if (found !== undefined) return found[0]
  if (start.includes('%PDF-')) return 'pdf'
  if (/^\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i.test(start)) return 'html'
  if (/^\s*(?:\xef\xbb\xbf)?\s*<\?xml/i.test(start)) return 'xml'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
  return bytes.length > 0 && !/[\x00-\x08\x0e-\x1f]/.test(start) ? 'text' : 'unknown'
}
