import type { ResultKey } from '../evaluation/expected-results.ts'
import { worstOf } from '../evaluation/interpretation.ts'
import { isSameShown } from '../evaluation/ordered-tests.ts'
import type { BiomarkerResult } from '../results.schema.ts'
import type { OrderResults } from './lab-results.presenter.ts'

/**
 * Combines the results of several orders of a transaction
 * (docs/contract/13-results.md#combination-rule-for-transactions): the newest order provides each
 * result, and only results that no order delivered are missing.
 * @param orders results of the orders that have some, oldest order first; at least one
 */
export function combineResults(
  orders: readonly [OrderResults, ...OrderResults[]],
  isCompleted: boolean,
): OrderResults {
  const newest = orders.at(-1) ?? orders[0]
  const results = newestOf(orders.map((order) => order.results))
  const missing = newestOf(orders.map((order) => order.missing_results)).filter(
    (each) => !results.some((result) => isSameKey(result, each)),
  )
  return {
    metadata: {
      ...newest.metadata,
      status: isCompleted ? 'final' : 'partial',
      interpretation: worstOf(results.map(({ interpretation }) => interpretation)),
    },
    results,
    missing_results: missing,
    sample_information: Object.assign({}, ...orders.map((order) => order.sample_information)),
    documents: orders.flatMap((order) => order.documents),
  }
}

type Keyed = ResultKey & { slug: string } & Partial<Pick<BiomarkerResult, 'sub_id' | 'panel'>>

/** Compares by the laboratory's code, else by LOINC, else by slug; and by panel and sub-id. */
function isSameKey(one: Keyed, other: Keyed): boolean {
  return isSameShown({ ...one, name: one.slug }, { ...other, name: other.slug }, false)
}

/**
 * Returns all items in the position of the oldest and with the content of the newest item of the
 * same key.
 */
function newestOf<Item extends Keyed>(lists: readonly (readonly Item[])[]): Item[] {
  const combined: Item[] = []
  for (const list of lists) {
    const older = combined.length
    for (const item of list) {
      // One order may have the same result twice, as for two specimens.
      const index = combined.findIndex((known, at) => at < older && isSameKey(known, item))
      if (index === -1) combined.push(item)
      else combined[index] = item
    }
  }
  return combined
}
