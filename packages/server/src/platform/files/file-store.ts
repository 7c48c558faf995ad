import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import { type Clock, systemClock } from '../time/clock.ts'
import { syncFolder } from './durable-file.ts'

/** Files of the service under one folder, in a subfolder a kind. */
export interface FileStore {
  /** Writes a stream; the file is whole and durable when it returns, or not there. */
  write(kind: string, name: string, content: Readable, maxBytes: number): Promise<number>
  /** Where a file lies, for readers that need to seek in it. */
  pathOf(kind: string, name: string): string
  remove(kind: string, name: string): Promise<void>
  /** Removes what interrupted writes left behind. */
  removeLeftovers(kind: string): Promise<void>
}

const PARTIAL = '.partial'
const DAY_MS = 86_400_000

const TOO_LARGE = new AppError(413, 'body_too_large', 'The file is over the limit.')
const NO_SPACE = new AppError(503, 'storage_full', 'The server has no room for the file.')

export function openFileStore(folder: string, clock: Clock = systemClock): FileStore {
  const pathOf = (kind: string, name: string): string => join(folder, kind, name)

  return {
    pathOf,
    async write(kind, name, content, maxBytes) {
      await mkdir(join(folder, kind), { recursive: true, mode: 0o700 })
      const partial = pathOf(kind, name) + PARTIAL
      try {
        const bytes = await writeAll(partial, content, maxBytes)
        await rename(partial, pathOf(kind, name))
        syncFolder(join(folder, kind))
        return bytes
      } catch (error) {
        await rm(partial, { force: true })
        throw isNoSpace(error) ? NO_SPACE : error
      }
    },
    async remove(kind, name) {
      await rm(pathOf(kind, name), { force: true })
    },
    async removeLeftovers(kind) {
      const names = await readdir(join(folder, kind)).catch((): string[] => [])
      for (const name of names.filter((entry) => entry.endsWith(PARTIAL))) {
        // A younger one may be an upload that another process is just receiving.
        const { mtimeMs } = await stat(pathOf(kind, name))
        if (mtimeMs < clock.now().getTime() - DAY_MS) await rm(pathOf(kind, name), { force: true })
      }
    },
  }
}

async function writeAll(path: string, content: Readable, maxBytes: number): Promise<number> {
  let bytes = 0
  const limited = async function* () {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw TOO_LARGE
      yield chunk
    }
  }
  // Opened before anything can fail: a stream that is still opening its file when it is given up
  // makes the file after the caller has removed it.
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(limited())
    await file.sync()
  } finally {
    await file.close()
  }
  return bytes
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}
