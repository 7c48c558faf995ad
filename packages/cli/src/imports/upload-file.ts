import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import {
  callApi,
  fetchServer,
  type Query,
  readAnswer,
  requireApiKey,
} from '../connection/api-client.ts'
import { ApiError, UnreachableError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { STDIN } from '../terminal/input.ts'
import { untilInterrupted } from '../terminal/interruption.ts'
import { formatByteShare, formatBytes, formatSeconds } from '../terminal/number-format.ts'
import {
  createProgressDisplay,
  estimateSeconds,
  type ProgressDisplay,
  type ProgressStream,
} from '../terminal/progress-display.ts'
import type { ImportJob } from './import-job.ts'
import { ResumableUpload, type UploadedFile, untilPatienceEnds } from './resumable-upload.ts'

/** A file, or stdin, whose length is unknown. */
export type InputFile = UploadedFile | { path: typeof STDIN }

/** The import that a file is for. */
export interface ImportTarget {
  userId: string
  /** Below `/v2/user/{user_id}`. */
  path: string
  query: Query
}

/**
 * Returns the size of a file that can be sent, and the time of its last change.
 * @throws CliError that explains why it cannot be sent
 */
export async function measureFile(path: string): Promise<InputFile> {
  if (path === STDIN) return { path }
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`
    throw new CliError(`${path} ${reason}.`, { cause })
  })
  if (found.isDirectory()) {
    throw new CliError(`${path} is a folder. Give the file that the app exported, such as its zip.`)
  }
  if (found.size === 0) throw new CliError('The file is empty.')
  return { path, bytes: found.size, changedAt: found.mtimeMs }
}

/**
 * Uploads a file, shows the progress, and begins its import. Memory does not grow with the file. A
 * file continues where an earlier run of the command ended; stdin is sent as one request.
 * @throws CliError that says whether the upload can be continued
 */
export function uploadFile(
  connection: Connection,
  file: InputFile,
  target: ImportTarget,
  stream: ProgressStream,
): Promise<ImportJob> {
  const display = createProgressDisplay('Uploading', stream)
  const sending =
    'bytes' in file ? sendFile(connection, file, target, display) : sendStdin(connection, target)
  return sending.finally(() => display.clear())
}

async function sendFile(
  connection: Connection,
  file: UploadedFile,
  target: ImportTarget,
  display: ProgressDisplay,
): Promise<ImportJob> {
  const upload = new ResumableUpload(connection, file, target.userId)
  const describe = (): string => describeRest(upload, file)
  return untilInterrupted(
    () => `Stopped: the file is not imported. ${describe()}`,
    async (signal) => {
      try {
        const id = await upload.send(watcherOf(display, file), signal)
        await requireUnchanged(file, upload)
        const job = await beginImport(connection, target, id, signal)
        await upload.forget()
        return job
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error
        throw new CliError(`${error.message} ${describe()}`, { cause: error })
      }
    },
  )
}

function watcherOf(display: ProgressDisplay, { bytes }: UploadedFile) {
  const startedAt = performance.now()
  let first: number | undefined
  return {
    onProgress(sent: number) {
      first ??= sent
      const seconds = (performance.now() - startedAt) / 1000
      const details = describeUpload(sent, bytes, { sent: sent - first, seconds })
      display.show({ done: sent, total: bytes, details })
    },
    onWaiting(sent: number) {
      const details = `${formatByteShare(sent, bytes)}  waiting for the server`
      display.show({ done: sent, total: bytes, details })
    },
  }
}

/** Returns what another run of the command does, as a sentence. */
function describeRest({ kept }: ResumableUpload, { bytes }: UploadedFile): string {
  if (kept === 0) return 'Nothing of it was uploaded.'
  const share = formatByteShare(kept, bytes)
  return `${share} are uploaded; run the command again within a day to continue there.`
}

/** @throws CliError when the server has parts of two versions of the file */
async function requireUnchanged(file: UploadedFile, upload: ResumableUpload): Promise<void> {
  const now = await stat(file.path).catch(() => undefined)
  if (now?.size === file.bytes && now.mtimeMs === file.changedAt) return
  await upload.forget()
  throw new CliError(`${file.path} was changed during the upload. Run the command again.`)
}

async function beginImport(
  connection: Connection,
  { userId, path, query }: ImportTarget,
  uploadId: string,
  signal: AbortSignal,
): Promise<ImportJob> {
  const user = `/v2/user/${userId}`
  const begin = async () => {
    try {
      const call = { query: { ...query, upload_id: uploadId } }
      return await callApi<ImportJob>(connection, 'POST', user + path, call)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      // An earlier attempt whose answer was lost began it: a job has the id of its upload.
      return callApi<ImportJob>(connection, 'GET', `${user}/import/${uploadId}`)
    }
  }
  return untilPatienceEnds(begin, { offset: () => 0, onWaiting() {}, signal })
}

function sendStdin(
  connection: Connection,
  { userId, path, query }: ImportTarget,
): Promise<ImportJob> {
  const key = requireApiKey(connection)
  const address = new URL(`${connection.url}/v2/user/${userId}${path}`)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  return untilInterrupted(
    () => 'Stopped: the file was not uploaded, and nothing is imported.',
    async (signal) => {
      try {
        const response = await fetchServer(connection, address, {
          method: 'POST',
          headers: { 'x-service-api-key': key.value, 'content-type': 'application/octet-stream' },
          body: ReadableStream.from(addAbortSignal(signal, process.stdin)),
          duplex: 'half',
          signal,
        })
        return await readAnswer<ImportJob>(connection, response, key)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!(error instanceof UnreachableError)) throw error
        throw new UnreachableError(`${error.message} The file was not accepted.`, { cause: error })
      }
    },
  )
}

function describeUpload(
  done: number,
  total: number,
  { sent, seconds }: { sent: number; seconds: number },
): string {
  const parts = [formatByteShare(done, total)]
  if (seconds > 0) parts.push(`${formatBytes(sent / seconds)}/s`)
  const left = estimateSeconds(sent, total - done + sent, seconds)
  if (left !== undefined) parts.push(`${formatSeconds(left)} left`)
  return parts.join('  ')
}
