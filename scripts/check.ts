import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findUncheckedFiles } from './checks/checked-files.ts'

/**
 * Runs the checks that need no tests: format and lint, types, unused code and generated files. It
 * writes only caches, under node_modules/.cache, and files that git ignores. Each check counts as a
 * test, and the last line has the counts.
 */

const CACHE = join('node_modules', '.cache', 'salus')
const bin = (name: string): string => join('node_modules', '.bin', name)

/** A program with its arguments. */
type Command = [program: string, ...options: string[]]

interface Check {
  title: string
  commands: Command[]
  /** Called when all commands succeeded. */
  passed?: () => void
}

const TYPES_OF_API = join('packages', 'web', 'src', 'console', 'api', 'openapi.generated.d.ts')

/** Creates the files that git ignores, which the other checks read. */
const GENERATED: Check = {
  title: 'generated files are up to date',
  commands: [[process.execPath, join('scripts', 'generate.ts'), '--check']],
}

/**
 * Generating the API types takes as long as checking all pages, so they are generated when the
 * document changed.
 */
function typesOfPages(): Command[] {
  const check: Command = [bin('tsc'), '-p', join('packages', 'web')]
  const isFresh = changedAt(TYPES_OF_API) > changedAt(join('docs', 'openapi.json'))
  const make: Command = ['npm', 'run', '--silent', 'api-types', '-w', 'packages/web']
  return isFresh ? [check] : [make, check]
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Biome has no cache of its own, and reading every file takes some ten seconds of the processor.
 */
function formatAndLint(): Check {
  const title = 'format and lint'
  const { version } = JSON.parse(readFileSync('node_modules/@biomejs/biome/package.json', 'utf8'))
  const { files, remember } = findUncheckedFiles(join(CACHE, 'biome.json'), version, ['biome.json'])
  const command: Command = [bin('biome'), 'check', '--error-on-warnings', '--diagnostic-level=warn']
  if (files === 'all') return { title, commands: [command], passed: remember }
  const some: Command = [...command, '--no-errors-on-unmatched', '--files-ignore-unknown=true']
  const commands = files.length === 0 ? [] : [[...some, ...files] as Command]
  return { title, commands, passed: remember }
}

const listChecks = (): Check[] => [
  { title: 'types', commands: [[bin('tsc'), '-b']] },
  formatAndLint(),
  { title: 'types of the pages', commands: typesOfPages() },
  {
    title: 'nothing unused',
    commands: [[bin('knip'), '--no-progress', '--cache', '--cache-location', join(CACHE, 'knip')]],
  },
]

/** Returns the output of a program that failed, or undefined. */
async function run([program, ...options]: Command): Promise<string | undefined> {
  const env = {
    ...process.env,
    // The compiler collects its garbage less often, which saves a fifth of its time.
    GOGC: '400',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(CACHE, 'compiled'),
  }
  const child = spawn(program, options, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const code = await new Promise((done) => {
    child.once('error', done).once('close', (status, signal) => done(signal ?? status))
  })
  return code === 0 ? undefined : `${output}\n${program} ended with ${code}`
}

const counts = { passed: 0, failed: 0 }

async function runCheck({ title, commands, passed }: Check): Promise<void> {
  const startedAt = performance.now()
  for (const command of commands) {
    const failure = await run(command)
    if (failure === undefined) continue
    counts.failed += 1
    console.log(`✖ ${title}\n${failure.replaceAll(/^/gm, '    ')}`)
    return
  }
  passed?.()
  counts.passed += 1
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${seconds.padStart(6)} s  ${title}`)
}

mkdirSync(CACHE, { recursive: true })
await runCheck(GENERATED)
const queue = listChecks()
const work = async () => {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) await runCheck(check)
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed === 0 ? 0 : 1
