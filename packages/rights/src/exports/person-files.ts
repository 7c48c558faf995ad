import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { RowScope } from '@salus/kernel/scope'
import { listInsuranceImages } from '@salus/lab/orders'
import { isPerhapsOfAnother, listFilesOfUser, readReportFile } from '@salus/lab/reports'
import { listResultFiles, RESULT_FILES } from '@salus/lab/results'

/** A document of a user, which is opened when it is written. */
export interface PersonFile {
  /** Path in the archive. */
  name: string
  contentType: string
  /** Row that it belongs to. */
  about: { table: string; id: string }
  createdAt: Date | null
  read(): Promise<Buffer>
}

const ENDINGS: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

/**
 * Lists every file about a user: results, uploaded reports, insurance cards. Reports that may be of
 * another person are left out.
 */
export async function listPersonFiles(
  scope: RowScope,
  { files, secrets }: { files: FileStore; secrets: SecretBox },
  userId: string,
): Promise<PersonFile[]> {
  const results = (await listResultFiles(scope, userId)).map(
    ({ file, isReport, document, order_id, version, created_at }): PersonFile => ({
      name: `files/results/${isReport ? `${order_id}.${version}.pdf` : file}`,
      contentType: isReport
        ? 'application/pdf'
        : (document?.content_type ?? 'application/octet-stream'),
      about: {
        table: 'results',
        id: [order_id, version, ...(isReport ? [] : [file])].join('/'),
      },
      createdAt: created_at,
      read: () => files.read(RESULT_FILES, file),
    }),
  )
  const reports = (await listFilesOfUser(scope, userId))
    .filter((job) => job.sealed_file_key !== null && !isPerhapsOfAnother(job))
    .flatMap((job) =>
      job.files.map(
        ({ content_type: contentType }, index): PersonFile => ({
          name: `files/lab_reports/${job.id}.${index + 1}.${ENDINGS[contentType]}`,
          contentType,
          about: { table: 'lab_report_jobs', id: job.id },
          createdAt: job.created_at,
          read: () => readReportFile(files, secrets, job, index),
        }),
      ),
    )
  const cards = (await listInsuranceImages(scope, secrets, userId)).map(
    ({ orderId, side, contentType, content }): PersonFile => ({
      name: `files/insurance/${orderId}.${side}.${ENDINGS[contentType]}`,
      contentType,
      about: { table: 'order_insurance_images', id: orderId },
      createdAt: null,
      read: async () => content,
    }),
  )
  return [...results, ...reports, ...cards]
}
