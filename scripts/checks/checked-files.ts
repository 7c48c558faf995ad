import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** With more files, checking all of them is as fast. */
const MOST_FILES = 500

interface UncheckedFiles {
  /** Paths that changed since they were checked. */
  files: string[] | 'all'
  /** Stores that all current files were checked. */
  remember: () => void
}

/** Contents of the cache: size and time of each path, and the program and settings of the check. */
interface CheckedFiles {
  key: string
  files: Record<string, string>
}

/**
 * Returns the files of the repository that a program which checks one file at a time has not
 * checked yet; without git, all files.
 * @param version - Version of the program; a new one checks all again
 * @param settings - Paths of its settings; changed ones check all again
 * @param root - Folder of the repository
 */
export function findUncheckedFiles(
  cache: string,
  version: string,
  settings: string[],
  root = '.',
): UncheckedFiles {
  const texts = settings.map((path) => readFileSync(join(root, path), 'utf8'))
  const key = createHash('sha256')
    .update([version, ...texts].join('\0'))
    .digest('hex')
  const files = listFiles(root)
  const checked = readChecked(cache)
  const remember = () => {
    mkdirSync(dirname(cache), { recursive: true })
    writeFileSync(cache, JSON.stringify({ key, files } satisfies CheckedFiles))
  }
  const changed = Object.keys(files).filter((path) => files[path] !== checked?.files[path])
  const isKnown = checked?.key === key && Object.keys(files).length > 0
  return { files: isKnown && changed.length <= MOST_FILES ? changed : 'all', remember }
}

function listFiles(root: string): Record<string, string> {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout = '' } = spawnSync('git', options, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const states = (stdout ?? '').split('\0').flatMap((path): [string, string][] => {
    const found = path === '' ? undefined : statSync(join(root, path), { throwIfNoEntry: false })
    return found?.isFile() ? [[path, `${found.size} ${found.mtimeMs}`]] : []
  })
  return Object.fromEntries(states)
}

function readChecked(cache: string): CheckedFiles | undefined {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'))
  } catch {
    return undefined
  }
}
