import type { Readable } from 'node:stream'
import { getUserRow } from '@salus/accounts/users'
import { badRequest, conflict, notFound } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { CSV } from './formats/csv/csv.format.ts'
import { findFormat } from './formats/formats.registry.ts'
import { FLOATING, type ImportOptions } from './import-options.ts'
import { IMPORT_FILE, IMPORT_FILES, importQueue } from './import-queue.ts'
import type { ImportJobRow } from './imports.repository.ts'
import * as repository from './imports.repository.ts'
import { type ImportJob, type ImportProgress, NO_LOCAL_TIME_COUNTS } from './imports.schema.ts'
import { requireTemplate } from './templates/templates.service.ts'

const PAGE_SIZE = 50
const NOTHING_READ: ImportProgress = {
  bytes_total: 0,
  bytes_read: 0,
  records: 0,
  types: [],
  summaries: [],
  clocks: NO_LOCAL_TIME_COUNTS,
  missing: [],
  exported_at: null,
}

/** Store of uploaded files. */
export interface ImportPort {
  files: FileStore
  maxBytes: number
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/** What a caller says about an uploaded file. */
interface ImportRequest {
  /** Slug of its format; by default it is recognized by its content. */
  format?: string | undefined
  options?: ImportOptions
}

/**
 * Stores an uploaded file and creates a job for it. The file is on disk, and the job in the
 * database, when it returns.
 * @throws AppError 404 for the user, 413 over the limit, 400 for an empty file, an unknown format
 *   or an unknown zone.
 */
export async function receiveImport(
  scope: Scope,
  { files, maxBytes, baseUrl }: ImportPort,
  userId: string,
  content: Readable,
  { format: named, options = {} }: ImportRequest = {},
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  // Nothing else has templates.
  const format = named ?? (options.template_id === undefined ? undefined : CSV.slug)
  checkFormat(format)
  checkOptions(options)
  await requireTemplate(scope, options)
  const id = newId()
  const fileBytes = await files.write(IMPORT_FILES, id, content, maxBytes)
  try {
    if (fileBytes === 0) throw badRequest('empty_file', 'The file is empty.')
    const created_at = scope.clock.now()
    const source = { source: format ?? null, file_bytes: fileBytes, options }
    const job = { id, user_id: user.id, created_at, ...source }
    const payload = {
      ...{ environmentId: scope.environment.id, userId: user.id, jobId: id, baseUrl },
      ...(format !== undefined && { format }),
    }
    const row = await scope.transaction(async (tx) => {
      await addJob(tx.db, IMPORT_FILE, payload, { queue: importQueue(user.id) })
      return repository.insertImportJob(tx, job, NOTHING_READ)
    })
    return toImportJob(row)
  } catch (error) {
    await files.remove(IMPORT_FILES, id)
    throw error
  }
}

/**
 * Answers the questions of a job that waits, and queues it again.
 * @throws AppError 404 for an unknown user or job, 409 for a job that does not wait, 400 for an
 *   unknown zone.
 */
export async function answerImport(
  scope: Scope,
  { userId, jobId, baseUrl }: { userId: string; jobId: string; baseUrl: string },
  options: ImportOptions,
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  checkOptions(options)
  await requireTemplate(scope, options)
  const row = await scope.transaction(async (tx) => {
    const answered = await repository.answerImportJob(tx, user.id, jobId, options)
    if (answered === undefined) return undefined
    const payload = {
      ...{ environmentId: scope.environment.id, userId: user.id, jobId, baseUrl },
      // The file was recognized, and it is the same.
      ...(answered.source !== null && { format: answered.source }),
    }
    await addJob(tx.db, IMPORT_FILE, payload, { queue: importQueue(user.id) })
    return answered
  })
  if (row !== undefined) return toImportJob(row)
  await getImportJob(scope, userId, jobId)
  throw conflict('import_not_waiting', 'The import does not wait for options.')
}

/** @throws AppError 400 for a slug that is no format */
function checkFormat(slug: string | undefined): void {
  if (slug === undefined || findFormat(slug) !== undefined) return
  throw badRequest('unknown_format', 'There is no format of this name. See GET /v2/import/formats.')
}

/** @throws AppError 400 for a zone that does not exist */
function checkOptions({ time_zone: zone }: ImportOptions): void {
  if (zone === undefined || zone === FLOATING || zoneOffsetSeconds(zone, 0) !== null) return
  throw badRequest('unknown_time_zone', 'The time zone is neither an IANA zone nor floating.')
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
}

function toImportJob(row: ImportJobRow): ImportJob {
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
