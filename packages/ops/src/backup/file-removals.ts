import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FileStore } from '@salus/kernel/files/file-store'
import { addJob, defineJob, handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { isBackupRunning } from './file-removals.global.repository.ts'

interface FileRemoval {
  kind: string
  name: string
}

const REMOVE_FILE = defineJob<FileRemoval>('remove_file_after_backup')
const RETRY_MS = 5 * MINUTE_MS

type RemovalContext = Pick<Stores, 'db' | 'clock'>

/**
 * Returns the same files, but removes none while a backup is taken, because a row of the backup may
 * name it. The file is removed when the backup has ended.
 */
export function keepFilesDuringBackups(files: FileStore, context: RemovalContext): FileStore {
  return {
    ...files,
    async remove(kind, name) {
      if (await isBackupRunning(context.db)) await removeLater(context, { kind, name })
      else await files.remove(kind, name)
    },
  }
}

const removeLater = ({ db, clock }: RemovalContext, file: FileRemoval): Promise<void> =>
  addJob(db, REMOVE_FILE, file, { runAt: new Date(clock.now().getTime() + RETRY_MS) })

/** Returns the jobs of delayed removals. @param files The store that removes at once. */
export function fileRemovalJobs(context: RemovalContext, files: FileStore): JobDefinitions {
  const kept = keepFilesDuringBackups(files, context)
  return {
    handlers: handleJob(REMOVE_FILE, ({ kind, name }) => kept.remove(kind, name)),
    schedule: '',
  }
}
