import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The server removes an upload after a day; an older note is of no use. */
const KEPT_MS = 2 * 24 * 60 * 60 * 1000

/** A note of the upload of one file to one server, for a later run of the command. */
export interface RememberedUpload {
  /** Id of the upload; undefined without a note. */
  read(): Promise<string | undefined>
  /** @returns false when the note cannot be written, so that a later run begins again */
  save(uploadId: string): Promise<boolean>
  forget(): Promise<void>
}

/**
 * Opens the note of a file, which is a small file of its own, so that commands that run at the same
 * time do not disturb each other.
 * @param identity What makes it the same upload: server, user, path, size and time of change.
 */
export function rememberUpload(
  cacheDirectory: string,
  identity: readonly (string | number)[],
): RememberedUpload {
  const folder = join(cacheDirectory, 'uploads')
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
  const path = join(folder, name)
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '')
      return /^[0-9a-f-]{36}$/.test(text) ? text : undefined
    },
    async save(uploadId) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await removeOld(folder)
        await writeFile(path, uploadId, { mode: 0o600 })
        return true
      } catch {
        return false
      }
    },
    forget: () => rm(path, { force: true }).catch(() => undefined),
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_MS) {
      await rm(join(folder, name), { force: true })
    }
  }
}
