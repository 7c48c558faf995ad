import { badRequest, invalidInput, notFound } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import { RESOURCE_TYPES } from '../resource-types.registry.ts'
import type { ServedType, SourceFilter } from '../served/sources.ts'
import { seriesOf } from './sample-series.ts'
import {
  type GivenParameter,
  invalidParameter,
  type ResourceFilter,
  readComparison,
  toFilter,
  toRelative,
} from './search-filter.ts'

/** Parameters as they arrived, in their order. */
export type GivenParameters = readonly (readonly [name: string, value: string])[]

export interface Include {
  parameter: string
}

/** A search, checked. */
export interface Search {
  type: ServedType
  filters: ResourceFilter[]
  /** Rows that can match. */
  rows: SourceFilter
  count: number
  /** Undefined for the order of the rows: the newest change first. */
  sort: 'date' | '-date' | undefined
  order: 'newest' | 'oldest'
  countsAll: boolean
  includes: Include[]
  cursor: string | undefined
  /** Parameters that count, without the cursor, for links. */
  used: [string, string][]
  ignored: string[]
}

export const DEFAULT_COUNT = 50
export const MOST_COUNT = 500

/** Parameters whose value changes the answer and not the matches. */
const OF_RESULT = [
  '_count',
  '_sort',
  '_total',
  '_include',
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
    cursor: undefined,
    used: [],
    ignored: [],
  }
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

function readFilterParameter(search: Search, text: string, value: string): boolean {
  const colon = text.indexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const given: GivenParameter = {
    name,
    modifier: colon === -1 ? undefined : text.slice(colon + 1),
    value,
  }
  if (name === '_id') {
    const ids = value.split(',').filter((id) => id !== '')
    const known = search.rows.ids
    search.rows.ids = known === undefined ? ids : known.filter((id) => ids.includes(id))
    return true
  }
  if (name === '_lastUpdated') {
    readLastUpdated(search, given)
    return true
  }
  const parameter = RESOURCE_TYPES[search.type].parameters[name]
  if (parameter === undefined) return false
  search.filters.push(toFilter(given, parameter))
  narrowRows(search, given)
  return true
}

/** The rows have the same time, so the comparison with rows is that with resources. */
function readLastUpdated(search: Search, given: GivenParameter): void {
  if (given.modifier !== undefined) {
    throw invalidParameter(given.name, 'The modifier of the search parameter is not supported.')
  }
  const parameter = { type: 'date', paths: ['meta.lastUpdated'] } as const
  search.filters.push(toFilter(given, parameter))
  if (given.value.includes(',')) return
  const [prefix, { from, until }] = readComparison(given.name, given.value)
  const { rows } = search
  if (['eq', 'ge', 'gt', 'sa'].includes(prefix)) rows.since = Math.max(rows.since ?? from, from)
  if (['eq', 'le', 'lt', 'eb'].includes(prefix)) {
    rows.before = Math.min(rows.before ?? until, until)
  }
}

/** Leaves out rows of which the filter would accept nothing. */
function narrowRows({ rows, type }: Search, { name, modifier, value }: GivenParameter): void {
  const isPlain = modifier === undefined || modifier === 'Patient'
  const isOfPatient = ['patient', 'subject', 'beneficiary', 'actor'].includes(name)
  if (isOfPatient && isPlain && !value.includes(',')) {
    const id = toRelative(value, 'Patient')
      .replace(/^Patient\//, '')
      .toLowerCase()
    // A patient who cannot exist has no rows, like one who does not.
    rows.userId = isUuid(id) ? id : NO_ID
  }
  if (type !== 'Observation' || modifier !== undefined) return
  if (name === 'category' || name === 'code') {
    const series = seriesOf(name, value)
    rows.series = rows.series?.filter((one) => series.includes(one)) ?? series
  }
  if (name === 'date' && !value.includes(',')) narrowTime(rows, name, value)
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Longest interval of a sample, so that one which began before a range is still found. */
const LONGEST_SAMPLE_MS = 48 * 3_600_000

function narrowTime(rows: SourceFilter, name: string, value: string): void {
  const [prefix, { from, until }] = readComparison(name, value)
  if (['eq', 'ge', 'gt', 'sa'].includes(prefix)) {
    rows.from = Math.max(rows.from ?? Number.NEGATIVE_INFINITY, from - LONGEST_SAMPLE_MS)
  }
  if (['eq', 'le', 'lt', 'eb'].includes(prefix)) {
    rows.until = Math.min(rows.until ?? Number.POSITIVE_INFINITY, until)
  }
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
