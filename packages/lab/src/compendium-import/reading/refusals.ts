/** Something in the files because of which a test is refused. */
export interface Refusal {
  /** Code of the test; null where the row names none. */
  code: string | null
  /** File, row and column, such as `tests.csv, line 12, PRICE`. */
  path: string
  message: string
}

/** Further refusals are only counted, to keep the response readable. */
const MOST_LISTED = 500

/** Collects what is refused. A refused test stays as the catalog has it. */
export class Refusals {
  readonly list: Refusal[] = []
  /** Codes of the refused tests. */
  readonly codes = new Set<string>()
  count = 0

  add(code: string | null, path: string, message: string): void {
    this.count++
    if (code !== null) this.codes.add(code)
    if (this.list.length < MOST_LISTED) this.list.push({ code, path, message })
  }
}
