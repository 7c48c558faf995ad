import { reach, readAnswer, requireManagementKey } from './api-client.ts'
import type { CatalogBundle } from './catalog-bundle.ts'
import {
  type CatalogProblem,
  type CatalogReport,
  explainCatalogProblems,
} from './catalog-report.ts'
import type { Connection } from './config.ts'
import { formatByteShare } from './number-format.ts'
import { createProgressDisplay, type ProgressStream } from './progress-display.ts'

const CHUNK_BYTES = 256 * 1024
/** Smaller ones are gone before anybody could look. */
const LEAST_BYTES_SHOWN = 1_000_000

/**
 * Sends a catalog with the management key, and shows how far it is.
 * @throws CliError listing what is wrong with the catalog, file by file
 */
export async function uploadCatalog(
  connection: Connection,
  { body, isFolder }: CatalogBundle,
  isDryRun: boolean,
  stream: ProgressStream,
  signal: AbortSignal,
): Promise<CatalogReport> {
  const key = requireManagementKey(connection)
  const display = createProgressDisplay('Sending', stream)
  const show = (sent: number) => {
    if (body.length < LEAST_BYTES_SHOWN) return
    const isSent = sent === body.length
    const details = isSent ? 'the server reads it' : formatByteShare(sent, body.length)
    display.show({ done: sent, total: body.length, details })
  }
  try {
    const target = `${connection.url}/v1/catalog${isDryRun ? '?dry_run=true' : ''}`
    const response = await reach(connection, target, {
      method: 'PUT',
      headers: { 'x-management-key': key.value, 'content-type': 'application/json' },
      body: ReadableStream.from(chunksOf(body, show)),
      duplex: 'half',
      signal,
    })
    const problems = await readProblems(response)
    if (problems !== undefined) throw explainCatalogProblems(problems, isFolder)
    return await readAnswer<CatalogReport>(connection, response, key)
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
    // Asked for the next one: this one went out.
    onSent(start + chunk.length)
  }
}

interface Refusal {
  detail?: { error_type?: string; problems?: CatalogProblem[]; problem_count?: number }
}

async function readProblems(
  response: Response,
): Promise<{ list: CatalogProblem[]; count: number } | undefined> {
  if (response.status !== 400) return undefined
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Refusal | undefined
  if (body?.detail?.error_type !== 'catalog_invalid') return undefined
  const { problems: list = [], problem_count: count = list.length } = body.detail
  return { list, count }
}
