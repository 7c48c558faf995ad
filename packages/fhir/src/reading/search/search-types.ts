import type { ServedType, SourceFilter } from '../served/sources.ts'
import type { ResultPart } from './result-parts.ts'
import type { ResourceFilter } from './search-filter.ts'

/** Parameters as they arrived, in their order. */
export type GivenParameters = readonly (readonly [name: string, value: string])[]

export interface Include {
  parameter: string
}

/** A reference of another type, by which resources that refer to the found ones are added. */
export interface ReverseInclude extends Include {
  type: ServedType
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
  reverseIncludes: ReverseInclude[]
  /** Undefined for whole resources. */
  part: ResultPart | undefined
  cursor: string | undefined
  /** Parameters that count, without the cursor, for links. */
  used: [string, string][]
  ignored: string[]
}
