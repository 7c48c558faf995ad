import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'

/** Folder of the file store with uploaded reports. */
export const LAB_REPORT_FILES = 'lab_reports'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

const contextOf = (jobId: string): string => `files of lab report ${jobId}`
const nameOf = (jobId: string, index: number): string => `${jobId}.${index}`

/** The column, for rotation of the encryption key. */
export const SEALED_LAB_REPORT_KEYS: SealedColumn = {
  table: 'lab_report_jobs',
  column: 'sealed_file_key',
  key: ['environment_id', 'id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/** Fields of a job for its files. */
interface FilesOfJob {
  id: string
  files: readonly unknown[]
  sealed_file_key: Buffer | null
}

/**
 * Writes the files of a job, encrypted with a key of the job, whose encrypted form is stored in the
 * row; without it the files are unreadable. They are durable when this returns.
 */
export async function writeReportFiles(
  store: FileStore,
  secrets: SecretBox,
  jobId: string,
  files: readonly Buffer[],
): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES)
  for (const [index, content] of files.entries()) {
    const name = nameOf(jobId, index)
    const sealed = encrypt(key, name, content)
    await store.write(LAB_REPORT_FILES, name, sealed, sealed.length)
  }
  return secrets.seal(key.toString('base64'), contextOf(jobId))
}

/** Returns the uploaded files of a job, in order. @throws FileMissingError */
export async function readReportFiles(
  store: FileStore,
  secrets: SecretBox,
  job: FilesOfJob,
): Promise<Buffer[]> {
  const contents: Buffer[] = []
  for (const index of job.files.keys()) {
    contents.push(await readReportFile(store, secrets, job, index))
  }
  return contents
}

/** Returns one file of a job; the first has index 0. @throws FileMissingError */
export async function readReportFile(
  store: FileStore,
  secrets: SecretBox,
  job: FilesOfJob,
  index: number,
): Promise<Buffer> {
  if (job.sealed_file_key === null) throw new FileMissingError('The files were deleted.')
  const key = Buffer.from(secrets.open(job.sealed_file_key, contextOf(job.id)), 'base64')
  const name = nameOf(job.id, index)
  return decrypt(key, name, await store.read(LAB_REPORT_FILES, name))
}

/** Deletes the files of a job. It can be repeated after an interruption. */
export async function removeReportFiles(
  store: FileStore,
  { id, files }: Pick<FilesOfJob, 'id' | 'files'>,
): Promise<void> {
  for (const index of files.keys()) await store.remove(LAB_REPORT_FILES, nameOf(id, index))
}

/**
 * Returns nonce, tag and content. The name is authenticated too, so that files cannot be swapped.
 */
function encrypt(key: Buffer, name: string, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name))
  const sealed = [cipher.update(content), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
}

function decrypt(key: Buffer, name: string, sealed: Buffer): Buffer {
  const contentAt = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(NONCE_BYTES, contentAt))
  return Buffer.concat([decipher.update(sealed.subarray(contentAt)), decipher.final()])
}
