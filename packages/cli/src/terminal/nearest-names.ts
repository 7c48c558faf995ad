import { distance } from 'fastest-levenshtein'

const MOST_NAMES = 3

/**
 * Returns the names that were probably meant: those with the fewest letters added, left out,
 * changed or swapped, and at most one such error in three letters.
 * @returns At most three, all equally near; empty when none is near.
 */
export function nearestNames(typed: string, names: Iterable<string>): string[] {
  const most = Math.max(1, Math.floor(typed.length / 3))
  let least = most
  let nearest: string[] = []
  for (const name of new Set(names)) {
    const errors = countErrors(typed.toLowerCase(), name.toLowerCase())
    if (errors > least) continue
    if (errors < least) nearest = []
    least = errors
    nearest.push(name)
  }
  return nearest.sort().slice(0, MOST_NAMES)
}

/** Returns a sentence with the nearest names, after a space; empty when none is near. */
export function suggestNames(typed: string, names: Iterable<string>): string {
  const nearest = nearestNames(typed, names)
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`
}

/** The number of errors between two names; two letters that changed places are one. */
function countErrors(typed: string, name: string): number {
  const errors = distance(typed, name)
  return errors === 2 && sortLetters(typed) === sortLetters(name) ? 1 : errors
}

const sortLetters = (name: string): string => [...name].sort().join('')
