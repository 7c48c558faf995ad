import type { Bundle } from '@medplum/fhirtypes'
import { getUserRow } from '@salus/accounts/users'
import { decodeCursor, encodeCursor } from '@salus/kernel/http/cursor'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../resources/index.ts'
import { isServedType, RESOURCE_TYPES } from './resource-types.registry.ts'
import { readDateRange } from './search/date-range.ts'
import { readIncluded } from './search/included-resources.service.ts'
import { listMatches, type Position, START } from './search/list-matches.service.ts'
import { DEFAULT_COUNT, MOST_COUNT, readSearch } from './search/read-search.ts'
import { toEntry, toPosition } from './search/search.service.ts'
import { invalidParameter, toFilter } from './search/search-filter.ts'
import type { GivenParameters, Search } from './search/search-types.ts'
import type { ServedType } from './served/sources.ts'

/** Types of resources about a patient, in the order of an answer. */
export const PATIENT_TYPES: readonly ServedType[] = [
  ...(['Patient', 'Coverage', 'Device', 'ServiceRequest', 'Specimen', 'Appointment'] as const),
  ...(['DiagnosticReport', 'Observation', 'DocumentReference'] as const),
]

/** Types that are about no patient, which pages add where a resource refers to them. */
const SUPPORTING: readonly ServedType[] = ['Practitioner', 'Organization']

interface Everything {
  types: ServedType[]
  searches: Search[]
  count: number
  cursor: string | undefined
  used: [string, string][]
}

/**
 * Returns all resources of a patient, page by page, with the physicians, laboratories and payors
 * that they refer to.
 * @param given Parameters `start`, `end`, `_since`, `_type` and `_count`; others are ignored.
 * @throws AppError 404; 400 `invalid_search_parameter`, `invalid_cursor`
 */
export async function readEverything(
  scope: Scope,
  base: string,
  userId: string,
  given: GivenParameters,
): Promise<Bundle> {
  const { id } = await getUserRow(scope, userId)
  const asked = readEverythingParameters(id, given)
  const list = ['fhir everything', id, asked.used]
  const from =
    asked.cursor === undefined ? undefined : decodeCursor(list, asked.cursor, toTypePosition)
  const { found, next } = await readPage(scope, asked, from)
  const supporting = await readSupporting(scope, asked, found)
  const address = `${base}/Patient/${id}/$everything`
  const cursor = next && encodeCursor(list, next)
  const linkOf = (extra: [string, string][]) => {
    const query = new URLSearchParams([...asked.used, ...extra]).toString()
    return query === '' ? address : `${address}?${query}`
  }
  const entry = [
    ...found.map((one) => toEntry(base, one, 'match')),
    ...supporting.map((one) => toEntry(base, one, 'include')),
  ]
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    link: [
      { relation: 'self', url: linkOf([]) },
      ...(cursor ? [{ relation: 'next', url: linkOf([['_cursor', cursor]]) }] : []),
    ],
    ...(entry.length > 0 && { entry }),
  }
}

/** Number of the type, and the position within it. */
type Progress = [type: number, source: number, at: number, id: string, taken: number]

function toTypePosition([type, ...rest]: readonly unknown[]): [number, Position] | undefined {
  const position = toPosition(rest)
  const isType = Number.isInteger(type) && Number(type) >= 0 && Number(type) < PATIENT_TYPES.length
  return position && isType ? [Number(type), position] : undefined
}

function readEverythingParameters(userId: string, given: GivenParameters): Everything {
  const asked: Everything = {
    types: [],
    searches: [],
    count: DEFAULT_COUNT,
    cursor: undefined,
    used: [],
  }
  const limits: [string, string][] = []
  let since: string | undefined
  let types: readonly ServedType[] = PATIENT_TYPES
  for (const [name, value] of given) {
    if (name === '_cursor') asked.cursor = value
    else if (name === 'start') limits.push(['date', `ge${value}`])
    else if (name === 'end') limits.push(['date', `le${value}`])
    else if (name === '_since') since = value
    else if (name === '_type') types = readTypes(value)
    else if (name === '_count' && /^[1-9]\d{0,5}$/.test(value)) {
      asked.count = Math.min(Number(value), MOST_COUNT)
    } else if (name === '_count') throw invalidParameter(name, 'The value is a whole number.')
    else continue
    if (name !== '_cursor') asked.used.push([name, value])
  }
  asked.types = PATIENT_TYPES.filter((type) => types.includes(type))
  asked.searches = asked.types.map((type) => toSearch(type, userId, since, limits))
  return asked
}

/** @throws AppError 400 for a type that a patient does not have */
export function readTypes(value: string): ServedType[] {
  return value.split(',').map((type) => {
    if (isServedType(type)) return type
    throw invalidParameter('_type', 'Salus has no resources of the type.')
  })
}

function toSearch(
  type: ServedType,
  userId: string,
  since: string | undefined,
  limits: readonly [string, string][],
): Search {
  const search = readSearch(
    type,
    [
      [type === 'Patient' ? '_id' : 'patient', userId],
      ...(since === undefined ? [] : [['_lastUpdated', `ge${since}`] as const]),
    ],
    true,
  )
  const { sortsBy } = RESOURCE_TYPES[type]
  const paths = sortsBy === undefined ? [] : [sortsBy, sortsBy.replace('DateTime', 'Period')]
  const isUndated = toFilter(
    { name: 'date', modifier: 'missing', value: 'true' },
    { type: 'date', paths },
  )
  for (const [name, value] of limits) {
    const fits = toFilter({ name, modifier: undefined, value }, { type: 'date', paths })
    search.filters.push((resource) => isUndated(resource) || fits(resource))
  }
  return search
}

async function readPage(
  scope: Scope,
  { types, searches, count }: Everything,
  from: [number, Position] | undefined,
): Promise<{ found: FhirResource[]; next: Progress | undefined }> {
  const found: FhirResource[] = []
  for (const [index, search] of searches.entries()) {
    const number = PATIENT_TYPES.indexOf(types[index] as ServedType)
    if (from !== undefined && number < from[0]) continue
    let end = from?.[0] === number ? from[1] : START
    for await (const match of listMatches(scope, search, end)) {
      if (match.resource === undefined) continue
      if (found.length >= count) {
        return { found, next: [number, end.source, end.at, end.id, end.taken] }
      }
      found.push(match.resource)
      end = match.position
    }
  }
  return { found, next: undefined }
}

async function readSupporting(
  scope: Scope,
  { searches }: Everything,
  found: readonly FhirResource[],
): Promise<FhirResource[]> {
  const added = new Map<string, FhirResource>()
  for (const search of searches) {
    const { parameters } = RESOURCE_TYPES[search.type]
    const includes = Object.entries(parameters)
      .filter(([, { targets = [] }]) => targets.some((one) => SUPPORTING.includes(one as never)))
      .map(([parameter]) => ({ parameter }))
    const ofType = found.filter(({ resourceType }) => resourceType === search.type)
    const resources = await readIncluded(scope, { ...search, includes }, ofType)
    for (const one of resources) added.set(`${one.resourceType}/${one.id}`, one)
  }
  return [...added.values()]
}

/**
 * Reads the parameters of a bulk export.
 * @throws AppError 400 `invalid_search_parameter`
 */
export function readExportParameters(given: GivenParameters): {
  types: ServedType[]
  since: Date | null
} {
  const readValue = (name: string) => given.find(([known]) => known === name)?.[1]
  const format = readValue('_outputFormat') ?? 'ndjson'
  if (!/^(application\/(fhir[+ ])?)?ndjson$/.test(format)) {
    throw invalidParameter('_outputFormat', 'The interface writes ndjson only.')
  }
  const since = readValue('_since')
  const [range] = since === undefined ? [] : (readDateRange(since.replace(' ', '+')) ?? [])
  if (since !== undefined && range === undefined) {
    throw invalidParameter('_since', 'The date has no valid form.')
  }
  const asked = given.filter(([name]) => name === '_type').flatMap(([, value]) => readTypes(value))
  // A file leaves out the lines that name a deleted person, and a provenance names only its target.
  if (asked.includes('Provenance')) {
    throw invalidParameter('_type', 'A Provenance is not exported; search it by its target.')
  }
  const all = [...PATIENT_TYPES, ...SUPPORTING]
  const types = asked.length === 0 ? all : all.filter((type) => asked.includes(type))
  return { types, since: range === undefined ? null : new Date(range.from) }
}
