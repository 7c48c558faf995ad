import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { ImportFileError } from '../../files/import-file-error.ts'
import {
  asImportFileError,
  CHUNK_BYTES,
  isReadable,
  openZip,
  readEntry,
} from '../../files/zip-entries.ts'

/** The document type before the root element has about 10 kB. */
const OPENING_BYTES = 1 << 16
const DEFAULT_MAX_XML_BYTES = 32 * 2 ** 30
const MAX_CANDIDATES = 8

/**
 * Maximum compression: real exports shrink to a twentieth or a fortieth. More is repetitive text,
 * which takes a moment to send and hours to read.
 */
const MOST_EXPANSION = 200
/** Below this size any expansion is cheap. */
const ANY_EXPANSION_BYTES = 16 * 2 ** 20

interface ExportXml {
  /** The bytes of export.xml. Fails with ImportFileError when the zip is damaged. */
  stream: Readable
  /** Uncompressed size of the XML. */
  totalBytes: number
  /** Bytes read so far, for progress. */
  consumedBytes(): number
}

interface OpenExportOptions {
  /** Maximum uncompressed size, against zip bombs, which expand a thousandfold. */
  maxXmlBytes?: number | undefined
}

/**
 * Opens the XML of an Apple Health export: an export.xml, or the export.zip that contains it in any
 * folder and under any translated name. The kind is detected from the content, not the file name.
 * Nothing is extracted to disk and the file is never in memory as a whole. Throws ImportFileError;
 * errors of the file system pass through.
 */
export async function openExportXml(
  path: string,
  { maxXmlBytes = DEFAULT_MAX_XML_BYTES }: OpenExportOptions = {},
): Promise<ExportXml> {
  const opening = await readOpening(path)
  if (isZip(opening)) {
    return openZippedXml(path, maxXmlBytes)
  }
  if (!isHealthData(opening)) throw new ImportFileError('not_an_export')
  const { size } = await stat(path)
  if (size > maxXmlBytes) throw new ImportFileError('xml_too_large')
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  return { stream, totalBytes: size, consumedBytes: () => stream.bytesRead }
}

/** Whether the file is a zip, by its content. */
export async function isZipFile(path: string): Promise<boolean> {
  return isZip(await readOpening(path))
}

const isZip = (opening: Buffer): boolean =>
  opening.length >= 2 && opening[0] === 0x50 && opening[1] === 0x4b

async function readOpening(path: string): Promise<Buffer> {
  const file: FileHandle = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(OPENING_BYTES), 0, OPENING_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A first check only, which lets a broken document through to the scanner. */
function isHealthData(opening: Buffer): boolean {
  const text = opening.toString('latin1')
  return /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<(?:!DOCTYPE\s+)?HealthData[\s>[]/.test(text)
}

async function openZippedXml(path: string, maxXmlBytes: number): Promise<ExportXml> {
  const zip = await openZip(path)
  try {
    const entry = await findExportEntry(zip)
    if (entry.uncompressedSize > maxXmlBytes) throw new ImportFileError('xml_too_large')
    if (isExpandedTooFar(entry)) throw new ImportFileError('compressed_too_far')
    let consumed = 0
    const content = readEntry(zip, entry, (bytes) => {
      consumed += bytes
    })
    const stream = Readable.from(content, { objectMode: false, highWaterMark: CHUNK_BYTES })
    stream.once('close', () => zip.close())
    return { stream, totalBytes: entry.uncompressedSize, consumedBytes: () => consumed }
  } catch (error) {
    zip.close()
    throw asImportFileError(error)
  }
}

/** Checks the sizes that the zip states: reading fails where an entry is larger than stated. */
function isExpandedTooFar({ compressedSize, uncompressedSize }: Entry): boolean {
  return (
    uncompressedSize > ANY_EXPANSION_BYTES && uncompressedSize > compressedSize * MOST_EXPANSION
  )
}

/** Finds the entry named export.xml, otherwise the largest XML that opens as an export. */
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
    if (entry.isEncrypted()) throw new ImportFileError('encrypted')
    if (!isReadable(entry)) throw new ImportFileError('unsupported_zip')
    if (isHealthData(await readEntryOpening(zip, entry))) return entry
  }
  throw new ImportFileError('no_export_inside')
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
