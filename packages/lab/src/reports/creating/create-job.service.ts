import { findUserReference, holdUserReference } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import { AppError, badRequest, forbidden, notFoundCode } from '@salus/kernel/errors'
import type { StoreAnswer } from '@salus/kernel/idempotency/idempotent-request'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { EngineProblem, FileProblem } from '@salus/lab-report-parser'
import type { LabReportSettings } from '../lab-report-settings.ts'
import type { LabReportParts } from '../lab-reports.parts.ts'
import { toParsingJob } from '../lab-reports.presenter.ts'
import * as repository from '../lab-reports.repository.ts'
import type { ParsingJob } from '../lab-reports.schema.ts'
import type { StoredFile } from '../lab-reports.tables.ts'
import { STAGE_LAB_REPORT } from '../parsing/stage-job.service.ts'
import { removeReportFiles, writeReportFiles } from '../report-files.ts'
import type { Upload } from './read-upload.ts'

/**
 * Stores the files of a lab report and creates its parsing job. Both are durable when it returns.
 * @throws AppError 404 `user_not_found`; 400 `human_review_not_enabled` and the codes of
 *   FileProblem; 403 `sandbox_job_limit`; 503 `parser_unavailable`
 */
export async function createParsingJob(
  scope: Scope,
  { files, secrets, labReportParser }: LabReportParts,
  settings: LabReportSettings,
  upload: Upload,
  storeAnswer?: StoreAnswer,
): Promise<ParsingJob> {
  const { userId, needsHumanReview } = upload
  if ((await findUserReference(scope, userId)) === undefined) throw notFoundCode('user_not_found')
  if (needsHumanReview && !scope.environment.settings.lab_report_review_enabled) {
    throw badRequest('human_review_not_enabled', 'The team has no human review of reports.')
  }
  const contents = upload.files.map(({ content }) => content)
  const { pages } = await labReportParser
    .inspect(contents)
    .catch((error: unknown) => refuseProblem(scope, error))
  const id = newId()
  const stored = upload.files.map(({ content, contentType }): StoredFile => {
    return { content_type: contentType, bytes: content.length }
  })
  const now = environmentNow(scope)
  try {
    const job = {
      id,
      user_id: userId,
      status: 'upload_pending' as const,
      needs_human_review: needsHumanReview,
      review_reasons: needsHumanReview ? ['requested' as const] : [],
      pages_read: 0,
      pages_total: pages,
      files: JSON.stringify(stored),
      sealed_file_key: await writeReportFiles(files, secrets, id, contents),
      delete_files_at: new Date(scope.clock.now().getTime() + settings.labReportFileDays * DAY_MS),
      created_at: now,
      updated_at: now,
    }
    return await scope.transaction(async (tx) => {
      if ((await holdUserReference(tx, userId)) === undefined) throw notFoundCode('user_not_found')
      await refuseOverLimit(tx, settings.sandboxLabReportLimit)
      const answer = toParsingJob(await repository.insertJob(tx, job), [])
      await addJob(tx.db, STAGE_LAB_REPORT, { environmentId: tx.environment.id, jobId: id })
      await storeAnswer?.(tx, answer)
      return answer
    })
  } catch (error) {
    await removeUnnamed(scope, files, { id, files: stored })
    throw error
  }
}

/** Throws a problem with its code in the contract; 503 when the files are not its cause. */
function refuseProblem(scope: Scope, error: unknown): never {
  if (error instanceof EngineProblem) {
    scope.log.error({ part: error.part }, 'uploaded lab reports cannot be examined')
    const message = 'The server cannot examine files at the moment. Try again.'
    throw new AppError(503, 'parser_unavailable', message)
  }
  if (!(error instanceof FileProblem)) throw error
  throw badRequest(error.code, PROBLEMS[error.code])
}

const PROBLEMS: Readonly<Record<FileProblem['code'], string>> = {
  unsupported_file_type: 'A file is not PDF, JPEG or PNG.',
  empty_file: 'A file is empty.',
  pdf_in_multi_upload: 'Several files must be images.',
  unreadable_file: 'A file is damaged, cut off or encrypted.',
  too_many_pages: 'The PDF has more than 20 pages.',
}

/** Checks the limit of parsing jobs. @throws AppError 403 `sandbox_job_limit` */
async function refuseOverLimit(tx: TransactionScope, limit: number): Promise<void> {
  if (limit === 0 || tx.environment.kind !== 'sandbox') return
  await repository.lockJobCreation(tx)
  if ((await repository.countJobs(tx)) < limit) return
  throw forbidden('sandbox_job_limit', 'The sandbox has reached its limit of parsing jobs.')
}

/**
 * Deletes the files unless a row names them. When that cannot be determined, as after a commit
 * whose response was lost, they stay.
 */
async function removeUnnamed(
  scope: Scope,
  files: LabReportParts['files'],
  job: { id: string; files: readonly StoredFile[] },
): Promise<void> {
  try {
    if ((await repository.findJob(scope, job.id)) === undefined) await removeReportFiles(files, job)
  } catch (error) {
    scope.log.warn({ err: error }, 'files of a refused lab report were not deleted')
  }
}
