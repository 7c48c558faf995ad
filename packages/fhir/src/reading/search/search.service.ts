import type { Bundle, BundleEntry } from '@medplum/fhirtypes'
import { badRequest } from '@salus/kernel/errors'
import { decodeCursor, encodeCursor } from '@salus/kernel/http/cursor'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import { toIgnoredOutcome } from '../operation-outcome.ts'
import { RESOURCE_TYPES } from '../resource-types.registry.ts'
import { datesOf, valuesAt } from './element-values.ts'
import { readIncluded } from './included-resources.service.ts'
import { listMatches, type Position, START } from './list-matches.service.ts'
import { readReferring } from './referring-resources.service.ts'
import { cutResource } from './result-parts.ts'
import type { Search } from './search-types.ts'

/**
 * Rows that one page looks at. A page of a search that matches few of them may be short, or empty,
 * and still have a next one.
 */
const MOST_ROWS = 5_000

/** A page of matches, in their order. */
interface Page {
  found: FhirResource[]
  next: Position | undefined
  total: number | undefined
}

/**
 * Searches resources of the caller's environment, page by page.
 * @param base Address of the interface, for links.
 * @throws AppError 400 `invalid_cursor`, `search_too_large`
 */
export async function search(scope: Scope, base: string, asked: Search): Promise<Bundle> {
  const list = ['fhir', asked.type, asked.used]
  const from = asked.cursor === undefined ? START : decodeCursor(list, asked.cursor, toPosition)
  const readAny = asked.sort === undefined ? readPage : readSortedPage
  const { found, next, total } = await readAny(scope, asked, from)
  const included = await readAdded(scope, asked, found)
  const cursor = next && encodeCursor(list, [next.source, next.at, next.id, next.taken])
  const entry = [
    ...found.map((one) => toEntry(base, cutResource(one, asked.part), 'match')),
    ...included.map((one) => toEntry(base, one, 'include')),
    ...(asked.ignored.length > 0
      ? [{ resource: toIgnoredOutcome(asked.ignored), search: { mode: 'outcome' as const } }]
      : []),
  ]
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(total !== undefined && { total }),
    link: [
      { relation: 'self', url: addressOf(base, asked, asked.cursor) },
      ...(cursor ? [{ relation: 'next', url: addressOf(base, asked, cursor) }] : []),
    ],
    ...(entry.length > 0 && { entry }),
  }
}

/** Reads what `_include` and `_revinclude` add to a page, each once. */
async function readAdded(
  scope: Scope,
  asked: Search,
  found: readonly FhirResource[],
): Promise<FhirResource[]> {
  const shown = new Set(found.map(keyOf))
  const added = [
    ...(await readIncluded(scope, asked, found)),
    ...(await readReferring(scope, asked, found)),
  ]
  return added.filter((one) => {
    const isNew = !shown.has(keyOf(one))
    shown.add(keyOf(one))
    return isNew
  })
}

const keyOf = ({ resourceType, id }: FhirResource): string => `${resourceType}/${id}`

export const toEntry = (
  base: string,
  resource: FhirResource,
  mode: 'match' | 'include',
): BundleEntry => ({
  fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode },
})

function addressOf(base: string, { type, used }: Search, cursor: string | undefined): string {
  const all: [string, string][] = cursor === undefined ? used : [...used, ['_cursor', cursor]]
  const query = new URLSearchParams(all).toString()
  return query === '' ? `${base}/${type}` : `${base}/${type}?${query}`
}

export function toPosition(parts: readonly unknown[]): Position | undefined {
  const [source, at, id, taken] = parts
  const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)
  if (parts.length !== 4 || typeof id !== 'string' || !isNumber(source)) return undefined
  if (!isNumber(at) || !isNumber(taken) || Math.abs(at) > 8.64e15) return undefined
  return /^[\w.-]{0,64}$/.test(id) ? { source, at, id, taken } : undefined
}

/** Reads a page in the order of the rows. With `_total` it counts all matches of a patient. */
async function readPage(scope: Scope, asked: Search, from: Position): Promise<Page> {
  const found: FhirResource[] = []
  let next: Position | undefined
  let end = from
  let rows = 0
  for await (const match of listMatches(scope, asked, from)) {
    if (match.resource === undefined) {
      rows += match.rows
      end = match.position
      if (rows < MOST_ROWS) continue
      next = end
      break
    }
    if (found.length >= asked.count) {
      next = end
      break
    }
    found.push(match.resource)
    end = match.position
  }
  const isAlone = next === undefined && asked.cursor === undefined
  const total = isAlone ? found.length : await countMatches(scope, asked)
  return { found, next: asked.count === 0 ? undefined : next, total }
}

/** Counts all matches where the request wants it and a page may look at all rows. */
async function countMatches(scope: Scope, asked: Search): Promise<number | undefined> {
  if (!asked.countsAll && asked.count > 0) return undefined
  let [total, rows] = [0, 0]
  for await (const match of listMatches(scope, asked, START)) {
    if (match.resource === undefined) rows += match.rows
    else total += 1
    if (rows >= MOST_ROWS) return undefined
  }
  return total
}

/** Reads all matches, and returns a page of them by the date of the resources. */
async function readSortedPage(scope: Scope, asked: Search, from: Position): Promise<Page> {
  const { type, sort, count } = asked
  const path = RESOURCE_TYPES[type].sortsBy ?? ''
  const all: { resource: FhirResource; at: number }[] = []
  let rows = 0
  for await (const match of listMatches(scope, asked, START)) {
    if (match.resource === undefined) rows += match.rows
    else all.push({ resource: match.resource, at: dateOf(match.resource, path) })
    if (rows >= MOST_ROWS) {
      throw badRequest('search_too_large', 'Too many rows to sort. Search by patient and by date.')
    }
  }
  const direction = sort === 'date' ? 1 : -1
  const isAfter = (one: (typeof all)[number], other: { at: number; id: string }) =>
    one.at === other.at ? compare(one.resource.id, other.id) : direction * (one.at - other.at)
  all.sort((one, other) => isAfter(one, { at: other.at, id: other.resource.id }))
  const rest = from.id === '' ? all : all.filter((one) => isAfter(one, from) > 0)
  const page = rest.slice(0, count)
  const last = rest.length > count ? page.at(-1) : undefined
  const next = last && { source: 0, at: last.at, id: last.resource.id, taken: 0 }
  return { found: page.map(({ resource }) => resource), next, total: all.length }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Resources without a date count as the oldest. */
function dateOf(resource: FhirResource, path: string): number {
  const period = path.replace('DateTime', 'Period')
  const [range] = [...valuesAt(resource, path), ...valuesAt(resource, period)].flatMap(datesOf)
  return range === undefined || !Number.isFinite(range.from) ? OLDEST : range.from
}

const OLDEST = -8.64e15
