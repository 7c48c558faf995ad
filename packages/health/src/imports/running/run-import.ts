import { findEnvironment } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { findProvider } from '@salus/contracts/providers'
import { AppError, notFound } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { createProgressSaver } from '@salus/kernel/jobs/progress-saver'
import { createScope, type RowScope, type Scope, type Stores } from '@salus/kernel/scope'
import { ensureConnected, recordAttempts } from '../../connections/index.ts'
import type { Ingest } from '../../ingest/index.ts'
import { ImportFileError } from '../files/import-file-error.ts'
import { type ImportFiles, openImportFiles } from '../files/import-files.ts'
import type { ImportFormat } from '../formats/import-format.ts'
import { IMPORT_FILES, type ImportPayload } from '../import-queue.ts'
import * as repository from '../imports.repository.ts'
import type { ImportJob, ImportProgress } from '../imports.schema.ts'
import { withTemplate } from '../templates/templates.service.ts'
import type { HistoryRanges } from './history-ranges.ts'
import { ImportWriter } from './import-writer.ts'
import { chooseFormat, createContext, providerOf } from './run-format.ts'

/** An import fails after this many runs: some four hours, as the queue waits longer each time. */
const MOST_ATTEMPTS = 10

export interface ImportWorker extends Stores {
  ingest: Ingest
  files: FileStore
  /** Maximum size of the content of a file, in bytes. */
  maxBytes: number
}

/** An import that runs. */
interface RunningImport {
  context: ImportWorker
  payload: ImportPayload
  job: repository.ImportJobRow
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
  /** What was stored, for the report of a failure. */
  stored: { provider: string; history: HistoryRanges } | undefined
}

/**
 * Runs an import. An interrupted one runs again from its beginning: what it had stored then counts
 * as unchanged. An unreadable file, or too many tries, fail the job for good with the reason. A job
 * whose file leaves a question open waits for the answer and keeps its file.
 */
export async function runImport(
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
  if (job === undefined) return removeUnlessWaiting(rows, files, jobId)
  const saver = createProgressSaver<ImportProgress>(log, (progress) =>
    repository.updateImportJob(rows, jobId, { progress: JSON.stringify(progress) }),
  )
  const run: RunningImport = {
    ...{ context, payload, job, signal, onProgress: saver.offer, stored: undefined },
  }
  try {
    // Earlier runs may have crashed with their process.
    if (job.attempts > MOST_ATTEMPTS) throw new GivenUpError()
    const progress = await files.withPath(IMPORT_FILES, jobId, (path) => readFile(run, path))
    await saver.latest()
    if (progress === undefined) return
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
    if (fault !== USER_DELETED) await recordFailure(rows, run)
    await repository.updateImportJob(rows, jobId, {
      status: 'failed',
      ...(progress && { progress: JSON.stringify(progress) }),
      error: JSON.stringify(fault),
      finished_at: clock.now(),
    })
  }
  await files.remove(IMPORT_FILES, jobId)
}

/** A job that is not started was erased, has finished, or waits for an answer with its file. */
async function removeUnlessWaiting(rows: RowScope, files: FileStore, jobId: string): Promise<void> {
  if (!(await repository.isWaitingImport(rows, jobId))) await files.remove(IMPORT_FILES, jobId)
}

/** @returns undefined when the job waits for answers now */
async function readFile(run: RunningImport, path: string): Promise<ImportProgress | undefined> {
  const { context, payload } = run
  const { db, maxBytes } = context
  const environment = await findEnvironment(db, payload.environmentId)
  // A user is deleted with the team.
  if (environment === undefined) throw notFound('User')
  const scope = createScope(context, environment)
  const files = await openImportFiles(path, { maxBytes })
  try {
    const format = await chooseFormat(files, payload.format)
    return await importFiles(run, scope, files, format)
  } finally {
    await files.close()
  }
}

async function importFiles(
  run: RunningImport,
  scope: Scope,
  files: ImportFiles,
  format: ImportFormat,
): Promise<ImportProgress | undefined> {
  const { payload, job, signal, onProgress } = run
  const { environmentId, userId, baseUrl } = payload
  const removesMissing = payload.removesMissing ?? job.options.remove_missing ?? false
  const { ingest, clickhouse, clock, maxBytes } = run.context
  const user = await getUserRow(scope, userId)
  const provider = await providerOf(format, files)
  const owner = { environmentId, userId, provider }
  const source = { source: format.slug, provider }
  await repository.updateImportJob(scope, job.id, source)
  const newestExportAt = await repository.findNewestExport(scope, userId, format.slug)
  const { removeSamples, changeStored } = ingest
  const stores = { owner, clickhouse, removeSamples, changeStored, removesMissing }
  const options = await withTemplate(scope, job.options)
  const known = { files, options, user, now: clock.now(), maxBytes, signal }
  const context = createContext({ ...known, stores: { ...stores, newestExportAt } })
  const questions = (await format.ask?.(context)) ?? []
  if (questions.length > 0) {
    const waiting = { status: 'needs_options', questions: JSON.stringify(questions) } as const
    await repository.updateImportJob(scope, job.id, { ...waiting, attempts: 0 })
    return undefined
  }
  // A cloud provider is connected by an account and not by a file.
  if (findProvider(provider)?.authType === 'sdk') {
    await ensureConnected(scope, user, provider, baseUrl)
  }
  // An export is history: its data only have events for a team that wants them
  // (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily).
  const isPublished = scope.environment.settings.push_historical_data
  const bytesTotal = files.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const out = new ImportWriter({
    ...{ owner, bytesRead: files.readBytes, bytesTotal, onProgress, signal },
    now: context.now,
    store: (data) => ingest.store({ scope, user, provider, baseUrl, isPublished, ...data }),
  })
  run.stored = { provider, history: out.history }
  await readFormat(format, context, out)
  await out.store({ history: out.history.chunks() })
  return out.progress(true)
}

/** Reads the files; what precedes a damage is stored. */
async function readFormat(
  format: ImportFormat,
  context: Parameters<ImportFormat['read']>[0],
  out: ImportWriter,
): Promise<void> {
  try {
    await format.read(context, out)
  } catch (error) {
    if (error instanceof ImportFileError) await out.finish()
    throw error
  }
  await out.finish()
}

/** Records an import that failed after it had stored something. */
async function recordFailure(
  scope: RowScope,
  { context, payload, stored }: RunningImport,
): Promise<void> {
  if (stored === undefined) return
  const attempts = stored.history.resources().map((resource) => ({
    user_id: payload.userId,
    provider: stored.provider,
    resource,
    last_attempt_at: context.clock.now(),
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
  if (error instanceof ImportFileError) {
    return { error_type: error.code, error_message: error.message }
  }
  if (error instanceof GivenUpError) return GIVEN_UP
  if (error instanceof AppError && error.status === 404) return USER_DELETED
  if (!(error instanceof FileMissingError)) return undefined
  return { error_type: 'file_missing', error_message: 'The uploaded file no longer exists.' }
}
