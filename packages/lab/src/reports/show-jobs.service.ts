import { conflict, notFoundCode } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { toEvidence } from './evidence.presenter.ts'
import type { LabReportEvidence } from './evidence.schema.ts'
import type { LabReportParts } from './lab-reports.parts.ts'
import { toParsingJob, toReportData, toSummary } from './lab-reports.presenter.ts'
import * as repository from './lab-reports.repository.ts'
import type { ParsingJob, ParsingJobQuery } from './lab-reports.schema.ts'
import { readReportFile, removeReportFiles } from './report-files.ts'
import { correctResults } from './review/corrections.ts'
import { listCorrections } from './review/reviews.repository.ts'

/** Returns the row of a job. @throws AppError 404 `job_not_found` */
export async function getJobRow(scope: Scope, id: string): Promise<repository.JobRow> {
  const row = await repository.findJob(scope, id)
  if (row === undefined) throw notFoundCode('job_not_found')
  return row
}

/** Checks that the job exists and belongs to the person. @throws AppError 404 `job_not_found` */
export async function requireJobOf(scope: Scope, id: string, userId: string): Promise<void> {
  if ((await getJobRow(scope, id)).user_id !== userId) throw notFoundCode('job_not_found')
}

/** Returns a parsing job. @throws AppError 404 `job_not_found` */
export async function getParsingJob(scope: Scope, id: string): Promise<ParsingJob> {
  const row = await getJobRow(scope, id)
  return toParsingJob(row, row.is_reviewed ? await listCorrections(scope, id) : [])
}

/**
 * Returns the positions of a completed job's results, numbered as in its data.
 * @throws AppError 404 `job_not_found`; 409 `job_not_completed`, also during a review
 */
export async function getEvidence(scope: Scope, id: string): Promise<LabReportEvidence> {
  const { status, report, is_reviewed: isReviewed } = await getJobRow(scope, id)
  if (status !== 'completed' || report === null) {
    throw conflict('job_not_completed', 'Only a completed job has evidence.')
  }
  if (!isReviewed) return toEvidence(id, report)
  const corrections = await listCorrections(scope, id)
  const shown = correctResults(toReportData(report).results, corrections)
  return toEvidence(
    id,
    report,
    shown.map(({ position }) => position),
  )
}

/**
 * Returns a page of jobs without their results, newest first.
 * @throws AppError 400 `invalid_cursor`
 */
export async function listParsingJobs(scope: Scope, query: ParsingJobQuery) {
  const { limit, next_cursor: cursor, user_id: userId, status } = query
  const filter = { userId: userId?.toLowerCase(), status }
  const about = ['lab_report', scope.environment.id, filter]
  const after = CREATION_PAGES.read(about, cursor)
  const found = await repository.listJobs(scope, filter, { after, limit: limit + 1 })
  const { page, nextCursor } = CREATION_PAGES.cut(about, found, limit)
  return { jobs: page.map(toSummary), next_cursor: nextCursor }
}

/** Deletes a job with its files and reading, in any state. @throws AppError 404 */
export async function deleteParsingJob(scope: Scope, files: FileStore, id: string): Promise<void> {
  const row = await getJobRow(scope, id)
  // The key is deleted with the row, so the files are unreadable if the process ends here.
  await scope.transaction((tx) => repository.deleteJob(tx, id))
  await removeReportFiles(files, row)
}

export interface UploadedFile {
  content: Buffer
  contentType: string
}

/**
 * Returns an uploaded file of a job; the first has number 1.
 * @throws AppError 404 `file_not_found`
 */
export async function readFileOfJob(
  { files, secrets }: Pick<LabReportParts, 'files' | 'secrets'>,
  row: repository.JobRow,
  number: number,
): Promise<UploadedFile> {
  const file = row.files[number - 1]
  if (file === undefined) throw notFoundCode('file_not_found')
  try {
    const content = await readReportFile(files, secrets, row, number - 1)
    return { content, contentType: file.content_type }
  } catch (error) {
    if (error instanceof FileMissingError) throw notFoundCode('file_not_found')
    throw error
  }
}
