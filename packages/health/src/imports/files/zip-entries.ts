import { pipeline } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { type Entry, openPromise, type RandomAccessReader, type ZipFile } from 'yauzl'
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
    const isSmall = Math.max(entry.compressedSize, entry.uncompressedSize) <= SMALL_BYTES
    for await (const chunk of isSmall ? readAtOnce(zip, entry) : readAsStream(zip, entry)) {
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

async function* readAsStream(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const compressed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === STORED) {
    yield* compressed as AsyncIterable<Buffer>
    return
  }
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // The callback is needed for pipeline to pass the error on; the reader of `inflate` gets it.
  pipeline(compressed, inflate, () => undefined)
  yield* inflate as AsyncIterable<Buffer>
}

/** A local header, before its name and its fields of other programs, which have two lengths. */
const HEADER_BYTES = 30
const [NAME_LENGTH_AT, FIELDS_LENGTH_AT] = [26, 28]
const HEADER_MAGIC = 0x04034b50
/** Programs write some dozens of bytes of such fields. */
const LIKELY_FIELDS_BYTES = 128

async function* readAtOnce(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { compressedSize, compressionMethod, fileNameLength, uncompressedSize } = entry
  const likely = HEADER_BYTES + fileNameLength + LIKELY_FIELDS_BYTES + compressedSize
  let bytes = await readAt(zip, entry.relativeOffsetOfLocalHeader, likely)
  if (bytes.length < HEADER_BYTES) throw new ImportFileError('truncated_zip')
  if (bytes.readUInt32LE(0) !== HEADER_MAGIC) throw new ImportFileError('corrupt_zip')
  const fields = bytes.readUInt16LE(FIELDS_LENGTH_AT)
  const from = HEADER_BYTES + bytes.readUInt16LE(NAME_LENGTH_AT) + fields
  const to = from + compressedSize
  if (to > likely) bytes = await readAt(zip, entry.relativeOffsetOfLocalHeader, to)
  if (to > bytes.length) throw new ImportFileError('truncated_zip')
  const compressed = bytes.subarray(from, to)
  if (compressionMethod === STORED) yield compressed
  else {
    // One byte more shows that the stated size is wrong.
    const most = uncompressedSize + 1
    yield inflateRawSync(compressed, { chunkSize: Math.max(64, most), maxOutputLength: most })
  }
}

/** Returns the bytes at a position, fewer at the end of the zip. */
async function readAt(zip: ZipFile, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  const { reader } = zip as ZipFile & { reader: RandomAccessReader }
  return new Promise((resolve, reject) => {
    reader.read(buffer, 0, length, position, (error: Error | null, bytesRead?: number) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead))
      else reject(error)
    })
  })
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
