import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { ANY_EXPANSION_BYTES, decompress, isGzip, MOST_EXPANSION } from './gzip.ts'
import { ImportFileError } from './import-file-error.ts'
import { CHUNK_BYTES, isReadable, openZip, readEntry } from './zip-entries.ts'

/** One file of an import: the uploaded file itself, or a file inside an uploaded zip. */
export interface ImportFile {
  /**
   * Path inside the zip in composed Unicode (NFC), with the path of an inner zip before it; empty
   * for a file that was uploaded alone. It may hold personal words: it selects files and is neither
   * stored nor logged.
   */
  readonly path: string
  /** Last part of the path in lower case, without `.gz`. */
  readonly name: string
  /** Size in bytes as the zip states it; of a gzip the compressed size. */
  readonly bytes: number
  /** Time at which the zip says that the file was written, epoch milliseconds; null if unknown. */
  readonly writtenAt: number | null
  /** Reads the content; a gzip is decompressed. @throws ImportFileError for a damaged file */
  chunks(): AsyncGenerator<Buffer>
  /** Returns the first 64 kB of the content, which is read once for all formats. */
  opening(): Promise<Buffer>
  /** Returns the whole content. @throws ImportFileError `file_too_large` over `most` bytes */
  content(most?: number): Promise<Buffer>
  /** Returns a path on this machine for readers that seek; it is valid until `close`. */
  localPath(): Promise<string>
}

/** The files of an import. */
export interface ImportFiles {
  /** The uploaded file on this machine. */
  readonly path: string
  readonly files: readonly ImportFile[]
  /** Returns the files whose path matches, in order of path. */
  select(pattern: RegExp): ImportFile[]
  /** Bytes read so far, for progress. */
  readBytes(): number
  /** Removes temporary copies. */
  close(): Promise<void>
}

/** Returns when the newest file of a zip was written, epoch milliseconds; null if unknown. */
export function lastWritten(files: readonly ImportFile[]): number | null {
  const times = files.flatMap(({ writtenAt }) => writtenAt ?? [])
  return times.length === 0 ? null : times.reduce((last, at) => Math.max(last, at))
}

interface Limits {
  /** Maximum size of all content and of all temporary copies, in bytes. */
  maxBytes: number
}

const OPENING_BYTES = 1 << 16
/** Openings that are kept, of the first files: a zip may have hundreds of thousands. */
const MOST_KEPT_BYTES = 16 << 20
/** Content that readers hold in memory as a whole. */
const MOST_IN_MEMORY = 64 << 20
const MOST_FILES = 300_000
const MOST_INNER_ZIPS = 200
const NOTHING = Buffer.alloc(0)
const ZIP_MAGIC = 'PK'
const FIRST_WRITTEN = Date.UTC(1990, 0)

/** State that all files of an import share. */
class Session {
  readBytes = 0
  readonly #limits: Limits
  readonly #closers: (() => void)[] = []
  #folder: Promise<string> | undefined
  #copied = 0
  #copies = 0
  #keptBytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  onClose(closer: () => void): void {
    this.#closers.push(closer)
  }

  /** Writes content to a temporary file and returns its path. */
  async copy(content: AsyncIterable<Buffer>): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'salus-import-'))
    const path = join(await this.#folder, String(this.#copies++))
    const counted = this.#count(content)
    const file = await open(path, 'wx', 0o600)
    await pipeline(counted, file.createWriteStream())
    return path
  }

  async *#count(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      this.#copied += chunk.length
      if (this.#copied > this.#limits.maxBytes) throw new ImportFileError('file_too_large')
      yield chunk
    }
  }

  /** Whether an opening may be kept, which then counts. */
  keeps(bytes: number): boolean {
    if (this.#keptBytes + bytes > MOST_KEPT_BYTES) return false
    this.#keptBytes += bytes
    return true
  }

  checkSize(bytes: number): void {
    if (bytes > this.#limits.maxBytes) throw new ImportFileError('file_too_large')
  }

  async close(): Promise<void> {
    for (const closer of this.#closers) closer()
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true })
  }
}

/**
 * Opens an uploaded file: a zip, with the zips in it, or a single file. Nothing is in memory as a
 * whole; inner zips are copied to a temporary folder, because a zip is read from its end.
 * @throws ImportFileError for a damaged, encrypted or too large file
 */
export async function openImportFiles(path: string, limits: Limits): Promise<ImportFiles> {
  const session = new Session(limits)
  try {
    const files = await listFiles(path, session)
    files.sort((a, b) => (a.path < b.path ? -1 : 1))
    return {
      path,
      files,
      select: (pattern) => files.filter((file) => pattern.test(file.path)),
      readBytes: () => session.readBytes,
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function listFiles(path: string, session: Session): Promise<ImportFile[]> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0).finally(() => file.close())
  if (buffer.toString('latin1', 0, 2) !== ZIP_MAGIC) {
    const { size: bytes } = await stat(path)
    session.checkSize(bytes)
    const raw = () => createReadStream(path, { highWaterMark: CHUNK_BYTES })
    const localPath = isGzip(buffer) ? {} : { localPath: path }
    return [createFile({ path: '', bytes, writtenAt: null, raw, ...localPath }, session)]
  }
  const files: ImportFile[] = []
  const zips = [{ path, prefix: '' }]
  let count = 0
  for (let next = zips.shift(); next !== undefined; next = zips.shift()) {
    const zip = await openZip(next.path)
    session.onClose(() => zip.close())
    for await (const entry of zip.eachEntry()) {
      const inner = fileOfEntry(zip, entry, next.prefix, session)
      if (inner === undefined) continue
      if (files.length >= MOST_FILES) throw new ImportFileError('too_many_files')
      if (!inner.name.endsWith('.zip') || next.prefix !== '') files.push(inner)
      else if (++count > MOST_INNER_ZIPS) throw new ImportFileError('too_many_files')
      else zips.push({ path: await inner.localPath(), prefix: `${inner.path}/` })
    }
  }
  return files
}

/** Returns undefined for folders and for what macOS adds to zips. */
function fileOfEntry(
  zip: ZipFile,
  entry: Entry,
  prefix: string,
  session: Session,
): ImportFile | undefined {
  const path = entry.fileNameRaw.toString('utf8').normalize('NFC').replaceAll('\\', '/')
  if (path.endsWith('/') || /(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(path)) return undefined
  async function* raw(): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw new ImportFileError('encrypted')
    if (!isReadable(entry)) throw new ImportFileError('unsupported_zip')
    const { compressedSize, uncompressedSize } = entry
    session.checkSize(uncompressedSize)
    const isExpandedTooFar = uncompressedSize > compressedSize * MOST_EXPANSION
    if (isExpandedTooFar && uncompressedSize > ANY_EXPANSION_BYTES) {
      throw new ImportFileError('compressed_too_far')
    }
    yield* readEntry(zip, entry, () => undefined)
  }
  const writtenAt = entry.getLastModDate({ timezone: 'UTC' }).getTime()
  const bytes = entry.uncompressedSize
  // These bytes were read above, and are most of the memory of an entry.
  const read = { fileNameRaw: NOTHING, fileName: NOTHING, extraFieldRaw: NOTHING, extraFields: [] }
  Object.assign(entry, read, { fileCommentRaw: NOTHING, fileComment: NOTHING })
  return createFile({ path: prefix + path, bytes, writtenAt, raw }, session)
}

interface RawFile {
  path: string
  bytes: number
  writtenAt: number | null
  raw: () => AsyncIterable<Buffer>
  localPath?: string
}

function createFile({ path, bytes, writtenAt, raw, localPath }: RawFile, session: Session) {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of raw()) {
      session.readBytes += chunk.length
      yield chunk
    }
  }
  let kept: Buffer | undefined
  let copy = localPath === undefined ? undefined : Promise.resolve(localPath)
  const file: ImportFile = {
    path,
    name: path
      .slice(path.lastIndexOf('/') + 1)
      .toLowerCase()
      .replace(/\.gz$/, ''),
    bytes,
    // Zips without times have the year 1980 or earlier.
    writtenAt: writtenAt !== null && writtenAt > FIRST_WRITTEN ? writtenAt : null,
    chunks: () => decompress(counted()),
    async opening() {
      if (kept !== undefined) return kept
      const before = session.readBytes
      const parts: Buffer[] = []
      let length = 0
      for await (const chunk of file.chunks()) {
        parts.push(chunk)
        length += chunk.length
        if (length >= OPENING_BYTES) break
      }
      // Looking at a file is no progress.
      session.readBytes = before
      const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      // A copy, so that the rest of the chunk is not kept.
      const opening = Buffer.from(all.subarray(0, OPENING_BYTES))
      if (session.keeps(opening.length)) kept = opening
      return opening
    },
    async content(most = MOST_IN_MEMORY) {
      const parts: Buffer[] = []
      let length = 0
      for await (const chunk of file.chunks()) {
        length += chunk.length
        if (length > most) throw new ImportFileError('file_too_large')
        parts.push(chunk)
      }
      return Buffer.concat(parts)
    },
    localPath() {
      copy ??= session.copy(file.chunks())
      return copy
    },
  }
  return file
}
