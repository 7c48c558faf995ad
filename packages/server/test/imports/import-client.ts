import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { IMPORT_FILES } from '../../../health/src/imports/import-queue.ts'
import type { ImportJob, RecordTypeCounts } from '../../../health/src/imports/imports.schema.ts'
import type { Harness } from '../harness.ts'

const PATIENCE_MS = 180_000

export const fixture = (name: string): Buffer =>
  readFileSync(
    new URL(`../../../health/src/imports/formats/apple-health/fixtures/${name}`, import.meta.url),
  )

/** An export of the given elements. */
export const exportXml = (elements: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n${elements}\n</HealthData>`

/** One step count; the minute makes it another sample. */
export const stepRecord = (minute: number, change: Record<string, string> = {}): string => {
  const at = `2024-03-01 08:${String(minute).padStart(2, '0')}:00 +0000`
  const attributes = {
    type: 'HKQuantityTypeIdentifierStepCount',
    sourceName: 'Tester',
    unit: 'count',
    creationDate: at,
    startDate: at,
    endDate: at,
    value: String(minute + 1),
    ...change,
  }
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  return `<Record ${text.join(' ')}/>`
}

/** A form with one file, and its media type. */
export function form(content: string | Buffer, name = 'file'): [body: Buffer, type: string] {
  const boundary = 'a-boundary'
  const disposition = `form-data; name="${name}"; filename="export.xml"`
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`
  const body = [Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]
  return [Buffer.concat(body), `multipart/form-data; boundary=${boundary}`]
}

/** Sends a file as the body; what the API answers. */
export function send(
  salus: Harness,
  userId: string,
  content: string | Buffer,
  type = 'application/octet-stream',
  query = '',
) {
  const body = Buffer.from(content)
  return salus.call('POST', `/v2/user/${userId}/import/apple_health${query}`, body, {
    'content-type': type,
  })
}

/** Follows a job until it ended; some worker must be running. */
export async function followImport(
  salus: Harness,
  userId: string,
  jobId: string,
): Promise<ImportJob> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(30)) {
    const { body } = await salus.call('GET', `/v2/user/${userId}/import/${jobId}`)
    if (body.status === 'completed' || body.status === 'failed') return body
  }
  throw new Error('The import did not end in time.')
}

/** Whether the store has the uploaded file of an import. */
export async function hasFile(files: FileStore, name: string): Promise<boolean> {
  try {
    await files.withPath(IMPORT_FILES, name, async () => undefined)
    return true
  } catch (error) {
    assert.ok(error instanceof FileMissingError)
    return false
  }
}

/** The file is removed a moment after its job has ended. */
export async function waitUntilRemoved({ files }: Harness, name: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while ((await hasFile(files, name)) && Date.now() < deadline) await sleep(20)
  assert.equal(await hasFile(files, name), false, 'the file is still there')
}

/** Sends a file and follows it to its end. */
export async function importFile(
  salus: Harness,
  userId: string,
  content: string | Buffer,
  query = '',
): Promise<ImportJob> {
  const { status, body, text } = await send(salus, userId, content, undefined, query)
  if (status !== 202) throw new Error(text)
  return followImport(salus, userId, body.id)
}

/** Sums one count over all record types. */
export function totalOf(job: ImportJob, count: keyof RecordTypeCounts): number {
  return job.progress.types.reduce((sum, type) => sum + Number(type[count]), 0)
}

export const typeOf = (job: ImportJob, name: string): RecordTypeCounts | undefined =>
  job.progress.types.find(({ type }) => type.endsWith(name))
