import { createHash } from 'node:crypto'
import type { ReportedDocument, ResultMessage } from '@salus/contracts/lab-gateway'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { ReceivedContent, StoredDocument } from '../results.tables.ts'
import { decodePdf, writeResultFile } from './result-files.ts'

/** A document of a message with its bytes. */
export interface OpenDocument {
  stored: StoredDocument
  content: Buffer
}

const PDF = 'application/pdf'

/**
 * Returns the documents of a message, its PDF first, each once.
 * @param owner id of the order, or the name of held results, which the files begin with
 * @param salt makes other ids; empty where a repetition has the same ones
 */
export function openDocuments(
  { pdf, pdf_head: head, documents = [] }: Pick<ResultMessage, 'pdf' | 'pdf_head' | 'documents'>,
  owner: string,
  salt = '',
): OpenDocument[] {
  const own: ReportedDocument[] =
    pdf === null || decodePdf(pdf) === null
      ? []
      : [{ ...(head ?? { name: 'Report' }), content_type: PDF, content: pdf }]
  const all = [...own, ...documents].map((document) => openDocument(document, `${owner}${salt}`))
  return [...new Map(all.map((each) => [each.stored.id, each])).values()]
}

function openDocument({ content: base64, ...head }: ReportedDocument, about: string): OpenDocument {
  const content = Buffer.from(base64, 'base64')
  const key = JSON.stringify([about, head.provider_id ?? head.loinc ?? null, head.name])
  const hash = createHash('sha256').update(key).update(content).digest('hex')
  return { stored: { ...head, id: toUuid(hash), size: content.length }, content }
}

/** Returns the first digits of a hash as a UUID of the version for own rules (RFC 9562). */
function toUuid(hash: string): string {
  const variant = ((Number.parseInt(hash.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  const groups = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(18, 20)}`,
    hash.slice(20, 32),
  ]
  return groups.join('-')
}

/** Returns the name of a document's file. */
export const fileOfDocument = (
  owner: string,
  { id, content_type }: Pick<StoredDocument, 'id' | 'content_type'>,
): string => `${owner}.${id}.${content_type === PDF ? 'pdf' : 'bin'}`

/** Returns the documents of a version that are not its result PDF. */
export const documentsBeside = (
  { documents = [] }: ReceivedContent,
  orderId: string,
  pdfFile: string | null,
): StoredDocument[] => documents.filter((each) => fileOfDocument(orderId, each) !== pdfFile)

/** Writes the documents, and returns the names of their files. */
export async function writeDocuments(
  files: FileStore,
  owner: string,
  documents: readonly OpenDocument[],
): Promise<string[]> {
  const names: string[] = []
  for (const { stored, content } of documents) {
    const name = fileOfDocument(owner, stored)
    await writeResultFile(files, name, content)
    names.push(name)
  }
  return names
}
