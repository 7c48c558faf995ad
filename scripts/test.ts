import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { makeIgnoredFiles } from './generate/freshness.ts'
import { findTestFiles, RINGS, type Ring } from './tests/files.ts'
import { chooseShard, planBatches } from './tests/plan.ts'
import { killRunning, retryFailed, runBatches } from './tests/processes.ts'
import { readProcessorMs } from './tests/reporter.ts'
import { openTestStores, type TestStores } from './tests/stores.ts'
import { readTimes, timesOf, updateTimes } from './tests/times.ts'
import { printTotals, Totals } from './tests/totals.ts'
import { watchTests } from './tests/watch.ts'

/**
 * Runs test files on one shared PostgreSQL cluster, where each has a database of its own. The last
 * line has the counts.
 *
 *   node scripts/test.ts [options] [words]
 *
 * Words are parts of paths: only files that contain one of them run. Their stores stay for the next
 * such run, under node_modules/.cache.
 *
 *   --ring=NAME      `quick` (the default), `system` or `long`, see tests/files.ts; repeatable
 *   --shard=2/3      the second of three parts that take about the same time
 *   --retry          runs a failed file once more, alone; one that passes then is named FLAKY, and
 *                    does not count as failed
 *   --list           prints the processes with their files and expected seconds, and runs nothing
 *   --times-from=LOG stores the times of files in the output of a run in tests/times.json, by which
 *                    the longest start first, and runs nothing
 *   --concurrency=N  processes at a time
 *   --watch          runs again when a file changes; without words, the tests beside the file
 *
 * With SALUS_TEST_CLICKHOUSE=cluster the tests use a ClickHouse of two shards.
 */
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    ring: { type: 'string', multiple: true, default: ['quick'] },
    shard: { type: 'string' },
    retry: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    'times-from': { type: 'string' },
    concurrency: { type: 'string' },
    watch: { type: 'boolean', default: false },
  },
})
const unknown = options.ring.find((ring) => !RINGS.includes(ring as Ring))
if (unknown !== undefined) stop(`There is no ring ${unknown}: ${RINGS.join(', ')}.`)
const rings = options.ring as Ring[]
const isCampaign = rings.includes('long')

/**
 * One more than there are processors, because tests wait for servers; campaigns rarely wait, so
 * they have no more than there are.
 */
const concurrency = Number(
  options.concurrency ?? Math.min(4, availableParallelism() + (isCampaign ? 0 : 1)),
)

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

/** Returns the files of the rings; if no quick one has such a name, the matching system tests. */
function chooseFiles(): string[] {
  const found = findTestFiles(rings, words)
  if (found.length > 0) return found
  const others = rings.includes('system') ? [] : findTestFiles(['system'], words)
  if (others.length === 0) stop(`No test file is named like ${words.join(' or ')}.`)
  return others
}

async function runFiles(files: string[], stores: TestStores): Promise<Totals> {
  const totals = new Totals()
  const patienceMs = (isCampaign ? 1200 : 300) * 1000
  const processes = { ...stores, concurrency, patienceMs }
  const batches = planBatches(files, readTimes(), { concurrency, isCampaign })
  await runBatches(
    batches.map((batch) => batch.files),
    totals,
    processes,
  )
  if (options.retry) await retryFailed(totals, processes)
  return totals
}

function printPlan(files: string[]): void {
  const batches = planBatches(files, readTimes(), { concurrency, isCampaign })
  for (const batch of batches) {
    console.log(`${batch.seconds.toFixed(1).padStart(6)} s  ${batch.files.join(' ')}`)
  }
  const seconds = batches.reduce((sum, batch) => sum + batch.seconds, 0)
  console.log(
    `\n${files.length} files in ${batches.length} processes, ${concurrency} at a time: ${(seconds / 60).toFixed(1)} minutes, one after the other`,
  )
}

/** Resolves with the exit code: 1 when a test failed. */
async function runOnce(files: string[]): Promise<number> {
  const stores = await openStores()
  const totals = await runFiles(files, stores)
  await stores.close()
  // All that the run started has ended, so its processor time is known.
  printTotals(totals, readProcessorMs())
  return totals.failed === 0 ? 0 : 1
}

/** Ending the run also ends its stores: stores that were not closed are recreated. */
async function openStores(): Promise<TestStores> {
  if (isCampaign) process.env.SALUS_TEST_LONG = 'yes'
  const isSharded = process.env.SALUS_TEST_CLICKHOUSE === 'cluster'
  const stores = await openTestStores({ isKept: words.length > 0 || options.watch, isSharded })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killRunning()
      void stores.close().finally(() => process.exit(1))
    })
  }
  return stores
}

if (options['times-from'] !== undefined) {
  updateTimes(timesOf(readFileSync(options['times-from'], 'utf8')))
  process.exit(0)
}
// Runs of single files do not wait for generated files: npm run generate creates them when they are
// needed.
makeIgnoredFiles(words.length === 0 && !options.watch ? 'changed' : 'missing')
if (options.watch) {
  const stores = await openStores()
  await watchTests(rings, words, async (files) => {
    printTotals(await runFiles(files, stores))
  })
}
const chosen = chooseFiles()
const files = options.shard === undefined ? chosen : chooseShard(chosen, readTimes(), options.shard)
if (options.list) printPlan(files)
else process.exit(await runOnce(files))
