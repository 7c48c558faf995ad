/** A problem of a catalog with its path, such as `orderables.quest.tests[3].concept`. */
export interface CatalogProblem {
  path: string
  message: string
}

/** Further problems are only counted, to keep the response readable. */
const MOST_LISTED = 500

/** Collects the problems of a catalog, so that all are reported at once. */
export class CatalogProblems {
  readonly list: CatalogProblem[] = []
  count = 0

  add(path: string, message: string): void {
    this.count++
    if (this.list.length < MOST_LISTED) this.list.push({ path, message })
  }
}

/** Returns all but the first of the entries with the same key. */
export function findRepeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null | undefined,
): { index: number; first: number }[] {
  const seen = new Map<string, number>()
  return items.flatMap((item, index) => {
    const key = keyOf(item)
    if (key === null || key === undefined) return []
    const first = seen.get(key)
    if (first !== undefined) return [{ index, first }]
    seen.set(key, index)
    return []
  })
}
