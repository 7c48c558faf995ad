import { deleteTasksOf } from '@salus/accounts/tasks'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { RowScope } from '@salus/kernel/scope'
import { deleteUnmatchedOfUser } from './match-review/unmatched-results.repository.ts'
import { listResultFiles } from './results.repository.ts'
import { RESULT_FILES } from './storing/result-files.ts'

/**
 * Deletes the files of a person's results and their held results. The versions are deleted with
 * their orders, and those with the person. It can be repeated after an interruption.
 */
export async function eraseResults(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  const stored = await listResultFiles(scope, userId)
  for (const { file } of stored) await files.remove(RESULT_FILES, file)
  const held = await deleteUnmatchedOfUser(scope, userId)
  await deleteTasksOf(scope, held.ids)
  for (const name of held.files) await files.remove(RESULT_FILES, name)
}
