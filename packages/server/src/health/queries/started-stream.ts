import { Readable } from 'node:stream'

/**
 * A stream of the chunks, once the first one is there, so that what fails before can still be answered
 * as an error. A stream that is destroyed ends the work behind it.
 */
export async function startStream(chunks: AsyncIterable<Uint8Array>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all() {
    try {
      for (let chunk = first; !chunk.done; chunk = await iterator.next()) yield chunk.value
    } finally {
      await iterator.return?.()
    }
  }
  return Readable.from(all(), { objectMode: false })
}
