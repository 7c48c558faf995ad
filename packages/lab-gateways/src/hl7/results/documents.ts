import type {
  ReportedDocument,
  ReportedDocumentHead,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { type Document, type DocumentKind, kindOf, type Segment } from '@salus/hl7v2'

/** A document of a test: what is said of it, its bytes, and what they are. */
export interface FoundDocument {
  head: ReportedDocumentHead
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
export function readDocuments(
  documents: readonly Document[],
  head: ReportedDocumentHead,
): FoundDocument[] {
  return documents.flatMap(({ bytes, kind }) =>
    bytes === undefined || bytes.length === 0 ? [] : [{ head, kind, bytes }],
  )
}

/** A document in base64 that is the text of a value; undefined when it is something else. */
export function readEncodedDocument(
  text: string,
  head: ReportedDocumentHead,
): FoundDocument | undefined {
  const bytes = decodeBase64(text)
  return bytes && { head, kind: kindOf(bytes), bytes }
}

/**
 * The documents of ZEF segments. One may be split over several segments, so a segment belongs to
 * the document before it unless its bytes begin a PDF.
 */
export function readEmbeddedDocuments(
  segments: readonly Segment[],
  head: ReportedDocumentHead,
): FoundDocument[] {
  const parts: string[] = []
  for (const zef of segments) {
    const data = zef.field(2).raw.replace(/\s/g, '')
    const isStart = /^JVBERi0/.test(data) || parts.length === 0
    if (isStart) parts.push(data)
    else parts.push((parts.pop() ?? '') + data)
  }
  return parts.flatMap((data) => readEncodedDocument(data, head) ?? [])
}

function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/\s/g, '')
  if (digits === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) return undefined
  return Buffer.from(digits, 'base64')
}

/** A document in the shape of reports. */
export function toReported({ head, kind, bytes }: FoundDocument): ReportedDocument {
  return { ...head, content_type: CONTENT_TYPES[kind], content: bytes.toString('base64') }
}

/** Documents of a report as messages have them: the first PDF is the report itself. */
export function chooseDocuments(
  found: readonly FoundDocument[],
): Pick<ResultMessage, 'pdf' | 'pdf_head' | 'documents'> {
  const report = found.find(({ kind }) => kind === 'pdf')
  const documents = found.filter((each) => each !== report).map(toReported)
  return {
    pdf: report?.bytes.toString('base64') ?? null,
    ...(report && { pdf_head: report.head }),
    ...(documents.length > 0 && { documents }),
  }
}
