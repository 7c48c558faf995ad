import type { Readable } from 'node:stream'
import { findEnvironment } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { AppError, badRequest, notFound } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
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
import { type ImportJob, type ImportProgress, NO_CLOCKS } from './imports.schema.ts'

/** Folder of uploaded files in the file store. */
export const IMPORT_FILES = 'imports'
/**
 * After that many runs an import has failed: some four hours, as the queue waits longer each time.
 */
const MOST_ATTEMPTS = 10

const APPLE_HEALTH = 'apple_health'
const PROVIDER = 'apple_health_kit'
const PAGE_SIZE = 50
const NOTHING_READ: ImportProgress = {
  bytes_total: 0,
  bytes_read: 0,
  records: 0,
  types: [],
  summaries: [],
  clocks: NO_CLOCKS,
  missing: [],
  exported_at: null,
}

/** Where uploaded files go. */
interface ImportFiles {
  files: FileStore
  maxBytes: number
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/** What the queue hands to the worker. */
interface ImportPayload {
  environmentId: string
  userId: string
  jobId: string
  baseUrl: string
  /** Left out by jobs of before there was a choice. */
  removesMissing?: boolean
}

export const IMPORT_APPLE_HEALTH = defineJob<ImportPayload>('import_apple_health')

/**
 * Takes an uploaded export and makes a job of it. The file is on disk, and the job in the database,
 * when it returns.
 * @param options Whether what the export holds no more is removed.
 * @throws AppError 404 for the user, 413 over the limit, 400 for an empty file.
 */
export async function receiveAppleHealth(
  scope: Scope,
  { files, maxBytes, baseUrl }: ImportFiles,
  userId: string,
  content: Readable,
  { removesMissing = false } = {},
): Promise<ImportJob> {
  const { id: environmentId } = scope.environment
  const user = await getUserRow(scope, userId)
  const id = newId()
  const fileBytes = await files.write(IMPORT_FILES, id, content, maxBytes)
  try {
    if (fileBytes === 0) throw badRequest('empty_file', 'The file is empty.')
    const created_at = scope.clock.now()
    const job = { id, user_id: user.id, source: APPLE_HEALTH, file_bytes: fileBytes, created_at }
    const payload = {
      environmentId,
      userId: user.id,
      jobId: id,
      baseUrl,
      removesMissing,
    }
    const row = await scope.transaction(async (tx) => {
      await addJob(tx.db, IMPORT_APPLE_HEALTH, payload, { queue: importQueue(user.id) })
      return repository.insertImportJob(tx, job, NOTHING_READ)
    })
    return toImportJob(row)
  } catch (error) {
    await files.remove(IMPORT_FILES, id)
    throw error
  }
}

/**
 * One import of a person at a time: two of them would count each other's samples. Queues stay when
 * their jobs are gone, so their names are few and tell of nobody.
 */
const importQueue = (userId: string): string => `import ${Number.parseInt(userId.slice(-2), 16)}`

/** @throws AppError 404 for an unknown user, and for a job that is not theirs */
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

/** One page of the jobs of a user, newest first. @throws AppError 404 for an unknown user */
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

/**
 * Removes the files of a person that were not imported yet; the jobs themselves go with the person.
 */
export async function eraseImportFiles(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  for (const id of await repository.listUnfinishedImports(scope, userId)) {
    await files.remove(IMPORT_FILES, id)
  }
}

export interface ImportWorker extends Stores {
  ingest: Ingest
  files: FileStore
  maxXmlBytes: number
}

/**
 * Runs an import. One that was cut short runs again from its beginning: what it had stored counts
 * as unchanged then. A file that cannot be read fails the job for good and says why, and so does
 * one that was tried too often.
 */
export async function runAppleHealthImport(
  context: ImportWorker,
  payload: ImportPayload,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, files, log } = context
  const { jobId } = payload
  // The team may be gone meanwhile, and with it all else that makes a scope.
  const rows = { db, environment: { id: payload.environmentId } }
  const job = await repository.startImportJob(rows, jobId, clock.now())
  // The person was erased meanwhile: nothing of them may stay.
  if (job === undefined) return files.remove(IMPORT_FILES, jobId)
  const saver = createProgressSaver<ImportProgress>(log, (progress) =>
    repository.updateImportJob(rows, jobId, { progress: JSON.stringify(progress) }),
  )
  const history = new HistoryRanges()
  try {
    // Whatever ended the runs before, it may have ended the process with them.
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
  // A person goes with the team.
  if (environment === undefined) throw notFound('User')
  const scope = createScope(context, environment)
  const user = await getUserRow(scope, userId)
  const provider = PROVIDER
  await ensureConnected(scope, user, provider, baseUrl)
  // An export is history: its data have events only for a team that wants them
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
  error_message: 'The import failed at every attempt, for a reason that is not in the file.',
}
class GivenUpError extends Error {}

const USER_DELETED = { error_type: 'user_deleted', error_message: 'The user was deleted.' }

/** Faults that trying again will not mend. */
function faultOf(error: unknown): ImportJob['error'] | undefined {
  if (error instanceof ExportFileError) {
    return { error_type: error.code, error_message: error.message }
  }
  if (error instanceof GivenUpError) return GIVEN_UP
  if (error instanceof AppError && error.status === 404) return USER_DELETED
  if (!(error instanceof FileMissingError)) return undefined
  return { error_type: 'file_missing', error_message: 'The uploaded file is not there any more.' }
}

function toImportJob(row: ImportJobRow): ImportJob {
  return {
    id: row.id,
    user_id: row.user_id,
    source: row.source,
    status: row.status,
    attempts: row.attempts,
    file_bytes: row.file_bytes,
    // Imports of before summaries and clocks have no counts of them.
    progress: { ...NOTHING_READ, ...row.progress },
    error: row.error,
    created_at: formatInstant(row.created_at),
    started_at: row.started_at && formatInstant(row.started_at),
    finished_at: row.finished_at && formatInstant(row.finished_at),
  }
}
