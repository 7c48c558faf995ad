import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sealStream } from '@salus/kernel/crypto/sealed-stream'
import type { JobAttempt } from '@salus/kernel/jobs/jobs'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { countPersonRows } from '../person-data/index.ts'
import { listEntries } from './export-entries.ts'
import * as repository from './exports.repository.ts'
import { EXPORT_FILES, type ExportParts, makeFileKey } from './exports.service.ts'
import { writeArchive } from './write-archive.ts'

/** Maximum size of a sealed archive. */
const MOST_BYTES = 1024 ** 4
const PROGRESS_MS = 1_000

/**
 * Creates the file of an export. An interrupted one starts again, and the file of one that was
 * removed meanwhile is removed too. After the last failure its status is failed.
 */
export async function runExport(
  stores: Stores,
  parts: ExportParts,
  { environmentId, exportId }: { environmentId: string; exportId: string },
  { isLast, signal }: JobAttempt & { signal: AbortSignal },
): Promise<void> {
  const scope = rowScope(stores.db, environmentId)
  const row = await repository.startExport(scope, exportId)
  if (row === undefined) return
  try {
    const isKept = await writeFile(stores, parts, row, signal)
    if (!isKept) await parts.files.remove(EXPORT_FILES, exportId)
  } catch (error) {
    // When the process stops, the export is resumed later.
    if (isLast && !signal.aborted) {
      await repository.updateRunningExport(scope, exportId, { status: 'failed' })
    }
    throw error
  }
}

async function writeFile(
  stores: Stores,
  parts: ExportParts,
  row: repository.ExportRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clickhouse, clock } = stores
  const scope = rowScope(db, row.environment_id)
  const rows = { ...scope, clickhouse }
  const counts = await countPersonRows(rows, row.user_id)
  const progress = new ProgressSaver((change) =>
    repository.updateRunningExport(scope, row.id, change),
  )
  const entries = await listEntries({ ...rows, parts, export: row, counts, at: clock.now() }, (n) =>
    progress.add(n, signal),
  )
  await progress.begin(entries.rowsTotal)
  const { key, sealed } = makeFileKey(parts.secrets, row.id)
  const hash = createHash('sha256')
  let bytes = 0
  async function* archive() {
    for await (const chunk of writeArchive(entries.list, entries.onWritten)) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const content = Readable.from(sealStream(key, archive()), { objectMode: false })
  await parts.files.write(EXPORT_FILES, row.id, content, MOST_BYTES)
  return repository.updateRunningExport(scope, row.id, {
    status: 'completed',
    rows_written: entries.rowsTotal,
    file_bytes: bytes,
    file_sha256: hash.digest('hex'),
    sealed_file_key: sealed,
    completed_at: clock.now(),
  })
}

type SaveProgress = (change: { rows_total?: number; rows_written?: number }) => Promise<boolean>

/** Stores the progress once a second. */
class ProgressSaver {
  readonly #save: SaveProgress
  #written = 0
  #savedAt = 0

  constructor(save: SaveProgress) {
    this.#save = save
  }

  async begin(total: number): Promise<void> {
    await this.#save({ rows_total: total })
  }

  /** @throws Error when the export no longer exists, or the process has to stop */
  async add(rows: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#written += rows
    const now = performance.now()
    if (now - this.#savedAt < PROGRESS_MS) return
    this.#savedAt = now
    if (!(await this.#save({ rows_written: this.#written }))) {
      throw new Error('The export was removed while it was made.')
    }
  }
}
