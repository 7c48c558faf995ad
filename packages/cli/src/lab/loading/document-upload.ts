import { gzipSync } from 'node:zlib'
import { fetchServer, readAnswer, requireManagementKey } from '../../connection/api-client.ts'
import type { Connection } from '../../connection/config.ts'
import type { CliError } from '../../terminal/cli-error.ts'
import { formatByteShare } from '../../terminal/number-format.ts'
import { createProgressDisplay, type ProgressStream } from '../../terminal/progress-display.ts'
import type { LoadProblems } from './load-problems.ts'

const CHUNK_BYTES = 256 * 1024
/** Smaller documents are sent before a progress bar could be read. */
const LEAST_BYTES_SHOWN = 1_000_000

/** A document that is loaded as a whole or not at all. */
export interface LoadedDocument {
  /** Path of the management API, such as /v1/catalog. */
  path: string
  /** Further parameters of the request. */
  query?: Readonly<Record<string, string>>
  /** JSON of the document. */
  body: Buffer
  /** `error_type` of the error that lists the problems. */
  refusal: string
  explain: (problems: LoadProblems) => CliError
}

/**
 * Sends a document with the management key, and shows the progress.
 * @throws CliError that lists the problems of the document
 */
export async function uploadDocument<Report>(
  connection: Connection,
  { path, query, body, refusal, explain }: LoadedDocument,
  isDryRun: boolean,
  stream: ProgressStream,
  signal: AbortSignal,
): Promise<Report> {
  const key = requireManagementKey(connection)
  const display = createProgressDisplay('Sending', stream)
  const packed = gzipSync(body)
  const show = (sent: number) => {
    if (packed.length < LEAST_BYTES_SHOWN) return
    const isSent = sent === packed.length
    const details = isSent ? 'the server is reading it' : formatByteShare(sent, packed.length)
    display.show({ done: sent, total: packed.length, details })
  }
  try {
    const parameters = new URLSearchParams({ ...query, ...(isDryRun && { dry_run: 'true' }) })
    const target = `${connection.url}${path}${parameters.size > 0 ? `?${parameters}` : ''}`
    const response = await fetchServer(connection, target, {
      method: 'PUT',
      headers: {
        'x-management-key': key.value,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: ReadableStream.from(chunksOf(packed, show)),
      duplex: 'half',
      signal,
    })
    const problems = await readProblems(response, refusal)
    if (problems !== undefined) throw explain(problems)
    return await readAnswer<Report>(connection, response, key)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error
  } finally {
    display.clear()
  }
}

async function* chunksOf(body: Buffer, onSent: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += CHUNK_BYTES) {
    const chunk = body.subarray(start, start + CHUNK_BYTES)
    yield chunk
    // The next chunk is requested when this one was sent.
    onSent(start + chunk.length)
  }
}

interface Refusal {
  detail?: { error_type?: string; problems?: LoadProblems['list']; problem_count?: number }
}

async function readProblems(
  response: Response,
  refusal: string,
): Promise<LoadProblems | undefined> {
  if (response.status !== 400) return undefined
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Refusal | undefined
  if (body?.detail?.error_type !== refusal) return undefined
  const { problems: list = [], problem_count: count = list.length } = body.detail
  return { list, count }
}
