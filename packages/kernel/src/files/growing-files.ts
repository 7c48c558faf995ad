import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../errors.ts'
import { syncFolder } from './durable-file.ts'

export const NO_SPACE = new AppError(503, 'storage_full', 'The server has no room for the file.')

/**
 * Files that grow over several requests. Until it is finished, a growing file is none of the files
 * that can be read or listed. Their lengths are what the storage has, so they survive the end of a
 * process at any moment.
 */
export interface GrowingFiles {
  /** Returns the number of durable bytes; 0 for one that nothing was written to. */
  length(file: GrowingFile): Promise<number>
  /**
   * Writes the content from `offset`, which is the length of the file, and returns the new length.
   * When the content or the storage fails, the bytes before the failure stay.
   * @throws AppError 503 when there is no space or the storage does not answer.
   */
  append(file: GrowingFile, offset: number, content: AsyncIterable<Buffer>): Promise<number>
  /** Makes it a file of the same kind and name; one that is finished already is no error. */
  finish(file: GrowingFile): Promise<void>
  /** Removes it, finished or not; one that does not exist is no error. */
  discard(file: GrowingFile): Promise<void>
}

export interface GrowingFile {
  kind: string
  name: string
  /** Length that it will have: a bucket divides it into pieces by this. */
  bytes: number
}

/**
 * Opens growing files in a folder.
 * @param suffix Suffix of files that are not listed, and are removed a day after their last change.
 */
export function openGrowingFiles(
  pathOf: (kind: string, name: string) => string,
  suffix: string,
): GrowingFiles {
  const finishedPath = ({ kind, name }: GrowingFile): string => pathOf(kind, name)
  const growingPath = (file: GrowingFile): string => finishedPath(file) + suffix
  return {
    async length(file) {
      return (await sizeOf(growingPath(file))) ?? (await sizeOf(finishedPath(file))) ?? 0
    },
    async append(file, offset, content) {
      const path = growingPath(file)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const handle = await open(path, offset === 0 ? 'w' : 'r+', 0o600)
      try {
        return await writeFrom(handle, offset, content)
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? NO_SPACE : error
      } finally {
        await handle.close()
        if (offset === 0) syncFolder(dirname(path))
      }
    },
    async finish(file) {
      if ((await sizeOf(growingPath(file))) === undefined) return
      await rename(growingPath(file), finishedPath(file))
      syncFolder(dirname(finishedPath(file)))
    },
    async discard(file) {
      await rm(growingPath(file), { force: true })
      await rm(finishedPath(file), { force: true })
    },
  }
}

/** Writes at positions: a writer that was replaced meanwhile cannot move the bytes of the next. */
async function writeFrom(
  handle: FileHandle,
  offset: number,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  let position = offset
  try {
    for await (const chunk of content) {
      for (let from = 0; from < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, from, chunk.length - from, position)
        from += bytesWritten
        position += bytesWritten
      }
    }
    return position
  } finally {
    // Also after a failure: the client continues at the length that the file has then.
    await handle.sync()
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return found?.size
}
