import type { ReportedDocument } from '@salus/contracts/lab-gateway'
import { type Document, type DocumentKind, kindOf, type Segment } from '@salus/hl7v2'

/** A document of a test: its bytes, and what they are. */
export interface FoundDocument {
  name: string
  kind: DocumentKind
  bytes: Buffer
}

const CONTENT_TYPES: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  tiff: 'image/tiff',
  rtf: 'application/rtf',
  html: 'text/html',
  xml: 'application/xml',
  text: 'text/plain',
  unknown: 'application/octet-stream',
}

/** The documents of an ED value that have bytes. */
export function readDocuments(documents: readonly Document[], name: string): FoundDocument[] {
  return documents.flatMap(({ bytes, kind }) =>
    bytes === undefined || bytes.length === 0 ? [] : [{ name, kind, bytes }],
  )
}

/** A document in base64 that is the text of a value; undefined when it is something else. */
export function readEncodedDocument(text: string, name: string): FoundDocument | undefined {
  const bytes = decodeBase64(text)
  return bytes && { name, kind: kindOf(bytes), bytes }
}

/**
 * The documents of ZEF segments. One may be split over several segments, so a segment belongs to
 * the document before it unless its bytes begin a PDF.
 */
export function readEmbeddedDocuments(segments: readonly Segment[], name: string): FoundDocument[] {
  const parts: string[] = []
  for (const zef of segments) {
    const data = zef.field(2).raw.replace(/\s/g, '')
    const isStart = /^JVBERi0/.test(data) || parts.length === 0
    if (isStart) parts.push(data)
    else parts.push((parts.pop() ?? '') + data)
  }
  return parts.flatMap((data) => readEncodedDocument(data, name) ?? [])
}

function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/\s/g, '')
  if (digits === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) return undefined
  return Buffer.from(digits, 'base64')
}

/** A document in the shape of reports. */
export function toReported({ name, kind, bytes }: FoundDocument, test?: string): ReportedDocument {
  const shared = { name, content_type: CONTENT_TYPES[kind], content: bytes.toString('base64') }
  return test === undefined ? shared : { ...shared, test }
}
