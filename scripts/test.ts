import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { startEmbeddedPostgres } from '../packages/server/src/platform/postgres/embedded-postgres.ts'
import { startTestCluster } from '../packages/server/test/clickhouse-cluster.ts'
import { retryFailed, runBatches } from './tests/processes.ts'
import { findScratchFolder } from './tests/scratch-folder.ts'
import { printTotals, Totals } from './tests/totals.ts'

/**
 * The tests, on one shared PostgreSQL cluster where every test file gets a database of its own. The last line counts.
 * File names or parts of them as arguments run only those test files. With `--long` it runs the campaigns
 * instead: `*.long.test.ts`, many kills and whatever takes long, and tests with more cases than else.
 * With `--retry` a file that failed runs once more, alone: passing then, it is named FLAKY and does not fail the run.
 * With SALUS_TEST_CLICKHOUSE=cluster the tests store in a ClickHouse of two shards.
 */

/** Loading the server and opening the engine takes longer than most test files, so so many share a process. */
const FILES_A_PROCESS = 36
/**
 * One more than there are processors, because servers that are killed and started are waited for; of
 * campaigns, which do little else, no more than there are.
 */
const CONCURRENCY = Math.min(4, availableParallelism() + (process.argv.includes('--long') ? 0 : 1))

/** Test files that open engines, start servers, end processes, measure their own or define jobs have one to themselves. */
const NEEDS_OWN_PROCESS =
  /openEmbedded|startEmbedded|child_process|defineJob|(server-process|salus-process|kill-during-uploads|first-start|store-trouble|stall-watch|clickhouse-cluster)\.ts/

/** Also those of pages, which open a real browser. */
function needsOwnProcess(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  return NEEDS_OWN_PROCESS.test(text) || (isOfPages(file) && text.includes('/browser.ts'))
}

const isOfPages = (file: string): boolean => file.startsWith('packages/web/')

/** What takes minutes would be the last to end if it did not start first: pages, and files that are campaigns as a whole. */
const takesMinutes = (file: string): boolean => isOfPages(file) || file.endsWith('.long.test.ts')

/** Those with a process to themselves, which wait for servers, among those that share one and compute. */
function makeBatches(files: string[]): string[][] {
  const alone = files
    .filter((file) => isLong || needsOwnProcess(file))
    .toSorted((a, b) => Number(takesMinutes(b)) - Number(takesMinutes(a)))
  const together = files.filter((file) => !alone.includes(file))
  const count = Math.max(CONCURRENCY, Math.ceil(together.length / FILES_A_PROCESS))
  // Neighbours cost alike, so each process takes from everywhere.
  const shared = Object.values(Object.groupBy(together, (_, index) => index % count)) as string[][]
  const mixed = alone.flatMap((file, index) => [[file], ...shared.slice(2 * index, 2 * index + 2)])
  return [...mixed, ...shared.slice(2 * alone.length)]
}

async function runFiles(files: string[], totals: Totals): Promise<void> {
  const directory = mkdtempSync(join(findScratchFolder(), 'salus-test-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  // What tests make is in it, and goes with it. Databases run as another user, who passes through.
  chmodSync(directory, 0o711)
  process.env.TMPDIR = directory
  const cluster = { directory: join(directory, 'postgres'), log: () => {}, isDurable: false }
  const postgres = await startEmbeddedPostgres(cluster)
  process.env.SALUS_TEST_POSTGRES_URL = postgres.url
  // Nearly every process loads the whole server; compiled once, that takes a third less.
  process.env.NODE_COMPILE_CACHE ??= join(directory, 'compiled')
  process.env.SALUS_TEST_PAGES = join(directory, 'pages')
  if (isLong) process.env.SALUS_TEST_LONG = 'yes'
  const isSharded = process.env.SALUS_TEST_CLICKHOUSE === 'cluster'
  const clickhouse = isSharded ? await startTestCluster(2) : null
  if (clickhouse) process.env.SALUS_TEST_CLICKHOUSE_URLS = clickhouse.urls.join(',')
  const patienceMs = (isLong ? 1200 : 300) * 1000
  const options = { directory, concurrency: CONCURRENCY, patienceMs }
  await runBatches(makeBatches(files), totals, options)
  if (isRetried) await retryFailed(totals, options)
  await clickhouse?.stop()
  await postgres.stop()
}

const isLong = process.argv.includes('--long')
const isRetried = process.argv.includes('--retry')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isCampaign = (file: string): boolean =>
  file.endsWith('.long.test.ts') || readFileSync(file, 'utf8').includes('campaignRuns(')
const FILES = ['packages/*/{src,test,eval,synthetic}/**/*.test.ts', 'scripts/*/*.test.ts']
// A file that is named by its whole path may be anywhere.
const named = wanted.filter((part) => isAbsolute(part) && existsSync(part))
const files = globSync(FILES)
  .filter((file) => (isLong ? isCampaign(file) : !file.endsWith('.long.test.ts')))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .concat(named)
  .sort()
if (files.length === 0) {
  console.error(`No test file is named like ${wanted.join(' or ') || 'a campaign'}.`)
  process.exit(1)
}

const totals = new Totals()
await runFiles(files, totals)
printTotals(totals)
process.exit(totals.failed === 0 ? 0 : 1)
