import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive, which is created when it is written. */
export interface ArchiveEntry {
  name: string
  content: () => AsyncIterable<Buffer>
}

/** Size and checksum of a written entry. */
export interface WrittenEntry {
  name: string
  bytes: number
  sha256: string
}

/** Texts of health data are so repetitive that more effort saves little. */
const COMPRESSION_LEVEL = 3

/**
 * Writes a ZIP archive (ZIP64 where it is large) as it is read: one entry at a time, none of them
 * completely in memory. Leaving the loop ends the entry that is being written.
 * @param onWritten Called for each entry before the next one begins.
 */
export async function* writeArchive(
  entries: readonly ArchiveEntry[],
  onWritten: (entry: WrittenEntry) => void,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable | undefined
  zip.on('error', (error: Error) => output.destroy(error))
  for (const { name, content } of entries) {
    zip.addReadStreamLazy(name, { compressionLevel: COMPRESSION_LEVEL }, (callback) => {
      current = Readable.from(measure(name, content(), onWritten), { objectMode: false })
      callback(null, current)
    })
  }
  zip.end()
  try {
    for await (const chunk of output) yield chunk
  } finally {
    current?.destroy()
  }
}

async function* measure(
  name: string,
  content: AsyncIterable<Buffer>,
  onWritten: (entry: WrittenEntry) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  onWritten({ name, bytes, sha256: hash.digest('hex') })
}
