import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All generated files, or only those that git ignores: code and the OpenAPI document. */
export type GeneratedFiles = 'all' | 'ignored'

/** Sources of generated files: the packages of the server, and the generators. */
const PACKAGES = 'contracts kernel accounts health lab fhir rights ops sandbox server'.split(' ')
const FOLDERS = [
  'scripts/generate',
  ...PACKAGES.flatMap((name) =>
    ['src', 'data', 'migrations'].map((folder) => `packages/${name}/${folder}`),
  ),
]
const FILES = ['package-lock.json', 'biome.json', 'scripts/generate.ts']
/** Without the formatter, as in a production install, generated code is not formatted. */
const FORMATTER = 'node_modules/@biomejs/biome/package.json'
const NO_SOURCE = /\.test\.ts$|[/\\]testing[/\\]/

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MISSING = 'missing'
const CACHE = join('node_modules', '.cache', 'salus')

/** State of generated files and of their sources. */
interface Stamp {
  sources: string
  files: Record<string, string>
}

/**
 * Generates the files that git ignores, and exits when that fails.
 * @param when - Generating takes some seconds: `missing` skips it after a change of a source
 */
export function makeIgnoredFiles(when: 'changed' | 'missing'): void {
  if (when === 'missing' ? areThere() : areFresh('ignored')) return
  const args = [join(ROOT, 'scripts', 'generate.ts'), '--ignored']
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(1)
}

function areThere(): boolean {
  const files = Object.keys(readStamp('ignored', ROOT)?.files ?? {})
  return files.length > 0 && files.every((file) => stateOf(join(ROOT, file)) !== MISSING)
}

/**
 * Returns whether generated files are unchanged since they were generated, and their sources, too.
 */
export function areFresh(kind: GeneratedFiles, root: string = ROOT): boolean {
  const stamp = readStamp(kind, root)
  if (stamp === undefined) return false
  const files = Object.entries(stamp.files)
  return (
    files.every(([file, state]) => stateOf(join(root, file)) === state) &&
    stamp.sources === stateOfSources(root)
  )
}

/** Stores that these files match the current sources. */
export function rememberFresh(
  kind: GeneratedFiles,
  files: readonly string[],
  root: string = ROOT,
): void {
  const states = files.map((file) => [file, stateOf(join(root, file))])
  const stamp = { sources: stateOfSources(root), files: Object.fromEntries(states) }
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(stampPath(kind, root), JSON.stringify(stamp satisfies Stamp))
}

const stampPath = (kind: GeneratedFiles, root: string): string =>
  join(root, CACHE, `generated-${kind}.json`)

function readStamp(kind: GeneratedFiles, root: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(stampPath(kind, root), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Returns size and time of a file, which change with it; contents are not read, because every test
 * run calls this.
 */
function stateOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? MISSING : `${found.size} ${found.mtimeMs}`
}

function stateOfSources(root: string): string {
  const hash = createHash('sha256')
  for (const file of [...FILES, FORMATTER, ...FOLDERS.flatMap((name) => listFiles(name, root))]) {
    hash.update(`${file} ${stateOf(join(root, file))}\n`)
  }
  return hash.digest('hex')
}

function listFiles(folder: string, root: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !NO_SOURCE.test(file))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
