import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { FileStore } from '@salus/kernel/files/file-store'
import { fileOfDocument } from '../storing/result-documents.ts'
import { readResultFile } from '../storing/result-files.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'

/** First part of the names of files of held results. */
export const ownerOfHeld = (environmentId: string): string => `held.${environmentId}`

/** Returns a held result message as the laboratory sent it, with its documents. */
export async function readHeldMessage(files: FileStore, row: UnmatchedRow): Promise<ResultMessage> {
  const { content_hash: _, named_order_id: __, documents: held = [], ...message } = row.report
  const pdf = row.pdf_file === null ? null : await readResultFile(files, row.pdf_file)
  const documents: NonNullable<ResultMessage['documents']> = []
  for (const { id, size: _, version: __, ...head } of held) {
    const file = fileOfDocument(ownerOfHeld(row.environment_id), { ...head, id })
    const content = await readResultFile(files, file)
    documents.push({ ...head, content: content.toString('base64') })
  }
  return {
    ...message,
    ...(documents.length > 0 && { documents }),
    pdf: pdf === null ? null : pdf.toString('base64'),
  }
}
