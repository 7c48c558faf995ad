import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../packages/server/src/platform/postgres/embedded-postgres.ts'

/**
 * All checks, in the order of their price: formatting and lint, types, unused code, generated files, then the
 * tests on one shared PostgreSQL cluster, where every test file gets a database of its own.
 * File names or parts of them as arguments run only those test files. With `--long` it runs the campaigns
 * instead, `*.long.test.ts`: thousands of cases, many kills; each has a short form among the tests.
 */

const bin = (name: string): string => join('node_modules', '.bin', name)

function run(command: string, args: string[], environment = process.env): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: environment })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function check(title: string, command: string, args: string[]): Promise<void> {
  const startedAt = performance.now()
  const code = await run(command, args)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${title} (${seconds} s)`)
  if (code !== 0) process.exit(code)
}

const isLong = process.argv.includes('--long')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--long')
const files = globSync('packages/*/{src,test}/**/*.test.ts')
  .filter((file) => file.endsWith('.long.test.ts') === isLong)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`No test file is named like ${wanted.join(' or ') || '*.long.test.ts'}.`)
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

const directory = mkdtempSync(join(tmpdir(), 'salus-test-postgres-'))
const postgres = await startEmbeddedPostgres({ directory, log: () => {}, isDurable: false })
const code = await run(
  process.execPath,
  ['--test', '--test-concurrency=2', `--test-timeout=${isLong ? 1_200_000 : 300_000}`, ...files],
  {
    ...process.env,
    SALUS_TEST_POSTGRES_URL: postgres.url,
    // Nearly every test file loads the whole server; compiled once, that takes a third less.
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
  },
)
await postgres.stop()
rmSync(directory, { recursive: true, force: true })
process.exit(code)
