import type { FileStore } from '@salus/kernel/files/file-store'
import { defineJob } from '@salus/kernel/jobs/jobs'
import type { RowScope } from '@salus/kernel/scope'
import * as repository from '../results.repository.ts'
import type { ResultsScope, ResultTransaction } from '../results.scope.ts'

/** Folder of the file store with the documents of stored and held results. */
export const RESULT_FILES = 'lab_results'

/** Deletes PDFs whose rows were deleted. */
export const REMOVE_RESULT_FILES = defineJob<{ environmentId: string; names: string[] }>(
  'remove_result_files',
)

const MOST_BYTES = 64 * 1024 * 1024
const PDF_START = '%PDF-'
/** Readers of PDF accept some bytes before its beginning. */
const MOST_BEFORE_PDF = 1024

/** Writes a document, which is durable when this returns. */
export async function writeResultFile(
  files: FileStore,
  name: string,
  content: Buffer,
): Promise<void> {
  await files.write(RESULT_FILES, name, content, MOST_BYTES)
}

/** Returns a document of a stored or held result. @throws FileMissingError */
export function readResultFile(files: FileStore, name: string): Promise<Buffer> {
  return files.read(RESULT_FILES, name)
}

/** Returns the PDF of a result message as bytes; null without a valid one. */
export function decodePdf(base64: string | null): Buffer | null {
  if (base64 === null) return null
  const pdf = Buffer.from(base64, 'base64')
  return pdf.subarray(0, MOST_BEFORE_PDF).includes(PDF_START, 0, 'latin1') ? pdf : null
}

/**
 * Runs work that stores result messages in a transaction. Files are written before the rows that
 * name them are committed. When that fails they are deleted, unless a row names them, as after a
 * commit whose response was lost.
 */
export async function inResultTransaction<T>(
  scope: ResultsScope,
  work: (tx: ResultTransaction) => Promise<T>,
): Promise<T> {
  const written: string[] = []
  const files: FileStore = {
    ...scope.files,
    async write(kind, name, content, maxBytes) {
      if (kind === RESULT_FILES) written.push(name)
      return scope.files.write(kind, name, content, maxBytes)
    },
  }
  try {
    return await scope.transaction((tx) => work({ ...tx, files }))
  } catch (error) {
    if (written.length > 0) await removeUnnamed(scope, written)
    throw error
  }
}

/**
 * Deletes those of the files that no stored or held result names. It can be repeated after an
 * interruption.
 */
export async function removeUnnamedFiles(
  scope: RowScope,
  files: FileStore,
  names: readonly string[],
): Promise<void> {
  const named = new Set(await repository.listNamedFiles(scope, names))
  for (const name of names.filter((each) => !named.has(each))) {
    await files.remove(RESULT_FILES, name)
  }
}

/**
 * Deletes the files if that is safe: a file without a name in a row is better than a name without a
 * file.
 */
async function removeUnnamed(scope: ResultsScope, names: readonly string[]): Promise<void> {
  const { files, log } = scope
  try {
    await removeUnnamedFiles(scope, files, names)
  } catch (error) {
    log.warn(
      { err: error, files: names.length },
      'files of a failed result message were not deleted',
    )
  }
}
