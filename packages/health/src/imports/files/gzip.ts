import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ImportFileError } from './import-file-error.ts'
import { CHUNK_BYTES } from './zip-entries.ts'

/** More is repetitive text, which takes a moment to send and hours to read. */
export const MOST_EXPANSION = 200
/** Below this size any expansion is cheap. */
export const ANY_EXPANSION_BYTES = 16 << 20

/** Whether content begins like a gzip. */
export const isGzip = (chunk: Buffer): boolean =>
  chunk.length >= 3 && chunk[0] === 0x1f && chunk[1] === 0x8b && chunk[2] === 8

/**
 * Decompresses a gzip, which is detected by its content; other content stays.
 * @throws ImportFileError `truncated_gzip`, `corrupt_gzip`, `compressed_too_far`
 */
export async function* decompress(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await content.next()
  if (first.done === true) return
  async function* whole(): AsyncGenerator<Buffer> {
    yield first.value as Buffer
    yield* content
  }
  if (!isGzip(first.value)) yield* whole()
  else yield* gunzip(whole())
}

async function* gunzip(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [compressed, expanded] = [0, 0]
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      compressed += chunk.length
      yield chunk
    }
  }
  const stream = createGunzip({ chunkSize: CHUNK_BYTES })
  const feeding = pipeline(counted(), stream)
  feeding.catch(() => undefined)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      expanded += chunk.length
      if (expanded > ANY_EXPANSION_BYTES && expanded > compressed * MOST_EXPANSION) {
        throw new ImportFileError('compressed_too_far')
      }
      yield chunk
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'Z_BUF_ERROR') throw new ImportFileError('truncated_gzip', { cause: error })
    if (code.startsWith('Z_')) throw new ImportFileError('corrupt_gzip', { cause: error })
    throw error
  } finally {
    stream.destroy()
  }
}
