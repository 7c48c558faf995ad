import type { Readable } from 'node:stream'
import { getUserRow } from '@salus/accounts/users'
import { badRequest, conflict } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { CSV } from './formats/csv/csv.format.ts'
import { findFormat } from './formats/formats.registry.ts'
import { FLOATING, type ImportOptions } from './import-options.ts'
import { IMPORT_FILE, IMPORT_FILES, importQueue } from './import-queue.ts'
import { answerImportJob, insertImportJob } from './imports.repository.ts'
import type { ImportJob } from './imports.schema.ts'
import { getImportJob, NOTHING_READ, toImportJob } from './imports.service.ts'
import { requireTemplate } from './templates/templates.service.ts'
import { takeUpload } from './uploads/uploads.service.ts'

/** Store of uploaded files. */
export interface ImportPort {
  files: FileStore
  maxBytes: number
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/** What a caller says about an uploaded file. */
export interface ImportRequest {
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
  request: ImportRequest = {},
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  await checkRequest(scope, request)
  const id = newId()
  const fileBytes = await files.write(IMPORT_FILES, id, content, maxBytes)
  try {
    if (fileBytes === 0) throw badRequest('empty_file', 'The file is empty.')
    return await scope.transaction((tx) =>
      queueImport(tx, { id, userId: user.id, fileBytes, baseUrl }, request),
    )
  } catch (error) {
    await files.remove(IMPORT_FILES, id)
    throw error
  }
}

/**
 * Creates a job for a complete upload, under its id.
 * @throws AppError 404 for the user and the upload, 409 for an incomplete one, 423 while a request
 *   writes to it, 400 for an unknown format or an unknown zone.
 */
export async function importUpload(
  scope: Scope,
  { files, baseUrl }: Omit<ImportPort, 'maxBytes'>,
  userId: string,
  uploadId: string,
  request: ImportRequest = {},
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  await checkRequest(scope, request)
  return scope.transaction(async (tx) => {
    const { fileBytes } = await takeUpload(tx, files, user.id, uploadId)
    return queueImport(tx, { id: uploadId, userId: user.id, fileBytes, baseUrl }, request)
  })
}

async function queueImport(
  tx: TransactionScope,
  file: { id: string; userId: string; fileBytes: number; baseUrl: string },
  { format: named, options = {} }: ImportRequest,
): Promise<ImportJob> {
  const { id, userId, fileBytes, baseUrl } = file
  // Nothing else has templates.
  const format = named ?? (options.template_id === undefined ? undefined : CSV.slug)
  const payload = {
    ...{ environmentId: tx.environment.id, userId, jobId: id, baseUrl },
    ...(format !== undefined && { format }),
  }
  await addJob(tx.db, IMPORT_FILE, payload, { queue: importQueue(userId) })
  const source = { source: format ?? null, file_bytes: fileBytes, options }
  const job = { id, user_id: userId, created_at: tx.clock.now(), ...source }
  return toImportJob(await insertImportJob(tx, job, NOTHING_READ))
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
  await checkRequest(scope, { options })
  const row = await scope.transaction(async (tx) => {
    const answered = await answerImportJob(tx, user.id, jobId, options)
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

/** @throws AppError 400 for an unknown format or zone, 404 for a template of another team */
async function checkRequest(scope: Scope, { format, options = {} }: ImportRequest): Promise<void> {
  if (format !== undefined && findFormat(format) === undefined) {
    throw badRequest(
      'unknown_format',
      'There is no format of this name. See GET /v2/import/formats.',
    )
  }
  const { time_zone: zone } = options
  const isKnown = zone === undefined || zone === FLOATING || zoneOffsetSeconds(zone, 0) !== null
  if (!isKnown) {
    throw badRequest('unknown_time_zone', 'The time zone is neither an IANA zone nor floating.')
  }
  await requireTemplate(scope, options)
}
