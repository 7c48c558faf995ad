import { hkdfSync, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { listDeletedSince } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import { openStream } from '@salus/kernel/crypto/sealed-stream'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { conflict, notFound } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { isUuid, newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { RowScope, Scope, Stores, TransactionScope } from '@salus/kernel/scope'
import type { ServedType } from '../reading/index.ts'
import * as globalRepository from './bulk-exports.global.repository.ts'
import * as repository from './bulk-exports.repository.ts'

/** Folder of the file store. */
export const BULK_FILES = 'fhir_exports'

/** Time after which an export expires. */
const KEPT_MS = 24 * HOUR_MS
const MOST_ATTEMPTS = 4
const KEY_BYTES = 32

export interface BulkParts {
  files: FileStore
  secrets: SecretBox
}

/** What an export is to have. */
interface AskedExport {
  types: ServedType[]
  since: Date | null
  requestUrl: string
}

export const EXPORT_FHIR = defineJob<{ environmentId: string; exportId: string }>('export_fhir', {
  maxAttempts: MOST_ATTEMPTS,
})

const contextOf = (exportId: string): string => `fhir export ${exportId}`

/** Column for a change of the sealing key. */
export const SEALED_BULK_KEYS: SealedColumn = {
  table: 'fhir_exports',
  column: 'sealed_file_key',
  key: ['environment_id', 'id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/** Creates the key of an export, and its sealed form for the row. */
export function makeBulkKey(secrets: SecretBox, id: string): { key: Buffer; sealed: Buffer } {
  const key = randomBytes(KEY_BYTES)
  return { key, sealed: secrets.seal(key.toString('base64'), contextOf(id)) }
}

/** Returns the key of one file: no key may encrypt two streams. */
export const fileKeyOf = (key: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), name, KEY_BYTES))

export const fileNameOf = (exportId: string, name: string): string => `${exportId}.${name}`

/**
 * Creates an export of the environment in the background; the same request again returns the export
 * that is being made.
 * @returns its id
 * @throws AppError 409 `export_running`
 */
export async function createBulkExport(scope: Scope, asked: AskedExport): Promise<string> {
  return scope.transaction(async (tx) => {
    const now = tx.clock.now()
    const id = newId()
    const inserted = await repository.insertBulkExport(tx, {
      id,
      types: asked.types,
      since: asked.since,
      request_url: asked.requestUrl,
      created_at: now,
      expires_at: new Date(now.getTime() + KEPT_MS),
    })
    if (inserted === undefined) return findSameExport(tx, asked)
    await addJob(tx.db, EXPORT_FHIR, { environmentId: tx.environment.id, exportId: id })
    return id
  })
}

/** @throws AppError 409 `export_running` */
async function findSameExport(tx: TransactionScope, asked: AskedExport): Promise<string> {
  const running = await repository.findRunningExport(tx)
  const isSame =
    running !== undefined &&
    running.types.join() === asked.types.join() &&
    running.since?.getTime() === asked.since?.getTime()
  if (isSame) return running.id
  throw conflict('export_running', 'Another export of the environment is being made.')
}

/** @throws AppError 404 for an unknown or expired export */
export async function getBulkExport(scope: Scope, id: string): Promise<repository.BulkExportRow> {
  const row = isUuid(id)
    ? await repository.findBulkExport(scope, id.toLowerCase(), scope.clock.now())
    : undefined
  if (row === undefined) throw notFound('Export')
  return row
}

/**
 * Opens a file of a completed export. The resources of people who were deleted afterwards are left
 * out.
 * @throws AppError 404
 */
export async function openBulkFile(
  scope: Scope,
  { files, secrets }: BulkParts,
  id: string,
  name: string,
): Promise<Readable> {
  const row = await getBulkExport(scope, id)
  const isWritten = row.files.some((file) => file.name === name)
  if (row.status !== 'completed' || row.sealed_file_key === null || !isWritten) {
    throw notFound('File')
  }
  const deleted = await listDeletedSince(scope, row.created_at)
  const key = Buffer.from(secrets.open(row.sealed_file_key, contextOf(row.id)), 'base64')
  try {
    const sealed = await files.stream(BULK_FILES, fileNameOf(row.id, name))
    const content = openStream(fileKeyOf(key, name), sealed)
    const shown = deleted.length === 0 ? content : withoutPeople(content, deleted)
    return Readable.from(shown, { objectMode: false })
  } catch (error) {
    if (error instanceof FileMissingError) throw notFound('File')
    throw error
  }
}

/** Leaves out the lines that name one of the people: each line is a resource of one person. */
async function* withoutPeople(
  content: AsyncIterable<Buffer>,
  userIds: readonly string[],
): AsyncGenerator<string> {
  for await (const line of createInterface({ input: Readable.from(content) })) {
    if (!userIds.some((id) => line.includes(id))) yield `${line}\n`
  }
}

/** Removes an export, also one that is being made. @throws AppError 404 */
export async function deleteBulkExport(
  scope: Scope,
  { files }: Pick<BulkParts, 'files'>,
  id: string,
): Promise<void> {
  const row = await getBulkExport(scope, id)
  await removeExport(scope, files, row.id)
}

/** The row goes first: a job that runs meanwhile notices it, and removes what it wrote. */
async function removeExport(scope: RowScope, files: FileStore, id: string): Promise<void> {
  const types = await repository.deleteBulkExport(scope, id)
  for (const type of types ?? []) await files.remove(BULK_FILES, fileNameOf(id, nameOf(type)))
}

/** Name of the file of a type. */
export const nameOf = (type: string): string => `${type}.ndjson`

/** Removes all exports of an environment, because each may hold data of a person who is erased. */
export async function eraseBulkExports(scope: RowScope, files: FileStore): Promise<void> {
  for (const id of await repository.listBulkExportIds(scope)) await removeExport(scope, files, id)
}

const ENDED_AT_ONCE = 200

/** Removes exports that have expired. */
export async function removeEndedBulkExports(
  { db, clock }: Stores,
  files: FileStore,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const ended = await globalRepository.listEndedBulkExports(db, clock.now(), ENDED_AT_ONCE)
    for (const { environment_id: environmentId, id } of ended) {
      if (signal.aborted) return
      await removeExport({ db, environment: { id: environmentId } }, files, id)
    }
    if (ended.length < ENDED_AT_ONCE) return
  }
}
