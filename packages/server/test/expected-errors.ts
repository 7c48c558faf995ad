/**
 * Receives the errors that are logged in tests. A test expects those that it causes. Any other is
 * printed, and fails the test file.
 */
export class ExpectedErrors {
  readonly #awaited = new Set<string>()
  readonly #allowed = new Set<string>()
  #unexpected: string[] = []
  #isChecked = false

  /** Errors whose line in the log contains one of the texts come, and are not printed. */
  expect(...texts: string[]): void {
    for (const text of texts) this.#awaited.add(text)
    this.allow(...texts)
  }

  /** The same of errors that come or do not, as when a connection is cut. */
  allow(...texts: string[]): void {
    for (const text of texts) this.#allowed.add(text)
  }

  /** Takes a line of the log. */
  write(line: string): void {
    const texts = [...this.#allowed].filter((text) => line.includes(text))
    for (const text of texts) this.#awaited.delete(text)
    if (texts.length > 0) return
    process.stdout.write(line)
    this.#unexpected.push(line.trimEnd())
    // No check follows: the process fails.
    if (this.#isChecked) process.exitCode = 1
  }

  /** @throws Error that quotes errors that no test expected, and names those that did not come */
  check(): void {
    const missing = [...this.#awaited]
    const unexpected = this.#unexpected
    this.#unexpected = []
    this.#isChecked = true
    if (unexpected.length > 0) {
      throw new Error(`Errors were logged that no test expected:\n${unexpected.join('\n')}`)
    }
    if (missing.length > 0) {
      throw new Error(`Expected errors were not logged: ${missing.join(', ')}`)
    }
  }
}
