import type { ResultType } from '@salus/contracts/lab-gateway'
import { createRandom } from '../seeded-random.ts'

/** A result whose type has to be chosen. */
export interface TypeCandidate {
  /** Type that a laboratory would use. */
  natural: ResultType
  /** How well it can be printed in each type; more is better. */
  suits: Record<ResultType, number>
  /** Whether it determines the interpretation of the report; it is changed last. */
  isTarget: boolean
}

/** Types that occur in a report by default (docs/contract/13-results.md#sandbox-results). */
const USUAL_TYPES: readonly ResultType[] = ['numeric', 'comment', 'range']

/**
 * Chooses the types of results: the natural one where it is allowed, and then each allowed type at
 * least once, where the report has enough results. `present` are types of results that keep theirs.
 */
export function chooseTypes(
  candidates: readonly TypeCandidate[],
  present: readonly ResultType[],
  asked: readonly ResultType[] | null,
  seed: string,
): ResultType[] {
  const allowed = asked === null || asked.length === 0 ? USUAL_TYPES : [...new Set(asked)]
  const random = createRandom(`${seed}|types`)
  const types = candidates.map(({ natural, suits }) => {
    if (allowed.includes(natural)) return natural
    return allowed.toSorted((a, b) => suits[b] - suits[a])[0] ?? natural
  })
  if (candidates.length + present.length < allowed.length) return types
  for (const type of allowed) {
    const counts = new Map<ResultType, number>()
    for (const other of [...types, ...present]) counts.set(other, (counts.get(other) ?? 0) + 1)
    if (counts.has(type)) continue
    const [best] = candidates
      .map(({ suits, isTarget }, index) => ({
        index,
        score: suits[type] + random.next() - (isTarget ? 50 : 0),
        isLast: counts.get(types[index] ?? type) === 1,
      }))
      .filter(({ isLast }) => !isLast)
      .sort((a, b) => b.score - a.score)
    if (best !== undefined) types[best.index] = type
  }
  return types
}
