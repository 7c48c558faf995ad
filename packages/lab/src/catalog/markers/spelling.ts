/** Shorter words must be spelled right: nearly anything is near them. */
export const SHORTEST_CORRECTED = 4
const SHORTEST_WITH_TWO_ERRORS = 7
const MOST_SPELLINGS = 5

/**
 * How many letters were added, left out, changed or swapped with their neighbour (Damerau's
 * distance, without changes inside a swapped pair).
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

/** Distance to the word or, for who has not finished typing, to as much of its beginning. */
function distanceTo(typed: string, word: string): number {
  const whole = editDistance(typed, word)
  const begun = word.length > typed.length ? editDistance(typed, word.slice(0, typed.length)) : 9
  return Math.min(whole, begun + 0.5)
}

/**
 * The words that were probably meant, nearest first: those with the fewest errors, and no more than
 * a word of that length is likely to have. A word that is spelled right stays alone.
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
