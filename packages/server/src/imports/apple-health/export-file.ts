import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ExportFileError } from './export-file-error.ts'

const CHUNK_BYTES = 1 << 18
/** The document type, which stands before the root element, has about 10 kB. */
const OPENING_BYTES = 1 << 16
const DEFAULT_MAX_XML_BYTES = 32 * 2 ** 30
const MAX_CANDIDATES = 8
const STORED = 0
const DEFLATED = 8

export interface ExportXml {
  /** The bytes of export.xml. Fails with ExportFileError when the zip turns out damaged. */
  stream: Readable
  /** Uncompressed size of the XML. */
  totalBytes: number
  /** How much of it has been read so far, for progress. */
  consumedBytes(): number
}

export interface OpenExportOptions {
  /** Uncompressed size above which the file is refused: a zip bomb expands a thousandfold. */
  maxXmlBytes?: number
}

/**
 * Opens the XML of an Apple Health export: an export.xml, or the export.zip that holds it in any
 * folder and under any translated name. The kind is told by the content, not by the file name.
 * Nothing is extracted to disk and the file is never in memory as a whole.
 * Throws ExportFileError; errors of the file system pass through.
 */
export async function openExportXml(
  path: string,
  { maxXmlBytes = DEFAULT_MAX_XML_BYTES }: OpenExportOptions = {},
): Promise<ExportXml> {
  const opening = await readOpening(path)
  if (opening.length >= 2 && opening[0] === 0x50 && opening[1] === 0x4b) {
    return openZippedXml(path, maxXmlBytes)
  }
  if (!isHealthData(opening)) throw new ExportFileError('not_an_export')
  const { size } = await stat(path)
  if (size > maxXmlBytes) throw new ExportFileError('xml_too_large')
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  return { stream, totalBytes: size, consumedBytes: () => stream.bytesRead }
}

async function readOpening(path: string): Promise<Buffer> {
  const file: FileHandle = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(OPENING_BYTES), 0, OPENING_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Only a first look, which also lets a broken document through to the scanner. */
function isHealthData(opening: Buffer): boolean {
  const text = opening.toString('latin1')
  return /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<(?:!DOCTYPE\s+)?HealthData[\s>[]/.test(text)
}

async function openZippedXml(path: string, maxXmlBytes: number): Promise<ExportXml> {
  const zip = await openZip(path)
  try {
    const entry = await findExportEntry(zip)
    if (entry.uncompressedSize > maxXmlBytes) throw new ExportFileError('xml_too_large')
    let consumed = 0
    const content = readEntry(zip, entry, (bytes) => {
      consumed += bytes
    })
    const stream = Readable.from(content, { objectMode: false, highWaterMark: CHUNK_BYTES })
    stream.once('close', () => zip.close())
    return { stream, totalBytes: entry.uncompressedSize, consumedBytes: () => consumed }
  } catch (error) {
    zip.close()
    throw asExportFileError(error)
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    // Names are decoded here: yauzl would refuse the file for one odd name that is never used.
    return await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false })
  } catch (error) {
    throw asExportFileError(error)
  }
}

/** The entry named export.xml, else the largest XML that opens as an export. */
async function findExportEntry(zip: ZipFile): Promise<Entry> {
  const candidates: { entry: Entry; named: boolean }[] = []
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileNameRaw.toString('utf8')
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    const isXml = name.endsWith('.xml') && !name.endsWith('_cda.xml') && !name.startsWith('._')
    if (isXml) candidates.push({ entry, named: name === 'export.xml' })
  }
  candidates.sort(
    (a, b) =>
      Number(b.named) - Number(a.named) || b.entry.uncompressedSize - a.entry.uncompressedSize,
  )
  for (const { entry } of candidates.slice(0, MAX_CANDIDATES)) {
    if (entry.isEncrypted()) throw new ExportFileError('encrypted')
    const known = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED
    if (!known) throw new ExportFileError('unsupported_zip')
    if (isHealthData(await readEntryOpening(zip, entry))) return entry
  }
  throw new ExportFileError('no_export_inside')
}

async function readEntryOpening(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of readEntry(zip, entry, () => undefined)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= OPENING_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** The bytes of an entry. yauzl checks no checksum, so size and CRC are checked here. */
async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let checksum = 0
  let bytes = 0
  try {
    const compressed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
    for await (const chunk of decompress(compressed, entry) as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum)
      bytes += chunk.length
      if (bytes > entry.uncompressedSize) throw new ExportFileError('corrupt_zip')
      onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw asExportFileError(error)
  }
  const intact = bytes === entry.uncompressedSize && checksum === entry.crc32
  if (!intact) throw new ExportFileError('corrupt_zip')
}

function decompress(compressed: Readable, entry: Entry): Readable {
  if (entry.compressionMethod === STORED) return compressed
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // The callback is needed for pipeline to pass the error on; the reader of `inflate` gets it.
  pipeline(compressed, inflate, () => undefined)
  return inflate
}

function asExportFileError(error: unknown): unknown {
  if (error instanceof ExportFileError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : undefined
  if (code === 'Z_BUF_ERROR' || /End of [Cc]entral [Dd]irectory/.test(error.message)) {
    return new ExportFileError('truncated_zip', undefined, { cause: error })
  }
  const fromFileSystem = 'syscall' in error
  return fromFileSystem ? error : new ExportFileError('corrupt_zip', undefined, { cause: error })
}
