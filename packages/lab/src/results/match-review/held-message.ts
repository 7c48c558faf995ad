import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { FileStore } from '@salus/kernel/files/file-store'
import { readResultFile } from '../storing/result-files.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'

/** Returns a held result message as the laboratory sent it, including its PDF. */
export async function readHeldMessage(files: FileStore, row: UnmatchedRow): Promise<ResultMessage> {
  const { content_hash: _, named_order_id: __, ...message } = row.report
  const pdf = row.pdf_file === null ? null : await readResultFile(files, row.pdf_file)
  return { ...message, pdf: pdf === null ? null : pdf.toString('base64') }
}
