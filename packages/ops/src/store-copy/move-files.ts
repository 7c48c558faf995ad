import { createHash } from 'node:crypto'
import type { FileStore } from '@salus/kernel/files/file-store'
import { type ReportMove, unequalError } from './move-record.ts'

/** The source and the target of files. */
export interface FilesMove {
  source: FileStore
  target: FileStore
  report: ReportMove
}

/** True when there is no file. */
export async function isUnusedFiles(files: FileStore): Promise<boolean> {
  for await (const _file of files.list()) return false
  return true
}

/**
 * Copies all files and reads each back. One that already exists and is equal does not change.
 * @returns files and bytes
 * @throws StartupError when one is not equal afterwards
 */
export async function moveFiles(move: FilesMove): Promise<{ files: number; bytes: number }> {
  const { source, target, report } = move
  const found = await Array.fromAsync(source.list())
  const present = new Map<string, number>()
  for await (const file of target.list()) present.set(`${file.kind}/${file.name}`, file.bytes)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const { kind, name, bytes } of found) {
    const expected = await digestOf(source, kind, name)
    const isThere =
      present.get(`${kind}/${name}`) === bytes && (await digestOf(target, kind, name)) === expected
    if (!isThere) {
      await target.write(kind, name, await source.stream(kind, name), Number.MAX_SAFE_INTEGER)
      if ((await digestOf(target, kind, name)) !== expected) throw unequalError(`A file of ${kind}`)
    }
    done += bytes
    report({ store: 'files', done, total })
  }
  return { files: found.length, bytes: total }
}

async function digestOf(files: FileStore, kind: string, name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await files.stream(kind, name)) hash.update(chunk)
  return hash.digest('hex')
}
