import { isUuid } from '@salus/kernel/ids'
import { RESOURCE_TYPES } from '../resource-types.registry.ts'
import { provenanceIdOf } from '../served/provenance.ts'
import type { SourceFilter } from '../served/sources.ts'
import { seriesOf } from './sample-series.ts'
import {
  type GivenParameter,
  invalidParameter,
  readComparison,
  toFilter,
  toRelative,
} from './search-filter.ts'
import type { Search } from './search-types.ts'

/**
 * Adds a parameter that resources have to match. @returns false for one that the type does not have
 * @throws AppError 400 `invalid_search_parameter`
 */
export function readFilterParameter(search: Search, text: string, value: string): boolean {
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
  const { parameters } = RESOURCE_TYPES[search.type]
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
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
  if (type === 'Provenance' && name === 'target' && modifier === undefined) {
    const ids = value.split(',').flatMap((one) => provenanceIdOf(toRelative(one)) ?? [])
    rows.ids = rows.ids?.filter((id) => ids.includes(id)) ?? ids
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
