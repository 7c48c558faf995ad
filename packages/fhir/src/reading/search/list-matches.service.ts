import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import { type Served, SOURCES, type Source } from '../served/sources.ts'
import type { Search } from './search-types.ts'

/** Rows that are read at once. */
const BATCH = 200

/** A position between two resources of a search. */
export interface Position {
  /** Number of the source. */
  source: number
  /** The row, in milliseconds of the epoch and by its id. */
  at: number
  id: string
  /** Number of matching resources of the row that earlier pages had; 0 for all of them. */
  taken: number
}

export const START: Position = { source: 0, at: 0, id: '', taken: 0 }

/** A matching resource with the position after it, or rows that were read. */
export type Found =
  | { resource: FhirResource; position: Position }
  | { resource?: undefined; position: Position; rows: number }

/** Yields the matching resources after a position, in the order of their rows. */
export async function* listMatches(
  scope: Scope,
  search: Search,
  from: Position,
): AsyncGenerator<Found> {
  const { type, rows } = search
  for (const [number, source] of SOURCES[type].entries()) {
    if (number < from.source) continue
    // Without the person a source of samples has only those that are named by their ids.
    const { needsPatient }: Source = source
    if (needsPatient && rows.userId === undefined && rows.ids === undefined) continue
    yield* listOfSource(scope, search, number, number === from.source ? from : START)
  }
}

async function* listOfSource(
  scope: Scope,
  search: Search,
  number: number,
  from: Position,
): AsyncGenerator<Found> {
  const { type, rows, order } = search
  const source = SOURCES[type][number] as Source
  let after = from.id === '' ? null : { at: from.at, id: from.id }
  let isIncluded = from.taken > 0
  for (;;) {
    const batch = await source.list(scope, rows, { order, after, isIncluded, limit: BATCH })
    for (const row of batch) {
      const skipped = isIncluded && row.id === from.id ? from.taken : 0
      yield* matchesOf(search, number, row, skipped)
    }
    isIncluded = false
    const last = batch.at(-1)
    if (last === undefined) return
    after = { at: last.at, id: last.id }
    yield { position: { source: number, ...after, taken: 0 }, rows: batch.length }
    if (batch.length < BATCH) return
  }
}

function* matchesOf(
  { rows, filters }: Search,
  source: number,
  { at, id, resources }: Served,
  skipped: number,
): Generator<Found> {
  const matching = resources.filter(
    (one) =>
      (rows.ids === undefined || rows.ids.includes(one.id)) && filters.every((fits) => fits(one)),
  )
  for (const [index, resource] of matching.entries()) {
    if (index < skipped) continue
    const taken = index === matching.length - 1 ? 0 : index + 1
    yield { resource, position: { source, at, id, taken } }
  }
}
