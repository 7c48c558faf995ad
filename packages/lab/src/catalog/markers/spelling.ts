/** Shorter words must be spelled right, because they are similar to too many words. */
export const SHORTEST_CORRECTED = 4
const SHORTEST_WITH_TWO_ERRORS = 7
const MOST_SPELLINGS = 5

/**
 * Returns the number of added, omitted, changed or swapped letters (Damerau's distance, without
 * changes inside a swapped pair).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

/**
 * Returns the distance to the word, or to a beginning of it of the same length when typing is
 * unfinished.
 */
function distanceTo(typed: string, word: string): number {
  const whole = editDistance(typed, word)
  const begun = word.length > typed.length ? editDistance(typed, word.slice(0, typed.length)) : 9
  return Math.min(whole, begun + 0.5)
}

/**
 * Returns the words that were probably meant, nearest first: those with the fewest errors, up to
 * the number that is likely for the length. A correctly spelled word is returned alone.
 */
export function correctSpelling(typed: string, known: readonly string[]): string[] {
  const most = typed.length < SHORTEST_WITH_TWO_ERRORS ? 1.5 : 2.5
  const near = known
    .map((word) => ({ word, distance: distanceTo(typed, word) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
  const least = near[0]?.distance
  const nearest = near.filter(({ distance }) => distance === least)
  return nearest.slice(0, MOST_SPELLINGS).map(({ word }) => word)
}
