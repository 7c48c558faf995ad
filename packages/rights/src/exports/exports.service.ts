import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { getUserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import { openStream } from '@salus/kernel/crypto/sealed-stream'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { conflict, notFound } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { RowScope, Scope, Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import * as globalRepository from './exports.global.repository.ts'
import * as repository from './exports.repository.ts'
import type { ExportFormat, ExportLink, PersonExport } from './exports.schema.ts'

/** Folder of the file store. */
export const EXPORT_FILES = 'exports'

/** Time after which an export expires. */
const KEPT_MS = 7 * DAY_MS
const MOST_ATTEMPTS = 4
const KEY_BYTES = 32

export interface ExportParts {
  files: FileStore
  secrets: SecretBox
}

export const EXPORT_PERSON = defineJob<{ environmentId: string; exportId: string }>(
  'export_person',
  { maxAttempts: MOST_ATTEMPTS },
)

const contextOf = (exportId: string): string => `export ${exportId}`

/** Column for a change of the sealing key. */
export const SEALED_EXPORT_KEYS: SealedColumn = {
  table: 'person_exports',
  column: 'sealed_file_key',
  key: ['environment_id', 'id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/**
 * Creates the key of an export, and its sealed form for the row: the file is useless without it.
 */
export function makeFileKey(secrets: SecretBox, exportId: string): { key: Buffer; sealed: Buffer } {
  const key = randomBytes(KEY_BYTES)
  return { key, sealed: secrets.seal(key.toString('base64'), contextOf(exportId)) }
}

/** @throws AppError 404 for the person; 409 `export_running` */
export async function createExport(
  scope: Scope,
  userId: string,
  format: ExportFormat,
): Promise<PersonExport> {
  const user = await getUserRow(scope, userId)
  return scope.transaction(async (tx) => {
    const now = tx.clock.now()
    const id = newId()
    const expires_at = new Date(now.getTime() + KEPT_MS)
    const made = { id, user_id: user.id, format, created_at: now, expires_at }
    const row = await repository.insertExport(tx, made)
    if (row === undefined) {
      throw conflict('export_running', 'Another export of the user is being made.')
    }
    await addJob(tx.db, EXPORT_PERSON, { environmentId: tx.environment.id, exportId: id })
    return toExport(row)
  })
}

/** @throws AppError 404 */
export async function listExports(scope: Scope, userId: string): Promise<{ data: PersonExport[] }> {
  const user = await getUserRow(scope, userId)
  const rows = await repository.listExports(scope, user.id, scope.clock.now())
  return { data: rows.map(toExport) }
}

/** @throws AppError 404 */
export async function getExport(scope: Scope, userId: string, id: string): Promise<PersonExport> {
  return toExport(await getExportRow(scope, userId, id))
}

async function getExportRow(scope: Scope, userId: string, id: string) {
  const user = await getUserRow(scope, userId)
  const row = await repository.findExport(scope, user.id, id.toLowerCase(), scope.clock.now())
  if (row === undefined) throw notFound('Export')
  return row
}

/** Removes an export before it expires, also one that is being made. @throws AppError 404 */
export async function deleteExport(
  scope: Scope,
  { files }: ExportParts,
  userId: string,
  id: string,
): Promise<void> {
  const row = await getExportRow(scope, userId, id)
  await repository.deleteExport(scope, row.id)
  await files.remove(EXPORT_FILES, row.id)
}

/**
 * Creates a link that downloads the file without a key until it expires, in place of an earlier
 * one.
 * @throws AppError 404; 409 `export_not_completed`
 */
export async function createLink(
  scope: Scope,
  { userId, exportId, baseUrl }: { userId: string; exportId: string; baseUrl: string },
  expiresInSeconds: number,
): Promise<ExportLink> {
  const row = requireCompleted(await getExportRow(scope, userId, exportId))
  const secret = randomSecret()
  const until = scope.clock.now().getTime() + expiresInSeconds * 1000
  const expiresAt = new Date(Math.min(until, row.expires_at.getTime()))
  await repository.setLink(scope, row.id, { hash: hashKey(secret), expiresAt })
  return { url: `${baseUrl}/export/${secret}`, expires_at: formatInstant(expiresAt) }
}

function requireCompleted(row: repository.ExportRow): repository.ExportRow {
  if (row.status === 'completed') return row
  throw conflict('export_not_completed', 'Only a completed export has a file.')
}

/** A file of an export that is being downloaded. */
export interface ExportDownload {
  row: repository.ExportRow
  content: Readable
}

/** @throws AppError 404; 409 `export_not_completed` */
export async function openExport(
  scope: Scope,
  parts: ExportParts,
  userId: string,
  exportId: string,
): Promise<ExportDownload> {
  return openFile(parts, requireCompleted(await getExportRow(scope, userId, exportId)))
}

/**
 * Opens the file of a link.
 * @throws AppError 404, the same for an expired link and for one that never existed
 */
export async function openExportOfLink(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  parts: ExportParts,
  secret: string,
): Promise<ExportDownload> {
  const row = await globalRepository.findExportByLink(db, hashKey(secret), clock.now())
  if (row === undefined) throw notFound('Export')
  return openFile(parts, row)
}

async function openFile(
  { files, secrets }: ExportParts,
  row: repository.ExportRow,
): Promise<ExportDownload> {
  if (row.sealed_file_key === null) throw notFound('Export')
  const key = Buffer.from(secrets.open(row.sealed_file_key, contextOf(row.id)), 'base64')
  try {
    const sealed = await files.stream(EXPORT_FILES, row.id)
    return { row, content: Readable.from(openStream(key, sealed), { objectMode: false }) }
  } catch (error) {
    if (error instanceof FileMissingError) throw notFound('Export')
    throw error
  }
}

/** Removes the files of a user's exports; the exports themselves are removed with the user. */
export async function eraseExports(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  const rows = await repository.listExports(scope, userId, new Date(0))
  for (const { id } of rows) await files.remove(EXPORT_FILES, id)
}

const ENDED_AT_ONCE = 200

/** Removes exports that have expired. It can be run again when it was interrupted. */
export async function removeEndedExports(
  { db, clock, log }: Stores,
  files: FileStore,
  signal: AbortSignal,
): Promise<void> {
  let removed = 0
  for (;;) {
    const ended = await globalRepository.listEndedExports(db, clock.now(), ENDED_AT_ONCE)
    for (const { environment_id: environmentId, id } of ended) {
      if (signal.aborted) return
      await files.remove(EXPORT_FILES, id)
      await repository.deleteExport({ db, environment: { id: environmentId } }, id)
    }
    removed += ended.length
    if (ended.length < ENDED_AT_ONCE) break
  }
  await files.removeLeftovers(EXPORT_FILES)
  if (removed > 0) log.info({ exports: removed }, 'removed expired exports')
}

function toExport(row: repository.ExportRow): PersonExport {
  const { id, user_id, format, status, rows_total, rows_written, file_bytes, file_sha256 } = row
  return {
    id,
    user_id,
    format,
    status,
    rows_total,
    rows_written,
    file_bytes,
    file_sha256,
    link_expires_at: row.link_expires_at && formatInstant(row.link_expires_at),
    created_at: formatInstant(row.created_at),
    completed_at: row.completed_at && formatInstant(row.completed_at),
    expires_at: formatInstant(row.expires_at),
  }
}
