import type { Readable } from 'node:stream'
import { getUserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import { AppError, badRequest, conflict, notFound } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { limitBytes } from '@salus/kernel/files/file-store'
import type { GrowingFile } from '@salus/kernel/files/growing-files'
import { newId } from '@salus/kernel/ids'
import type { RowScope, Scope, Stores, TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { IMPORT_FILES } from '../import-queue.ts'
import * as everywhere from './uploads.global.repository.ts'
import type { UploadRow } from './uploads.repository.ts'
import * as repository from './uploads.repository.ts'
import type { ImportUpload } from './uploads.schema.ts'

/** An upload that does not grow is removed after this time. */
const EXPIRY_MS = DAY_MS
/**
 * A writer that receives nothing for this time can be replaced: its client may have lost the
 * connection without the server noticing, or its process may have ended.
 */
const WRITER_MS = 10_000
/** Interval at which a writer that receives bytes extends its time. */
const RENEWAL_MS = 3_000

/** Phones and browsers continue one upload; each of them may fill the storage up to its length. */
const MOST_OPEN = 20

const LOCKED = new AppError(
  423,
  'upload_locked',
  'Another request is writing to the upload. Try again in some seconds.',
)

const fileOf = ({ id, bytes }: Pick<UploadRow, 'id' | 'bytes'>): GrowingFile => ({
  kind: IMPORT_FILES,
  name: id,
  bytes,
})

/**
 * Creates an upload without content.
 * @throws AppError 404 for the user, 413 over the limit, 400 for too many open uploads
 */
export async function createUpload(
  scope: Scope,
  maxBytes: number,
  userId: string,
  { bytes, metadata }: { bytes: number; metadata: string | undefined },
): Promise<ImportUpload> {
  const user = await getUserRow(scope, userId)
  if (bytes > maxBytes) {
    throw new AppError(413, 'body_too_large', 'The file is larger than the limit.', {
      max_bytes: maxBytes,
    })
  }
  const now = scope.clock.now()
  if ((await repository.countUploads(scope, user.id, now)) >= MOST_OPEN) {
    const message = 'The user has the most open uploads allowed. Continue or delete one.'
    throw badRequest('too_many_uploads', message)
  }
  const row = await repository.insertUpload(scope, {
    ...{ user_id: user.id, id: newId(), bytes, metadata: metadata ?? null, created_at: now },
    expires_at: expiryFrom(now),
  })
  return toImportUpload(row, 0)
}

/**
 * Returns an upload with the number of bytes that the storage has of it.
 * @throws AppError 404 for an unknown, expired or imported one, and for one of another user
 */
export async function getUpload(
  scope: Scope,
  files: FileStore,
  userId: string,
  uploadId: string,
): Promise<ImportUpload> {
  const row = await findLiveUpload(scope, userId, uploadId)
  return toImportUpload(row, await files.growing.length(fileOf(row)))
}

/**
 * Continues an upload. What arrives before a failure is durable, and the upload continues behind
 * it.
 * @throws AppError 404, 409 when `offset` is not the number of stored bytes, 413 when the content
 *   exceeds the length, 423 while another request writes, 503 when the storage is full.
 */
export async function appendToUpload(
  scope: Scope,
  files: FileStore,
  { userId, uploadId }: { userId: string; uploadId: string },
  offset: number,
  content: Readable,
): Promise<ImportUpload> {
  const row = await findLiveUpload(scope, userId, uploadId)
  const file = fileOf(row)
  const stored = await whileWriting(scope, files, row, async (renew) => {
    await requireOffset(files, file, offset)
    // A refused body is not destroyed, so that the connection lasts until the answer is sent.
    const arriving = content.iterator({ destroyOnReturn: false })
    const limited = renewing(limitBytes(arriving, row.bytes - offset), renew)
    const bytes = await files.growing.append(file, offset, limited)
    if (bytes === row.bytes) await files.growing.finish(file)
    return bytes
  })
  return toImportUpload({ ...row, expires_at: expiryFrom(scope.clock.now()) }, stored)
}

/** Removes an upload and its file. @throws AppError 404, 423 while a request writes to it */
export async function removeUpload(
  scope: Scope,
  files: FileStore,
  userId: string,
  uploadId: string,
): Promise<void> {
  const row = await findLiveUpload(scope, userId, uploadId)
  await whileWriting(scope, files, row, async () => {
    await files.growing.discard(fileOf(row))
    await repository.deleteUpload(scope, row.id)
  })
}

/**
 * Makes the file of a complete upload the file of an import: `IMPORT_FILES` has it under the id of
 * the upload, so the job of the import takes that id. The upload ends with the transaction. If that
 * fails, the upload can be taken again.
 * @returns The length of the file.
 * @throws AppError 404 for an unknown, expired or taken upload, 409 for an incomplete one, 423
 *   while a request writes to it.
 */
export async function takeUpload(
  tx: TransactionScope,
  files: FileStore,
  userId: string,
  uploadId: string,
): Promise<{ fileBytes: number }> {
  const row = await repository.lockUpload(tx, userId, uploadId)
  const now = tx.clock.now()
  if (row === undefined || row.expires_at <= now) throw notFound('Upload')
  if (row.writer_until !== null && row.writer_until > now) throw LOCKED
  const offset = await files.growing.length(fileOf(row))
  if (offset !== row.bytes) {
    const state = { offset, length: row.bytes }
    throw conflict('upload_incomplete', 'The upload is not complete yet.', state)
  }
  await files.growing.finish(fileOf(row))
  await repository.deleteUpload(tx, row.id)
  return { fileBytes: row.bytes }
}

/** Removes files of uploads of a user; their rows are deleted with the user. */
export async function eraseUploads(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  for (const upload of await repository.listUploads(scope, userId)) {
    await files.growing.discard(fileOf(upload))
  }
}

/** Number of uploads that are read at once. */
const BATCH = 100

/** Removes uploads that have expired, with their files. */
export async function removeExpiredUploads(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  files: FileStore,
): Promise<void> {
  const now = clock.now()
  const listNext = () => everywhere.listExpiredUploads(db, now, BATCH)
  for (let rows = await listNext(); rows.length > 0; rows = await listNext()) {
    for (const row of rows) {
      // The file first: a row without a file is removed the next day, a file without a row never.
      await files.growing.discard(fileOf(row))
      await everywhere.deleteExpiredUpload(db, row.id, now)
    }
  }
}

async function findLiveUpload(scope: Scope, userId: string, uploadId: string): Promise<UploadRow> {
  const user = await getUserRow(scope, userId)
  const row = await repository.findUpload(scope, user.id, uploadId)
  if (row === undefined || row.expires_at <= scope.clock.now()) throw notFound('Upload')
  return row
}

async function requireOffset(files: FileStore, file: GrowingFile, offset: number): Promise<void> {
  const stored = await files.growing.length(file)
  if (stored === offset) return
  const message = 'The offset is not the number of bytes that the server has.'
  throw conflict('upload_offset_conflict', message, { offset: stored })
}

type Renew = () => Promise<void>

/**
 * Runs work as the only writer of an upload, among all processes.
 * @throws AppError 423 while there is another one
 */
async function whileWriting<T>(
  scope: Scope,
  files: FileStore,
  row: UploadRow,
  work: (renew: Renew) => Promise<T>,
): Promise<T> {
  const { clock } = scope
  const writer = newId()
  const untilFrom = (now: Date): Date => new Date(now.getTime() + WRITER_MS)
  const times = (now: Date) => ({ now, until: untilFrom(now), expiresAt: expiryFrom(now) })
  let renewedAt = clock.now()
  if (!(await repository.acquireUpload(scope, row.id, writer, times(renewedAt)))) throw LOCKED
  const renew: Renew = async () => {
    const now = clock.now()
    if (now.getTime() - renewedAt.getTime() < RENEWAL_MS) return
    // A writer that was silent for too long may have been replaced.
    if (!(await repository.renewUpload(scope, row.id, writer, times(now)))) throw LOCKED
    renewedAt = now
  }
  try {
    return await work(renew)
  } finally {
    const end = { until: null, expiresAt: expiryFrom(clock.now()) }
    const isOurs = await repository.renewUpload(scope, row.id, writer, end)
    if (!isOurs) await removeOrphan(scope, files, row)
  }
}

/** Removes the file of an upload that was erased with its user while a request wrote to it. */
async function removeOrphan(scope: Scope, files: FileStore, row: UploadRow): Promise<void> {
  if (await repository.isKnownFile(scope, row.id)) return
  await files.growing.discard(fileOf(row))
}

async function* renewing(content: AsyncIterable<Buffer>, renew: Renew): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    await renew()
    yield chunk
  }
}

const expiryFrom = (now: Date): Date => new Date(now.getTime() + EXPIRY_MS)

function toImportUpload(row: UploadRow, offset: number): ImportUpload {
  return {
    id: row.id,
    user_id: row.user_id,
    length: row.bytes,
    offset,
    metadata: row.metadata,
    created_at: formatInstant(row.created_at),
    expires_at: formatInstant(row.expires_at),
  }
}
