import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { DAY_MS } from '@salus/contracts/time-units'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type Clock, systemClock } from '../time/clock.ts'
import { syncFolder } from './durable-file.ts'
import { type GrowingFiles, NO_SPACE, openGrowingFiles } from './growing-files.ts'

/** Files of the service: each has a kind, which is a folder, and a name within it. */
export interface FileStore {
  /**
   * Writes a file in place of an earlier one and returns its length. It is complete and durable
   * then, or else as it was before.
   * @throws AppError 413 beyond `maxBytes`, 503 when there is no space or the storage does not
   *   answer.
   */
  write(kind: string, name: string, content: Readable | Buffer, maxBytes: number): Promise<number>
  /** @throws FileMissingError */
  read(kind: string, name: string): Promise<Buffer>
  /**
   * Returns the content from its beginning, for a reader that ends or destroys the stream.
   * @throws FileMissingError
   */
  stream(kind: string, name: string): Promise<Readable>
  /**
   * Runs the work with a path of the file on this machine, for readers that seek in it. The path is
   * invalid when the work ends, and a copy that was made for it is removed.
   * @throws FileMissingError
   */
  withPath<T>(kind: string, name: string, work: (path: string) => Promise<T>): Promise<T>
  /**
   * Runs the work with a path on this machine of content that is read once: no file is stored. The
   * path is invalid when the work ends; what a killed process leaves is removed with the leftovers
   * of the kind.
   * @throws AppError 413 beyond `maxBytes`, 503 when there is no space.
   */
  withSpooled<T>(
    kind: string,
    content: Readable,
    maxBytes: number,
    work: (path: string) => Promise<T>,
  ): Promise<T>
  /** Removes a file; one that does not exist is no error. */
  remove(kind: string, name: string): Promise<void>
  readonly growing: GrowingFiles
  /**
   * Removes files that interrupted writes and copies left a day ago or earlier, and growing files
   * of a folder that have not grown for a day.
   */
  removeLeftovers(kind: string): Promise<void>
  /** Lists all files, of every kind, without those that are being written. */
  list(): AsyncIterable<ListedFile>
  /** @throws Error when files cannot be written now. */
  check(): Promise<void>
  /**
   * Returns the number and size of the files of each kind, and the free space; null where only its
   * owner knows it, as for a bucket.
   */
  measure(): Promise<FileUsage | null>
}

export interface ListedFile {
  kind: string
  name: string
  bytes: number
}

export interface FileUsage {
  kinds: { kind: string; files: number; bytes: number }[]
  /** Free bytes of the disk of the folder. */
  free_bytes: number
  total_bytes: number
}

/** The file does not exist, or no longer. */
export class FileMissingError extends Error {}

const PARTIAL = '.partial'

const TOO_LARGE = new AppError(413, 'body_too_large', 'The file is larger than the limit.')

/** Opens files in a folder of this machine, or of a disk that several machines share. */
export function openFileStore(folder: string, clock: Clock = systemClock): FileStore {
  const pathOf = (kind: string, name: string): string => join(folder, kind, name)

  return {
    async write(kind, name, content, maxBytes) {
      await mkdir(join(folder, kind), { recursive: true, mode: 0o700 })
      // The draft has its own name: two writers of one file do not mix, and the later one wins.
      const partial = `${pathOf(kind, name)}.${newId()}${PARTIAL}`
      try {
        const bytes = await writeFile(partial, content, maxBytes)
        await rename(partial, pathOf(kind, name))
        syncFolder(join(folder, kind))
        return bytes
      } catch (error) {
        await rm(partial, { force: true })
        throw codeOf(error) === 'ENOSPC' ? NO_SPACE : error
      }
    },
    read: (kind, name) => readFile(pathOf(kind, name)).catch(throwMissing),
    async stream(kind, name) {
      const file = await open(pathOf(kind, name)).catch(throwMissing)
      return file.createReadStream()
    },
    async withPath(kind, name, work) {
      const path = pathOf(kind, name)
      await access(path).catch(throwMissing)
      return work(path)
    },
    withSpooled: (kind, content, maxBytes, work) =>
      spool(join(folder, kind), `${newId()}${PARTIAL}`, content, maxBytes, work),
    async remove(kind, name) {
      await rm(pathOf(kind, name), { force: true })
    },
    growing: openGrowingFiles(pathOf, PARTIAL),
    removeLeftovers: (kind) => removeLeftovers(join(folder, kind), PARTIAL, clock),
    list: () => listFolder(folder),
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK)
    },
    measure: () => measureFolder(folder),
  }
}

/** Runs work with a file that exists only until it ends. */
export async function spool<T>(
  folder: string,
  name: string,
  content: Readable,
  maxBytes: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  try {
    await writeFile(path, content, maxBytes).catch((error: unknown) => {
      throw codeOf(error) === 'ENOSPC' ? NO_SPACE : error
    })
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

async function* listFolder(folder: string): AsyncGenerator<ListedFile> {
  const kinds = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const { name: kind } of kinds.filter((entry) => entry.isDirectory())) {
    for (const name of await readdir(join(folder, kind))) {
      if (name.endsWith(PARTIAL)) continue
      // A file may be removed meanwhile.
      const found = await stat(join(folder, kind, name)).catch(() => undefined)
      if (found?.isFile()) yield { kind, name, bytes: found.size }
    }
  }
}

/** Number of files whose size is read at the same time. */
const STATED_AT_ONCE = 64

async function measureFolder(folder: string): Promise<FileUsage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kinds: FileUsage['kinds'] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const names = await readdir(join(folder, entry.name))
    let bytes = 0
    for (let start = 0; start < names.length; start += STATED_AT_ONCE) {
      const paths = names
        .slice(start, start + STATED_AT_ONCE)
        .map((name) => join(folder, entry.name, name))
      // A file may be removed meanwhile.
      const sizes = await Promise.all(
        paths.map((path) =>
          stat(path).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      )
      bytes += sizes.reduce((sum, size) => sum + size, 0)
    }
    kinds.push({ kind: entry.name, files: names.length, bytes })
  }
  const { bavail, blocks, bsize } = await statfs(folder)
  return { kinds, free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

/**
 * Removes files that no process works on any more; a younger one may be one that another process is
 * still receiving.
 */
export async function removeLeftovers(folder: string, ending: string, clock: Clock): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names.filter((entry) => entry.endsWith(ending))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < clock.now().getTime() - DAY_MS) await rm(path, { force: true })
  }
}

/** Yields the content, and fails where it is too long. `onBytes` is called for every piece. */
export async function* limitBytes(
  content: AsyncIterable<Buffer> | Buffer,
  maxBytes: number,
  onBytes?: (total: number) => void,
): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
    total += chunk.length
    if (total > maxBytes) throw TOO_LARGE
    onBytes?.(total)
    yield chunk
  }
}

async function writeFile(path: string, content: Readable | Buffer, maxBytes: number) {
  let bytes = 0
  // Opened before anything can fail: a stream that is still opening its file when it is given up
  // makes the file after the caller has removed it.
  const file = await open(path, 'w', 0o600)
  try {
    const limited = limitBytes(content, maxBytes, (total) => {
      bytes = total
    })
    await file.writeFile(limited)
    await file.sync()
  } finally {
    await file.close()
  }
  return bytes
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

function throwMissing(error: unknown): never {
  if (codeOf(error) !== 'ENOENT') throw error
  throw new FileMissingError('The file is not there.', { cause: error })
}
