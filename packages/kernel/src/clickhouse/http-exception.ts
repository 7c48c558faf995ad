import { toClickHouseError } from './clickhouse-error.ts'

/**
 * Passes on the chunks of an HTTP result, and fails when the server breaks off: it has already sent
 * status 200 by then, so it writes `__exception__`, a tag from a header and the error into the
 * body.
 */
export async function* failOnException(
  chunks: AsyncIterable<Buffer>,
  tag: string | string[] | undefined,
): AsyncGenerator<Uint8Array> {
  if (typeof tag !== 'string') {
    yield* chunks
    return
  }
  const marker = Buffer.from(`\r\n__exception__\r\n${tag}`)
  // The marker may be split at the end of a chunk, so as many bytes wait for the next one.
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const at = bytes.indexOf(marker)
    if (at >= 0) throw await readException(bytes.subarray(at + marker.length), chunks)
    const end = Math.max(0, bytes.length - marker.length)
    if (end > 0) yield bytes.subarray(0, end)
    held = bytes.subarray(end)
  }
  if (held.length > 0) yield held
}

async function readException(start: Buffer, rest: AsyncIterable<Buffer>): Promise<Error> {
  const parts = [start]
  try {
    for await (const chunk of rest) parts.push(chunk)
  } catch {
    // The server cuts the connection after the error; what arrived is enough.
  }
  return toClickHouseError(new Error(Buffer.concat(parts).toString('utf8').trim()))
}
