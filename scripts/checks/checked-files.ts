import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** More are as fast to check all together. */
const MOST_FILES = 500

interface UncheckedFiles {
  /** Paths that changed since they were checked. */
  files: string[] | 'all'
  /** Stores that all files of now were checked. */
  remember: () => void
}

/** What the cache holds: a size and a time for each path, under what they were checked with. */
interface CheckedFiles {
  key: string
  files: Record<string, string>
}

/**
 * Finds the files of the repository that a program which looks at one file at a time has yet to
 * check. Without git these are all.
 * @param version - Of the program; another one checks all again
 * @param settings - Paths of what it is set up with; changed ones are a reason to check all again
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
