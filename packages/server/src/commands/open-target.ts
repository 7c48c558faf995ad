import { isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findSecretKey } from '@salus/kernel/crypto/secret-key'
import { StartupError } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { parseFilesUrl } from '@salus/kernel/files/files-location'
import type { Config } from '../config.ts'
import { openLocation } from '../stores.ts'

/** Returns the secret keys of the settings, or of the data directory. @throws StartupError */
export function readSecretKeys(config: Config, what: string): readonly Buffer[] {
  const kept = config.secretKeys ?? findSecretKey(config.dataDirectory)
  if (kept !== undefined) return Array.isArray(kept) ? kept : [kept as Buffer]
  throw new StartupError(
    `${what} are sealed with the secret key, but there is none. Set SALUS_SECRET_KEY, or put secret.key of that server into ${config.dataDirectory}.`,
  )
}

/**
 * Opens the folder or the bucket of backups, or of an archive.
 * @throws StartupError when it is none, or in the folder of the files
 */
export async function openTarget(config: Config, where: string): Promise<FileStore> {
  const { dataDirectory: data, filesLocation } = config
  const isAddress = /^[a-z0-9]+:/.test(where)
  const location = parseFilesUrl(isAddress ? where : pathToFileURL(resolve(where)).href)
  if (where === '' || location === undefined) {
    throw new StartupError('Name a folder, or s3://bucket/prefix?region=…&endpoint=https://….')
  }
  const files = filesLocation ?? { folder: join(data, 'files') }
  if ('folder' in location && 'folder' in files) {
    const inside = relative(files.folder, location.folder)
    if (!inside.startsWith('..') && !isAbsolute(inside)) {
      throw new StartupError('It cannot be in the folder of the files of the service.')
    }
  }
  return openLocation(config, location)
}
