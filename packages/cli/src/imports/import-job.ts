import { callApi } from '../connection/api-client.ts'
import { ApiError, UnreachableError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { pause } from '../terminal/interruption.ts'
import { formatByteShare, formatCount, formatSeconds } from '../terminal/number-format.ts'
import {
  createProgressDisplay,
  estimateSeconds,
  type ProgressStream,
} from '../terminal/progress-display.ts'

/** Outcomes of the records of one type. */
export interface RecordTypeReport {
  type: string
  resource: string | null
  records: number
  imported: number
  updated: number
  unchanged: number
  out_of_bounds: number
  put_aside: number
  put_aside_reasons: Record<string, number>
  merged: number
  not_supported: number
}

/** Outcomes of the summaries of one resource that an import computed. */
export interface SummaryReport {
  resource: string
  imported: number
  updated: number
  unchanged: number
  out_of_bounds: number
  replaced: number
}

/** Data of earlier imports that this export does not contain. */
export interface MissingReport {
  resource: string
  missing: number
  removed: number
}

/** Number of records by the rule that gave their local time. */
export interface ClockReport {
  record_zone: number
  record_offset: number
  zones_around: number
  fallback_zone: number
  nearest_zone: number
  export_offset: number
}

/** An option that the file needs, and that was not given. */
export interface ImportQuestion {
  /** Name in the API. */
  option: string
  reason: string
  /** Null for a zone or an id. */
  choices: string[] | null
}

/** An import as the server returns it. */
export interface ImportJob {
  id: string
  user_id: string
  /** Format of the file; null until it was recognized. */
  source: string | null
  provider: string | null
  status: 'queued' | 'running' | 'needs_options' | 'completed' | 'failed'
  questions: ImportQuestion[]
  attempts: number
  file_bytes: number
  progress: {
    bytes_total: number
    bytes_read: number
    records: number
    types: RecordTypeReport[]
    summaries: SummaryReport[]
    missing: MissingReport[]
    clocks: ClockReport
  }
  error: { error_type: string; error_message: string } | null
  started_at: string | null
  finished_at: string | null
}

const POLL_INTERVAL_MS = 300
/** A server that restarts continues the import, so a short silence is not the end. */
const PATIENCE_MS = 30_000

/** Returns the command that shows an import again. */
export function followCommand(job: Pick<ImportJob, 'id' | 'user_id'>): string {
  return `salus import follow ${job.id} --user ${job.user_id}`
}

/** Returns the message for Ctrl-C while an import is followed. */
export function sayImportGoesOn(job: ImportJob): string {
  const what = 'Stopped following. The import continues in the server; look at it with:'
  return `${what}\n  ${followCommand(job)}`
}

/**
 * Waits for the end of an import and shows its progress.
 * @throws CliError when the server stays silent; the abort reason when `signal` fires.
 */
export async function followImport(
  connection: Connection,
  job: ImportJob,
  stream: ProgressStream,
  signal: AbortSignal,
): Promise<ImportJob> {
  const display = createProgressDisplay('Importing', stream)
  const speed = new Speed()
  let current = job
  let answeredAt = performance.now()
  try {
    while (current.status === 'queued' || current.status === 'running') {
      display.show({
        done: current.progress.bytes_read,
        total: current.progress.bytes_total,
        details: describeProgress(current, speed),
      })
      await pause(POLL_INTERVAL_MS, signal)
      const next = await readJob(connection, current)
      if (next !== undefined) answeredAt = performance.now()
      else if (performance.now() - answeredAt > PATIENCE_MS)
        throw lostContactError(connection, current)
      current = next ?? current
    }
    return current
  } finally {
    display.clear()
  }
}

/** Reads the job; undefined when the server does not respond at the moment. */
async function readJob(
  connection: Connection,
  { id, user_id }: ImportJob,
): Promise<ImportJob | undefined> {
  try {
    return await callApi<ImportJob>(connection, 'GET', `/v2/user/${user_id}/import/${id}`)
  } catch (error) {
    const isPassing = error instanceof ApiError ? error.status >= 500 : false
    if (isPassing || error instanceof UnreachableError) return undefined
    throw error
  }
}

function lostContactError({ url }: Connection, job: ImportJob): CliError {
  const silence = `${url} has not responded for ${PATIENCE_MS / 1000} s.`
  return new CliError(
    `${silence} The import continues when the server does; look at it with: ${followCommand(job)}`,
  )
}

/** Speed of the run that this process sees, which may have started before. */
class Speed {
  #first: { at: number; bytes: number; records: number } | undefined

  of({ progress }: ImportJob): { recordsPerSecond: number; secondsLeft: number | undefined } {
    const at = performance.now()
    const { bytes_read: bytes, bytes_total: total, records } = progress
    // A run that was retried starts over.
    if (this.#first === undefined || bytes < this.#first.bytes) {
      this.#first = { at, bytes, records }
    }
    const seconds = (at - this.#first.at) / 1000
    const newBytes = bytes - this.#first.bytes
    return {
      recordsPerSecond: seconds === 0 ? 0 : (records - this.#first.records) / seconds,
      secondsLeft: estimateSeconds(newBytes, total - this.#first.bytes, seconds),
    }
  }
}

function describeProgress(job: ImportJob, speed: Speed): string {
  const { bytes_read: read, bytes_total: total, records } = job.progress
  const again = job.attempts > 1 ? ` (attempt ${job.attempts})` : ''
  if (job.status === 'queued') return `waiting for a worker${again}`
  if (total === 0) return `opening the file${again}`
  const { recordsPerSecond, secondsLeft } = speed.of(job)
  const parts = [
    formatByteShare(read, total),
    `${formatCount(records)} records`,
    recordsPerSecond > 0 ? `${formatCount(recordsPerSecond)}/s` : undefined,
    secondsLeft === undefined ? undefined : `${formatSeconds(secondsLeft)} left`,
  ]
  return parts.filter((part) => part !== undefined).join('  ') + again
}
