import { badRequest, invalidInput, notFound } from '@salus/kernel/errors'
import { RESOURCE_TYPES, reverseIncludesOf } from '../resource-types.registry.ts'
import type { ServedType } from '../served/sources.ts'
import { readFilterParameter } from './read-filters.ts'
import { readElements, readSummary } from './result-parts.ts'
import { invalidParameter } from './search-filter.ts'
import type { GivenParameters, Search } from './search-types.ts'

/** Limits of one search, whose values are compared with each resource. */
const MOST_PARAMETERS = 100
const MOST_VALUES = 1_000

export const DEFAULT_COUNT = 50
export const MOST_COUNT = 500

/** Parameters whose value changes the answer and not the matches. */
const OF_RESULT = [
  '_count',
  '_sort',
  '_total',
  '_include',
  '_revinclude',
  '_summary',
  '_elements',
  '_format',
  '_pretty',
  '_cursor',
] as const
type ResultParameter = (typeof OF_RESULT)[number]

/**
 * Checks the parameters of a search.
 * @param isStrict Whether unknown parameters are refused instead of ignored.
 * @throws AppError 400 `invalid_search_parameter`, `unknown_search_parameter`
 */
export function readSearch(type: ServedType, given: GivenParameters, isStrict: boolean): Search {
  const search: Search = {
    type,
    filters: [],
    rows: {},
    count: DEFAULT_COUNT,
    sort: undefined,
    order: 'newest',
    countsAll: false,
    includes: [],
    reverseIncludes: [],
    part: undefined,
    cursor: undefined,
    used: [],
    ignored: [],
  }
  requireFew(given)
  for (const [name, value] of given) {
    const isKnown = isOfResult(name)
      ? readResultParameter(search, name, value)
      : readFilterParameter(search, name, value)
    if (isKnown && name !== '_cursor') search.used.push([name, value])
    if (!isKnown) search.ignored.push(name)
  }
  const [unknown] = search.ignored
  if (isStrict && unknown !== undefined) {
    throw badRequest('unknown_search_parameter', 'The search parameter is not known.', {
      parameter: unknown,
    })
  }
  return search
}

/** @throws AppError 400 for a search that would compare too much */
function requireFew(given: GivenParameters): void {
  const values = given.reduce((sum, [, value]) => sum + value.split(',').length, 0)
  if (given.length <= MOST_PARAMETERS && values <= MOST_VALUES) return
  throw invalidParameter(
    given[0]?.[0] ?? '',
    `A search has at most ${MOST_PARAMETERS} parameters and ${MOST_VALUES} values.`,
  )
}

const isOfResult = (name: string): name is ResultParameter =>
  (OF_RESULT as readonly string[]).includes(name)

function readResultParameter(search: Search, name: ResultParameter, value: string): boolean {
  switch (name) {
    case '_count':
      search.count = readCount(value)
      return true
    case '_sort':
      return readSort(search, value)
    case '_total':
      if (!['none', 'estimate', 'accurate'].includes(value)) {
        throw invalidParameter(name, 'The value is none, estimate or accurate.')
      }
      search.countsAll = value !== 'none'
      return true
    case '_include':
      return readInclude(search, value)
    case '_revinclude':
      return readReverseInclude(search, value)
    case '_summary': {
      const part = readSummary(value)
      if (part === 'count') search.count = 0
      else search.part = part
      return true
    }
    case '_elements':
      search.part = readElements(value)
      return true
    case '_cursor':
      search.cursor = value
      return true
    case '_format':
      return true
    case '_pretty':
      return false
  }
}

function readCount(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw invalidParameter('_count', 'The value is a whole number.')
  return Math.min(Number(value), MOST_COUNT)
}

function readSort(search: Search, value: string): boolean {
  const { sortsBy } = RESOURCE_TYPES[search.type]
  if (value === '_lastUpdated' || value === '-_lastUpdated') {
    search.order = value.startsWith('-') ? 'newest' : 'oldest'
    return true
  }
  if (sortsBy === undefined || (value !== 'date' && value !== '-date')) {
    throw invalidParameter('_sort', 'The type cannot be sorted by this.')
  }
  search.sort = value
  return true
}

function readInclude(search: Search, value: string): boolean {
  const [type, parameter = ''] = value.split(':')
  if (type !== search.type || !RESOURCE_TYPES[search.type].includes.includes(parameter))
    return false
  search.includes.push({ parameter })
  return true
}

function readReverseInclude(search: Search, value: string): boolean {
  const [type = '', parameter = ''] = value.split(':')
  if (!reverseIncludesOf(search.type).includes(`${type}:${parameter}`)) return false
  search.reverseIncludes.push({ type: type as ServedType, parameter })
  return true
}

/** @throws AppError 404 for a type that Salus does not have */
export function requireServedType(type: string): ServedType {
  if (!Object.hasOwn(RESOURCE_TYPES, type)) throw notFound('Resource type')
  return type as ServedType
}

/** Refuses a body that is no form. @throws InputError 422 */
export function requireForm(body: unknown): asserts body is URLSearchParams {
  if (body instanceof URLSearchParams) return
  throw invalidInput(['body'], 'The body is not a form', 'type')
}
