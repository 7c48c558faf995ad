import { StartupError } from '@salus/kernel/errors'
import {
  type BackupArchive,
  type BackupManifest,
  type BackupPart,
  nameOfTable,
} from './backup-archive.ts'
import type { ReportProgress } from './progress.ts'
import { entriesOf } from './restore-backup.ts'

const NEWLINE = 10

/**
 * Reads a backup to its last byte, as a restore would, and compares it with its manifest.
 * @throws StartupError that names the first part that is missing, broken or different
 */
export async function verifyBackup(
  archive: BackupArchive,
  report: ReportProgress,
): Promise<BackupManifest> {
  const manifest = await archive.readManifest()
  const total = manifest.tables.length + 1
  for (const [done, part] of manifest.tables.entries()) {
    let rows = 0
    for await (const chunk of archive.read(part)) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows++
      report({ what: nameOfTable(part), done, total, bytes: chunk.length })
    }
    compare(part, rows)
  }
  let files = 0
  for await (const { body } of entriesOf(archive.read(manifest.files))) {
    for await (const chunk of body) {
      report({ what: 'files', done: total - 1, total, bytes: chunk.length })
    }
    files += 1
  }
  compare(manifest.files, files)
  return manifest
}

function compare({ name, rows }: BackupPart, found: number): void {
  if (rows === found) return
  throw new StartupError(`${name} has ${found} rows or files, but ${rows} were written.`)
}
