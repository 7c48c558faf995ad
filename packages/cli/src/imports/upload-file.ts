import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { fetchServer, readAnswer, requireApiKey } from '../connection/api-client.ts'
import { UnreachableError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { STDIN } from '../terminal/input.ts'
import { formatByteShare, formatBytes, formatSeconds } from '../terminal/number-format.ts'
import {
  createProgressDisplay,
  estimateSeconds,
  type ProgressStream,
} from '../terminal/progress-display.ts'
import type { ImportJob } from './import-job.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * Returns the size of a file that can be sent; undefined for stdin.
 * @throws CliError that explains why it cannot be sent
 */
export async function measureFile(path: string): Promise<number | undefined> {
  if (path === STDIN) return undefined
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`
    throw new CliError(`${path} ${reason}.`, { cause })
  })
  if (found.isDirectory()) {
    throw new CliError(`${path} is a folder. Give the export.zip, or the export.xml inside.`)
  }
  return found.size
}

/**
 * Sends a file as the body of a request, chunk by chunk, and shows the progress. Memory does not
 * grow with the file.
 */
export async function uploadFile(
  connection: Connection,
  file: { path: string; bytes: number | undefined },
  target: string,
  stream: ProgressStream,
  signal: AbortSignal,
): Promise<ImportJob> {
  const key = requireApiKey(connection)
  const display = createProgressDisplay('Uploading', stream)
  const startedAt = performance.now()
  const onSent = (sent: number) => {
    // The length of stdin is unknown.
    if (file.bytes === undefined) return
    const seconds = (performance.now() - startedAt) / 1000
    display.show({
      done: sent,
      total: file.bytes,
      details: describeUpload(sent, file.bytes, seconds),
    })
  }
  try {
    const response = await fetchServer(connection, connection.url + target, {
      method: 'POST',
      headers: { 'x-service-api-key': key.value, 'content-type': 'application/octet-stream' },
      body: ReadableStream.from(readCounting(file.path, signal, onSent)),
      duplex: 'half',
      signal,
    })
    return await readAnswer<ImportJob>(connection, response, key)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!(error instanceof UnreachableError)) throw error
    throw new UnreachableError(`${error.message} The file was not accepted.`, { cause: error })
  } finally {
    display.clear()
  }
}

async function* readCounting(
  path: string,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0
  // The file gets the signal as well: an aborted fetch reads the rest of its body otherwise.
  const source =
    path === STDIN
      ? addAbortSignal(signal, process.stdin)
      : createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })
  for await (const chunk of source) {
    yield chunk as Uint8Array
    // The next chunk is requested when this one was sent.
    sent += (chunk as Uint8Array).length
    onSent(sent)
  }
}

function describeUpload(sent: number, total: number, seconds: number): string {
  const parts = [formatByteShare(sent, total)]
  if (seconds > 0) parts.push(`${formatBytes(sent / seconds)}/s`)
  const left = estimateSeconds(sent, total, seconds)
  if (left !== undefined) parts.push(`${formatSeconds(left)} left`)
  return parts.join('  ')
}
