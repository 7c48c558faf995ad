/**
 * Receives the errors that are logged in tests: those that a test causes are expected, and others
 * are printed.
 */
export class ExpectedErrors {
  readonly #awaited = new Set<string>()
  readonly #allowed = new Set<string>()

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
    if (texts.length === 0) process.stdout.write(line)
  }

  /** @throws Error that names the errors which were expected and did not come */
  check(): void {
    if (this.#awaited.size === 0) return
    throw new Error(`Expected errors were not logged: ${[...this.#awaited].join(', ')}`)
  }
}
