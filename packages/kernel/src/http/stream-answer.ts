import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'

/**
 * Returns a stream of the chunks once the first one has arrived, so that earlier failures can still
 * be answered as an error. Destroying the stream ends the work behind it.
 */
export async function startStream(chunks: AsyncIterable<Uint8Array | string>): Promise<Readable> {
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

/** Text that is sent at once. */
const PIECE_CHARACTERS = 256 * 1024

/**
 * Sends an object whose only property is a list, page by page as its items arrive, so that no more
 * than a page is in memory; a short one at once. A failure before the first page is answered as an
 * error.
 * @param item Schema of an item, by which it is written.
 */
export async function sendList(
  reply: FastifyReply,
  { key, item }: { key: string; item: TSchema },
  pages: AsyncIterable<readonly object[]>,
): Promise<FastifyReply> {
  // Of other types than those of schemas and rows, which have more properties than it says.
  const write = reply.compileSerializationSchema(item as Record<string, unknown>) as (
    one: object,
  ) => string
  let isLast = false
  async function* pieces() {
    let text = `{${JSON.stringify(key)}:[`
    let comma = ''
    for await (const page of pages) {
      for (const one of page) {
        text += comma + write(one)
        comma = ','
        if (text.length < PIECE_CHARACTERS) continue
        yield text
        text = ''
      }
    }
    isLast = true
    yield `${text}]}`
  }
  const list = pieces()
  const first = await list.next()
  reply.type('application/json; charset=utf-8')
  return reply.send(
    isLast ? first.value : await startStream(startingWith(first.value as string, list)),
  )
}

async function* startingWith(first: string, rest: AsyncGenerator<string>) {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
