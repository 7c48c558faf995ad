/** Results of the tests of one file. */
interface FileResult {
  passed: number
  /** The reason of each test that was left out; empty where it gives none. */
  skipped: string[]
  /** Of its process and of all that it started; PostgreSQL serves all files, and is not in it. */
  cpuMs: number
  wallMs: number
}

/** One failed test, or a process that ended too early. */
interface Failure {
  /** Several files where the cause is unknown, none where it was not a test. */
  files: string[]
  text: string
}

/** A shared process that ended while none of its tests ran. */
export interface EarlyEnd {
  /** The files that had yet to run in it; each runs alone then. */
  files: string[]
  reason: string
}

/** Counts the tests of a run by file. */
export class Totals {
  readonly results = new Map<string, FileResult>()
  failures: Failure[] = []
  /** Files that failed and then passed alone. */
  readonly flaky = new Set<string>()
  readonly earlyEnds: EarlyEnd[] = []

  resultOf(file: string): FileResult {
    const known = this.results.get(file) ?? { passed: 0, skipped: [], cpuMs: 0, wallMs: 0 }
    this.results.set(file, known)
    return known
  }

  fail(files: string[], name: string, failure: string): void {
    const text = `✖ ${name}\n${failure.replaceAll(/^/gm, '    ')}`
    this.failures.push({ files, text })
    console.log(text)
  }

  get passed(): number {
    return this.results.values().reduce((sum, { passed }) => sum + passed, 0)
  }

  get failed(): number {
    return this.failures.length
  }

  /** Returns every file that a failure may come from, once. */
  get failedFiles(): string[] {
    return [...new Set(this.failures.flatMap(({ files }) => files))]
  }

  /** Early ends that no failure explains: all files passed when they ran alone. */
  get unexplainedEnds(): EarlyEnd[] {
    const failed = new Set([...this.failedFiles, ...this.flaky])
    return this.earlyEnds.filter(({ files }) => !files.some((file) => failed.has(file)))
  }

  /** Replaces the result of a file by that of its second run, which passed. */
  replaceResult(file: string, again: Totals): void {
    this.flaky.add(file)
    this.results.set(file, again.resultOf(file))
    const isForgiven = ({ files }: Failure) =>
      files.length > 0 && files.every((one) => this.flaky.has(one))
    this.failures = this.failures.filter((failure) => !isForgiven(failure))
  }
}

/** Number of files that the end of a run lists. */
const LISTED = 40

/**
 * Prints the costliest files, the failures, the flaky files, and as the last line the counts.
 * @param runMs Processor time of the whole run with its stores, in milliseconds, if that is known
 */
export function printTotals(totals: Totals, runMs?: number): void {
  printCostlyFiles(totals, runMs)
  const texts = totals.failures.map(({ text }) => text)
  if (texts.length > 0) console.log(`\nFailures:\n${texts.join('\n')}`)
  for (const file of totals.flaky) console.log(`\nFLAKY ${file}: it failed, and passed alone.`)
  for (const { files, reason } of totals.unexplainedEnds) {
    console.log(
      `\nFLAKY one of ${files.join(' ')}: their process ${reason}, and each passed alone.`,
    )
  }
  const flaky = totals.flaky.size + totals.unexplainedEnds.length
  if (flaky > 0) console.log(`\n${flaky} flaky`)
  const skipped = [...totals.results.values()].flatMap((result) => result.skipped)
  for (const [reason, { length }] of Map.groupBy(skipped, (one) => one)) {
    console.log(`\n${length} skipped${reason === '' ? '' : `: ${reason}`}`)
  }
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
}

function printCostlyFiles({ results }: Totals, runMs: number | undefined): void {
  const costly = [...results].toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs).slice(0, LISTED)
  if (results.size > 1) {
    console.log('\nCostliest files, in seconds of the processor and of the clock:')
    for (const [file, spent] of costly) {
      const [cpu, wall] = [spent.cpuMs, spent.wallMs].map((ms) => seconds(ms).padStart(6))
      console.log(`${cpu} ${wall}  ${file}`)
    }
  }
  const filesMs = results.values().reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const ofRun = runMs === undefined ? '' : `, with all that the run started ${seconds(runMs)}`
  console.log(`\nSeconds of the processor: files ${seconds(filesMs)}${ofRun}`)
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
