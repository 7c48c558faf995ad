/** Results of the tests of one file. */
interface FileResult {
  passed: number
  skipped: number
  cpuMs: number
  wallMs: number
}

/** One failed test, or a process that ended too early. */
interface Failure {
  /** Several files where the cause is unknown, none where it was not a test. */
  files: string[]
  text: string
}

/** Counts the tests of a run by file. */
export class Totals {
  readonly results = new Map<string, FileResult>()
  failures: Failure[] = []
  /** Files that failed and then passed alone. */
  readonly flaky = new Set<string>()

  resultOf(file: string): FileResult {
    const known = this.results.get(file) ?? { passed: 0, skipped: 0, cpuMs: 0, wallMs: 0 }
    this.results.set(file, known)
    return known
  }

  fail(files: string[], name: string, failure: string): void {
    const text = `✖ ${name}\n${failure.replaceAll(/^/gm, '    ')}`
    this.failures.push({ files, text })
    console.log(text)
  }

  get passed(): number {
    return this.#sum('passed')
  }

  get skipped(): number {
    return this.#sum('skipped')
  }

  get failed(): number {
    return this.failures.length
  }

  /** Returns every file that a failure may come from, once. */
  get failedFiles(): string[] {
    return [...new Set(this.failures.flatMap(({ files }) => files))]
  }

  /** Replaces the result of a file by that of its second run, which passed. */
  replaceResult(file: string, again: Totals): void {
    this.flaky.add(file)
    this.results.set(file, again.resultOf(file))
    const isForgiven = ({ files }: Failure) =>
      files.length > 0 && files.every((one) => this.flaky.has(one))
    this.failures = this.failures.filter((failure) => !isForgiven(failure))
  }

  #sum(field: 'passed' | 'skipped'): number {
    return this.results.values().reduce((sum, result) => sum + result[field], 0)
  }
}

/** Prints the slowest files, the failures, the flaky files, and as the last line the counts. */
export function printTotals(totals: Totals): void {
  const costly = [...totals.results].toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs).slice(0, 10)
  if (totals.results.size > costly.length) {
    console.log('\nSlowest files, in seconds of the processor and of the clock:')
    for (const [file, spent] of costly) {
      const [cpu, wall] = [spent.cpuMs, spent.wallMs].map((ms) =>
        (ms / 1000).toFixed(1).padStart(6),
      )
      console.log(`${cpu} ${wall}  ${file}`)
    }
  }
  const texts = totals.failures.map(({ text }) => text)
  if (texts.length > 0) console.log(`\nFailures:\n${texts.join('\n')}`)
  for (const file of totals.flaky) console.log(`\nFLAKY ${file}: it failed, and passed alone.`)
  if (totals.skipped > 0) console.log(`\n${totals.skipped} skipped`)
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
}
