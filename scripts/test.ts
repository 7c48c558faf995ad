import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startEmbeddedPostgres } from '../packages/server/src/platform/postgres/embedded-postgres.ts'

/**
 * All checks, in the order of their price: formatting and lint, types, unused code, generated files, then the
 * tests on one shared PostgreSQL cluster, where every test file gets a database of its own.
 * File names or parts of them as arguments run only those test files. With `--long` it runs the campaigns
 * instead: `*.long.test.ts`, many kills and whatever takes long, and tests with more cases than else.
 */

/** Loading the server and opening the engine takes longer than most test files, so so many share a process. */
const FILES_A_PROCESS = 24
/**
 * One more than there are processors, because servers that are killed and started are waited for; of
 * campaigns, which do little else, no more than there are.
 */
const CONCURRENCY = Math.min(4, availableParallelism() + (process.argv.includes('--long') ? 0 : 1))

/** Test files that open engines, start servers, end processes, measure their own or define jobs have one to themselves. */
const NEEDS_OWN_PROCESS =
  /openEmbedded|startEmbedded|child_process|defineJob|(server-process|kill-during-uploads|first-start|store-trouble|stall-watch)\.ts/

const bin = (name: string): string => join('node_modules', '.bin', name)

function runCommand(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit' })
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)))
}

async function check(title: string, command: string, args: string[]): Promise<void> {
  const startedAt = performance.now()
  const code = await runCommand(command, args)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${title} (${seconds} s)`)
  if (code !== 0) process.exit(code)
}

/** Runs each of the files in a process, and prints results and totals. Tells which suites of files ended. */
async function runProcesses(files: string[], timeout: number) {
  const ended = new Set<string>()
  let isGreen = true
  const events = run({ files, concurrency: CONCURRENCY, timeout })
  for (const outcome of ['test:pass', 'test:fail'] as const) {
    events.on(outcome, ({ name, nesting }: { name: string; nesting: number }) => {
      if (nesting === 0) ended.add(name)
      if (outcome === 'test:fail') isGreen = false
    })
  }
  const report = events.compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  return { ended, isGreen }
}

/** Writes a test file into the folder that runs others, one after the other. */
function writeBatch(directory: string, index: number, files: string[]): string {
  const path = join(directory, `batch-${index}.mjs`)
  const runner = JSON.stringify(resolve('scripts/test-batch.ts'))
  const paths = JSON.stringify(files)
  writeFileSync(path, `import { runTogether } from ${runner}\nrunTogether(${paths})\n`)
  return path
}

/** Runs the files in few processes. Those that a crash kept from running run by themselves. */
async function runFiles(files: string[], directory: string): Promise<boolean> {
  const alone = files.filter((file) => isLong || NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')))
  const together = files.filter((file) => !alone.includes(file))
  const count = Math.max(CONCURRENCY, Math.ceil(together.length / FILES_A_PROCESS))
  // Neighbours cost alike, so each process takes from everywhere.
  const batches = Object.values(Object.groupBy(together, (_, index) => index % count)) as string[][]
  const written = batches.map((batch, index) => writeBatch(directory, index, batch))
  // Those that wait for servers beside those that compute.
  const order = alone.flatMap((file, index) => [file, ...written.slice(2 * index, 2 * index + 2)])
  order.push(...written.slice(2 * alone.length))
  const { ended, isGreen } = await runProcesses(order, isLong ? 1_200_000 : 600_000)
  const missing = together.filter((file) => !ended.has(file))
  if (missing.length === 0) return isGreen
  console.log(`${missing.length} files run again by themselves, because their process ended early.`)
  await runProcesses(missing, 600_000)
  return false
}

const isLong = process.argv.includes('--long')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--long')
const isCampaign = (file: string): boolean =>
  file.endsWith('.long.test.ts') || readFileSync(file, 'utf8').includes('campaignRuns(')
const files = globSync('packages/*/{src,test}/**/*.test.ts')
  .filter((file) => (isLong ? isCampaign(file) : !file.endsWith('.long.test.ts')))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`No test file is named like ${wanted.join(' or ') || 'a campaign'}.`)
  process.exit(1)
}

if (wanted.length === 0 && !isLong) {
  await check('format and lint', bin('biome'), ['check', '--error-on-warnings'])
  await check('types', bin('tsc'), ['-p', '.'])
  await check('nothing unused', bin('knip'), ['--no-progress'])
  await check('generated files are up to date', process.execPath, [
    'scripts/generate.ts',
    '--check',
  ])
}

const directory = mkdtempSync(join(tmpdir(), 'salus-test-'))
const postgres = await startEmbeddedPostgres({ directory, log: () => {}, isDurable: false })
process.env.SALUS_TEST_POSTGRES_URL = postgres.url
// Nearly every process loads the whole server; compiled once, that takes a third less.
process.env.NODE_COMPILE_CACHE = join(directory, 'compiled')
if (isLong) process.env.SALUS_TEST_LONG = 'yes'
const isGreen = await runFiles(files, directory)
await postgres.stop()
rmSync(directory, { recursive: true, force: true })
process.exit(isGreen ? 0 : 1)
