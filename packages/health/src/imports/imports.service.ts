import { getUserRow } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { IMPORT_FILES } from './import-queue.ts'
import type { ImportJobRow } from './imports.repository.ts'
import * as repository from './imports.repository.ts'
import { type ImportJob, type ImportProgress, NO_LOCAL_TIME_COUNTS } from './imports.schema.ts'
import { eraseUploads } from './uploads/uploads.service.ts'

const PAGE_SIZE = 50
export const NOTHING_READ: ImportProgress = {
  bytes_total: 0,
  bytes_read: 0,
  records: 0,
  types: [],
  summaries: [],
  clocks: NO_LOCAL_TIME_COUNTS,
  missing: [],
  exported_at: null,
}

/** @throws AppError 404 for an unknown user, and for a job of another user */
export async function getImportJob(
  scope: Scope,
  userId: string,
  jobId: string,
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  const row = await repository.findImportJob(scope, user.id, jobId)
  if (row === undefined) throw notFound('Import')
  return toImportJob(row)
}

/** Returns a page of the jobs of a user, newest first. @throws AppError 404 for an unknown user */
export async function listImportJobs(
  scope: Scope,
  userId: string,
  cursor: string | null | undefined,
) {
  const user = await getUserRow(scope, userId)
  const list = ['imports', user.id]
  const before = CREATION_PAGES.read(list, cursor)
  const rows = await repository.listImportJobs(scope, user.id, before, PAGE_SIZE + 1)
  const { page, nextCursor } = CREATION_PAGES.cut(list, rows, PAGE_SIZE)
  return { jobs: page.map(toImportJob), next_cursor: nextCursor }
}

/** Removes the files of a user that were not imported yet; the jobs are deleted with the user. */
export async function eraseImportFiles(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  for (const id of await repository.listUnfinishedImports(scope, userId)) {
    await files.remove(IMPORT_FILES, id)
  }
  await eraseUploads(scope, files, userId)
}

/** Returns a job as the API shows it. */
export function toImportJob(row: ImportJobRow): ImportJob {
  return {
    id: row.id,
    user_id: row.user_id,
    source: row.source,
    provider: row.provider,
    status: row.status,
    questions: row.questions,
    options: row.options,
    attempts: row.attempts,
    file_bytes: row.file_bytes,
    // Imports from before summaries and clocks have no counts of them.
    progress: { ...NOTHING_READ, ...row.progress },
    error: row.error,
    created_at: formatInstant(row.created_at),
    started_at: row.started_at && formatInstant(row.started_at),
    finished_at: row.finished_at && formatInstant(row.finished_at),
  }
}
