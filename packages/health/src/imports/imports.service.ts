import { findEnvironment } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { AppError, notFound } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { defineJob } from '@salus/kernel/jobs/jobs'
import { createProgressSaver, type ProgressSaver } from '@salus/kernel/jobs/progress-saver'
import { createScope, type RowScope, type Scope, type Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { ensureConnected, recordAttempts } from '../connections/index.ts'
import type { Ingest } from '../ingest/index.ts'
import { ExportFileError } from './apple-health/export-file-error.ts'
import { HistoryRanges } from './apple-health/history-ranges.ts'
import type { StoreData } from './apple-health/summary-import.ts'
import type { ImportJobRow } from './imports.repository.ts'
import * as repository from './imports.repository.ts'
import { type ImportJob, type ImportProgress, NO_LOCAL_TIME_COUNTS } from './imports.schema.ts'
import { eraseUploads, IMPORT_FILES } from './uploads/uploads.service.ts'

export { IMPORT_FILES }

/** An import fails after this many runs: some four hours, as the queue waits longer each time. */
const MOST_ATTEMPTS = 10

const PROVIDER = 'apple_health_kit'
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

/** Payload of the queue for the worker. */
export interface ImportPayload {
  environmentId: string
  userId: string
  jobId: string
  baseUrl: string
  /** Missing in jobs from before the option existed. */
  removesMissing?: boolean
}

export const IMPORT_APPLE_HEALTH = defineJob<ImportPayload>('import_apple_health')

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

export interface ImportWorker extends Stores {
  ingest: Ingest
  files: FileStore
  maxXmlBytes: number
}

/**
 * Runs an import. An interrupted one runs again from its beginning: what it had stored then counts
 * as unchanged. An unreadable file, or too many tries, fail the job for good with the reason.
 */
export async function runAppleHealthImport(
  context: ImportWorker,
  payload: ImportPayload,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, files, log } = context
  const { jobId } = payload
  // The team may be gone meanwhile, and with it the rest of the scope.
  const rows = { db, environment: { id: payload.environmentId } }
  const job = await repository.startImportJob(rows, jobId, clock.now())
  // The user was erased meanwhile: none of their data may stay.
  if (job === undefined) return files.remove(IMPORT_FILES, jobId)
  const saver = createProgressSaver<ImportProgress>(log, (progress) =>
    repository.updateImportJob(rows, jobId, { progress: JSON.stringify(progress) }),
  )
  const history = new HistoryRanges()
  try {
    // Earlier runs may have crashed with their process.
    if (job.attempts > MOST_ATTEMPTS) throw new GivenUpError()
    const progress = await files.withPath(IMPORT_FILES, jobId, (path) =>
      readExport({ ...context, path }, payload, signal, saver, history),
    )
    await repository.updateImportJob(rows, jobId, {
      status: 'completed',
      progress: JSON.stringify(progress),
      finished_at: clock.now(),
    })
  } catch (error) {
    const isLastAttempt = job.attempts >= MOST_ATTEMPTS && !signal.aborted
    const fault = faultOf(error) ?? (isLastAttempt ? GIVEN_UP : undefined)
    if (fault === undefined) throw error
    if (fault === GIVEN_UP) log.error({ err: error, jobId }, 'an import was given up')
    const progress = await saver.latest()
    if (fault !== USER_DELETED) await recordFailure(rows, payload.userId, history, clock.now())
    await repository.updateImportJob(rows, jobId, {
      status: 'failed',
      ...(progress && { progress: JSON.stringify(progress) }),
      error: JSON.stringify(fault),
      finished_at: clock.now(),
    })
  }
  await files.remove(IMPORT_FILES, jobId)
}

async function readExport(
  context: ImportWorker & { path: string },
  { environmentId, userId, baseUrl, removesMissing = false }: ImportPayload,
  signal: AbortSignal,
  saver: ProgressSaver<ImportProgress>,
  history: HistoryRanges,
): Promise<ImportProgress> {
  const { db, clickhouse, ingest, clock, path, maxXmlBytes } = context
  const environment = await findEnvironment(db, environmentId)
  // A user is deleted with the team.
  if (environment === undefined) throw notFound('User')
  const scope = createScope(context, environment)
  const user = await getUserRow(scope, userId)
  const provider = PROVIDER
  await ensureConnected(scope, user, provider, baseUrl)
  // An export is history: its data only have events for a team that wants them
  // (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily).
  const isPublished = environment.settings.push_historical_data
  const store: StoreData = (data) =>
    ingest.store({ scope, user, provider, baseUrl, isPublished, ...data })
  // Loaded with the first import: it is the largest part of this domain.
  const { importAppleHealth } = await import('./apple-health/import-export.ts')
  const progress = await importAppleHealth({
    path,
    owner: { environmentId, userId, provider },
    user,
    clickhouse,
    store,
    removeSamples: ingest.removeSamples,
    maxXmlBytes,
    removesMissing,
    now: clock.now(),
    newestExportAt: await repository.findNewestExport(scope, userId),
    signal,
    onProgress: saver.offer,
    history,
  })
  await saver.latest()
  await store({ history: history.chunks() })
  return progress
}

/** Records an import that failed after it had stored something. */
async function recordFailure(
  scope: RowScope,
  userId: string,
  history: HistoryRanges,
  at: Date,
): Promise<void> {
  const attempts = history.resources().map((resource) => ({
    user_id: userId,
    provider: PROVIDER,
    resource,
    last_attempt_at: at,
    last_attempt_status: 'failure' as const,
    sent_count: 0,
  }))
  await recordAttempts(scope, attempts)
}

const GIVEN_UP = {
  error_type: 'gave_up',
  error_message: 'The import failed at every attempt, but not because of the file.',
}
class GivenUpError extends Error {}

const USER_DELETED = { error_type: 'user_deleted', error_message: 'The user was deleted.' }

/** Returns the error of a permanent failure; undefined when a retry may help. */
function faultOf(error: unknown): ImportJob['error'] | undefined {
  if (error instanceof ExportFileError) {
    return { error_type: error.code, error_message: error.message }
  }
  if (error instanceof GivenUpError) return GIVEN_UP
  if (error instanceof AppError && error.status === 404) return USER_DELETED
  if (!(error instanceof FileMissingError)) return undefined
  return { error_type: 'file_missing', error_message: 'The uploaded file no longer exists.' }
}

export function toImportJob(row: ImportJobRow): ImportJob {
  return {
    id: row.id,
    user_id: row.user_id,
    source: row.source,
    status: row.status,
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
