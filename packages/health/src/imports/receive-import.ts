import type { Readable } from 'node:stream'
import { getUserRow } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { insertImportJob } from './imports.repository.ts'
import type { ImportJob } from './imports.schema.ts'
import {
  IMPORT_APPLE_HEALTH,
  IMPORT_FILES,
  type ImportPayload,
  NOTHING_READ,
  toImportJob,
} from './imports.service.ts'
import { takeUpload } from './uploads/uploads.service.ts'

const APPLE_HEALTH = 'apple_health'

/** Store of uploaded files. */
interface ImportFiles {
  files: FileStore
  maxBytes: number
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/**
 * Stores an uploaded export and creates a job for it. The file is on disk, and the job in the
 * database, when it returns.
 * @param options Whether data that the export lacks are removed.
 * @throws AppError 404 for the user, 413 over the limit, 400 for an empty file.
 */
export async function receiveAppleHealth(
  scope: Scope,
  { files, maxBytes, baseUrl }: ImportFiles,
  userId: string,
  content: Readable,
  { removesMissing = false } = {},
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  const id = newId()
  const fileBytes = await files.write(IMPORT_FILES, id, content, maxBytes)
  try {
    if (fileBytes === 0) throw badRequest('empty_file', 'The file is empty.')
    return await scope.transaction((tx) =>
      queueImport(tx, { id, userId: user.id, fileBytes, baseUrl, removesMissing }),
    )
  } catch (error) {
    await files.remove(IMPORT_FILES, id)
    throw error
  }
}

/**
 * Creates a job for a complete upload, under its id.
 * @param options Whether data that the export lacks are removed.
 * @throws AppError 404 for the user and the upload, 409 for an incomplete one, 423 while a request
 *   writes to it.
 */
export async function importUpload(
  scope: Scope,
  { files, baseUrl }: Omit<ImportFiles, 'maxBytes'>,
  userId: string,
  uploadId: string,
  { removesMissing = false } = {},
): Promise<ImportJob> {
  const user = await getUserRow(scope, userId)
  return scope.transaction(async (tx) => {
    const { fileBytes } = await takeUpload(tx, files, user.id, uploadId)
    return queueImport(tx, { id: uploadId, userId: user.id, fileBytes, baseUrl, removesMissing })
  })
}

interface NewImport extends Pick<ImportPayload, 'userId' | 'baseUrl' | 'removesMissing'> {
  id: string
  fileBytes: number
}

async function queueImport(
  tx: TransactionScope,
  { id, userId, fileBytes, baseUrl, removesMissing }: NewImport,
): Promise<ImportJob> {
  const { id: environmentId } = tx.environment
  const payload = { environmentId, userId, jobId: id, baseUrl, removesMissing }
  await addJob(tx.db, IMPORT_APPLE_HEALTH, payload, { queue: importQueue(userId) })
  const created_at = tx.clock.now()
  const job = { id, user_id: userId, source: APPLE_HEALTH, file_bytes: fileBytes, created_at }
  return toImportJob(await insertImportJob(tx, job, NOTHING_READ))
}

/**
 * One import of a user at a time: two would count each other's samples. Queues outlive their jobs,
 * so there are few names and they identify no user.
 */
const importQueue = (userId: string): string => `import ${Number.parseInt(userId.slice(-2), 16)}`
