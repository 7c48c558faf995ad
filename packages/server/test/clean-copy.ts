import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Copies the project to a new folder, as a clone would have it, with changes that are not committed
 * yet.
 */
export function makeCleanCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'salus-clean-'))
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  for (const file of files.split('\0').filter(Boolean)) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file))
  }
  return folder
}

/** What tests and the project's own npm scripts left in the environment is not of a stranger. */
export function strangersEnvironment(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env
  // npm puts the folders of programs of packages first: those of this tree, not of the copy.
  const path = PATH.split(':').filter(
    (folder) => !folder.startsWith(ROOT) && folder !== dirname(process.execPath),
  )
  return {
    PATH: path.join(':'),
    HOME,
    ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
    ...settings,
  }
}
