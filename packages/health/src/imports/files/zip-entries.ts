import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ImportFileError } from './import-file-error.ts'

export const CHUNK_BYTES = 1 << 18
/** A zip may have hundreds of thousands of small files; a stream for each takes much longer. */
const SMALL_BYTES = 1 << 17
const STORED = 0
const DEFLATED = 8

/** Opens a zip file with any names of entries. Close it after use. */
export async function openZip(path: string): Promise<ZipFile> {
  try {
    // Names are decoded here: yauzl would refuse the file for one odd name that is never used.
    return await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false })
  } catch (error) {
    throw asImportFileError(error)
  }
}

/** Whether an entry is not encrypted and has a supported compression. */
export function isReadable(entry: Entry): boolean {
  const known = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED
  return known && !entry.isEncrypted()
}

/** Reads the bytes of an entry. yauzl verifies no checksum, so size and CRC are verified here. */
export async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let checksum = 0
  let bytes = 0
  try {
    const compressed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
    for await (const chunk of decompress(compressed, entry)) {
      checksum = crc32(chunk, checksum)
      bytes += chunk.length
      if (bytes > entry.uncompressedSize) throw new ImportFileError('corrupt_zip')
      onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw asImportFileError(error)
  }
  const intact = bytes === entry.uncompressedSize && checksum === entry.crc32
  if (!intact) throw new ImportFileError('corrupt_zip')
}

function decompress(compressed: Readable, entry: Entry): AsyncIterable<Buffer> {
  if (entry.compressionMethod === STORED) return compressed
  const { compressedSize, uncompressedSize } = entry
  if (Math.max(compressedSize, uncompressedSize) <= SMALL_BYTES) {
    return decompressAtOnce(compressed, uncompressedSize)
  }
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // The callback is needed for pipeline to pass the error on; the reader of `inflate` gets it.
  pipeline(compressed, inflate, () => undefined)
  return inflate
}

async function* decompressAtOnce(
  compressed: AsyncIterable<Buffer>,
  bytes: number,
): AsyncGenerator<Buffer> {
  const parts = await Array.fromAsync(compressed)
  const content = parts.length === 1 ? parts[0] : Buffer.concat(parts)
  // One byte more shows that the stated size is wrong.
  const size = { chunkSize: Math.max(64, bytes + 1), maxOutputLength: bytes + 1 }
  yield inflateRawSync(content ?? '', size)
}

/**
 * Converts a failure in a ZIP to a fault of the file, truncated or corrupt, unless it comes from
 * the file system.
 */
export function asImportFileError(error: unknown): unknown {
  if (error instanceof ImportFileError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : undefined
  if (code === 'Z_BUF_ERROR' || /End of [Cc]entral [Dd]irectory/.test(error.message)) {
    return new ImportFileError('truncated_zip', { cause: error })
  }
  const fromFileSystem = 'syscall' in error
  return fromFileSystem ? error : new ImportFileError('corrupt_zip', { cause: error })
}
