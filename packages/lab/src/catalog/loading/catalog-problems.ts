/** One thing that is wrong with a catalog, and where: `orderables.quest.tests[3].concept`. */
export interface CatalogProblem {
  path: string
  message: string
}

/** More are counted and not listed: an answer should stay readable. */
const MOST_LISTED = 500

/** Collects what is wrong, so that all of it can be told at once. */
export class CatalogProblems {
  readonly list: CatalogProblem[] = []
  count = 0

  add(path: string, message: string): void {
    this.count++
    if (this.list.length < MOST_LISTED) this.list.push({ path, message })
  }
}

/** The second and later of entries with one key. */
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
