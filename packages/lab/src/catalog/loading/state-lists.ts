import { ADDRESS_STATES } from '../lab-catalog.schema.ts'
import type { CatalogProblems } from './catalog-problems.ts'

/** Stands for the fifty states and DC in lists of states. */
const ALL_STATES = 'all'

/** Adds the problems of a list of states. */
export function checkStates(
  states: readonly string[],
  path: string,
  problems: CatalogProblems,
): void {
  for (const [index, state] of states.entries()) {
    if (state === ALL_STATES ? states.length === 1 : ADDRESS_STATES.includes(state)) continue
    const message = state === ALL_STATES ? 'Must be the only entry.' : `${state} is no state.`
    problems.add(`${path}[${index}]`, message)
  }
}

/** Returns the states that a list of a catalog means. */
export function listStates(states: readonly string[]): string[] {
  return states[0] === ALL_STATES ? [...ADDRESS_STATES] : [...states]
}
