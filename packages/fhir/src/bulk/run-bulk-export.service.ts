import { Readable } from 'node:stream'
import { enterEnvironment } from '@salus/accounts/teams'
import { sealStream } from '@salus/kernel/crypto/sealed-stream'
import { handleJob, type JobAttempt, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { rowScope, type Scope, type Stores } from '@salus/kernel/scope'
import { listAllOfType, type ServedType } from '../reading/index.ts'
import * as repository from './bulk-exports.repository.ts'
import {
  BULK_FILES,
  type BulkParts,
  EXPORT_FHIR,
  fileKeyOf,
  fileNameOf,
  makeBulkKey,
  nameOf,
  removeEndedBulkExports,
} from './bulk-exports.service.ts'

/** Maximum size of a sealed file. */
const MOST_BYTES = 1024 ** 4

/** Writes exports, and once an hour removes those that have expired. */
export function bulkExportJobs(context: Stores & RunningParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(EXPORT_FHIR, (job, signal, attempt) =>
        runBulkExport(context, context, job, { ...attempt, signal }),
      ),
      remove_ended_fhir_exports: (_payload, signal) =>
        removeEndedBulkExports(context, context.files, signal),
    },
    schedule: '47 * * * * remove_ended_fhir_exports',
  }
}

type Attempt = JobAttempt & { signal: AbortSignal }
type RunningParts = BulkParts & { replicas?: Replicas | undefined }

/**
 * Writes the files of an export. An interrupted one begins anew; after the last attempt it has
 * failed.
 */
export async function runBulkExport(
  stores: Stores,
  parts: RunningParts,
  { environmentId, exportId }: { environmentId: string; exportId: string },
  { isLast, signal }: Attempt,
): Promise<void> {
  const rows = rowScope(stores.db, environmentId)
  const scope = await enterEnvironment(stores, environmentId)
  const row = scope && (await repository.startBulkExport(rows, exportId))
  if (scope === undefined || row === undefined) return
  try {
    await writeFiles(scope, parts, row, signal)
  } catch (error) {
    if (isLast && !signal.aborted) {
      await repository.updateBulkExport(rows, exportId, { status: 'failed' })
    }
    throw error
  }
}

async function writeFiles(
  scope: Scope,
  { files, secrets, replicas }: RunningParts,
  row: repository.BulkExportRow,
  signal: AbortSignal,
): Promise<void> {
  const { key, sealed } = makeBulkKey(secrets, row.id)
  const written: repository.ExportedFile[] = []
  const reading = { ...scope, db: (await replicas?.choose('current')) ?? scope.db }
  for (const [index, type] of row.types.entries()) {
    const name = nameOf(type)
    const file = fileNameOf(row.id, name)
    const counter = { count: 0 }
    const lines = toLines(reading, type as ServedType, row.since, { counter, signal })
    const content = Readable.from(sealStream(fileKeyOf(key, name), lines), { objectMode: false })
    await files.write(BULK_FILES, file, content, MOST_BYTES)
    if (counter.count > 0) written.push({ type, name, count: counter.count })
    else await files.remove(BULK_FILES, file)
    const change = { types_written: index + 1, files: JSON.stringify(written) }
    // The export was removed meanwhile, and so is what was written after that.
    if (await repository.updateBulkExport(scope, row.id, change)) continue
    return files.remove(BULK_FILES, file)
  }
  await repository.updateBulkExport(scope, row.id, {
    status: 'completed',
    sealed_file_key: sealed,
    completed_at: scope.clock.now(),
  })
}

async function* toLines(
  scope: Scope,
  type: ServedType,
  since: Date | null,
  { counter, signal }: { counter: { count: number }; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  for await (const resources of listAllOfType(scope, type, since)) {
    signal.throwIfAborted()
    counter.count += resources.length
    yield Buffer.from(resources.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
}
