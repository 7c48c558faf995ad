import { readFileSync } from 'node:fs'
import { COLLECTION_METHODS, type CollectionMethod } from '@salus/contracts/order-lifecycle'

/**
 * What the contract lists for a method: its dotted statuses, and each transition as `from to`; one
 * a line.
 */
export interface ContractLifecycle {
  statuses: string
  transitions: string
}

const PAGE = new URL('../../../../docs/contract/12-order-lifecycle.md', import.meta.url)
const sections = new Map(
  readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
)

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)

/** Reads the line of statuses and the table of transitions of a method's section. */
function readLifecycle(method: CollectionMethod): ContractLifecycle {
  const lines = sections.get(method)?.split('\n') ?? []
  const statuses = lines.filter((line) => line.startsWith('Statuses: ')).flatMap(namesIn)
  const transitions = lines
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, from = '', , to = ''] = line.split('|')
      return namesIn(from).flatMap((status) => namesIn(to).map((next) => `${status} ${next}`))
    })
  return { statuses: statuses.join('\n'), transitions: transitions.join('\n') }
}

/**
 * The order life cycles as docs/contract/12-order-lifecycle.md has them, to hold the tables of the
 * code against.
 */
export const CONTRACT_LIFECYCLES = Object.fromEntries(
  COLLECTION_METHODS.map((method) => [method, readLifecycle(method)]),
) as Record<CollectionMethod, ContractLifecycle>
