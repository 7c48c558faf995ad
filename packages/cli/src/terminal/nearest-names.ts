const MOST_NAMES = 3

/**
 * Returns the most similar names: those with the fewest letters added, left out, changed or swapped
 * with their neighbor, and at most one such error in three letters.
 * @returns At most three, all equally similar; empty when none is similar.
 */
export function nearestNames(typed: string, names: Iterable<string>): string[] {
  const most = Math.max(1, Math.floor(typed.length / 3))
  let least = most
  let nearest: string[] = []
  for (const name of new Set(names)) {
    const distance = distanceBetween(typed.toLowerCase(), name.toLowerCase())
    if (distance > least) continue
    if (distance < least) nearest = []
    least = distance
    nearest.push(name)
  }
  return nearest.sort().slice(0, MOST_NAMES)
}

/**
 * Returns a sentence that suggests the most similar names, with a space before it; empty when none
 * is similar.
 */
export function suggestNames(typed: string, names: Iterable<string>): string {
  const nearest = nearestNames(typed, names)
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`
}

/** Damerau's distance, without changes inside a swapped pair. */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : changed
      row.push(Math.min(changed, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
