import type { FhirResource } from '../../resources/index.ts'
import type { ServedType } from '../served/sources.ts'
import { TYPE_ELEMENTS } from '../summary-elements.registry.ts'
import { invalidParameter } from './search-filter.ts'

/** Which part of its resources an answer has; undefined for whole ones. */
export interface ResultPart {
  /** Elements as `_elements` names them, or those of `_summary`. */
  elements: readonly string[] | 'summary' | 'text' | 'data'
}

const SUBSETTED = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
}
const ALWAYS = ['resourceType', 'id', 'meta']

/**
 * Reads `_summary`. @returns the part, `count` for no resources, undefined for whole ones
 * @throws AppError 400 `invalid_search_parameter`
 */
export function readSummary(value: string): ResultPart | 'count' | undefined {
  switch (value) {
    case 'false':
      return undefined
    case 'count':
      return 'count'
    case 'true':
      return { elements: 'summary' }
    case 'text':
    case 'data':
      return { elements: value }
    default:
      throw invalidParameter('_summary', 'The value is true, text, data, count or false.')
  }
}

/** Reads `_elements`: names of elements, each perhaps after its type. @throws AppError 400 */
export function readElements(value: string): ResultPart {
  const elements = value.split(',').filter((name) => name !== '')
  if (elements.length > 0 && elements.every((name) => /^([A-Z]\w*\.)?[a-z]\w{0,63}$/.test(name))) {
    return { elements }
  }
  throw invalidParameter('_elements', 'The value has names of elements, separated by commas.')
}

/** Reads the part of a resource that a read asks for. @throws AppError 400 */
export function readPart(given: readonly (readonly [string, string])[]): ResultPart | undefined {
  let part: ResultPart | undefined
  for (const [name, value] of given) {
    if (name === '_elements') part = readElements(value)
    if (name !== '_summary') continue
    const read = readSummary(value)
    if (read === 'count') throw invalidParameter(name, 'One resource is not counted.')
    part = read
  }
  return part
}

/** Returns a part of a resource, marked as such; what makes it valid stays. */
export function cutResource(resource: FhirResource, part: ResultPart | undefined): FhirResource {
  if (part === undefined) return resource
  const { resourceType: type, meta } = resource
  const wanted = new Set([...ALWAYS, ...elementsOf(type as ServedType, part.elements)])
  const entries = Object.entries(resource).filter(([name]) =>
    part.elements === 'data' ? name !== 'text' : wanted.has(name),
  )
  return {
    ...Object.fromEntries(entries),
    meta: { ...meta, tag: [...(meta?.tag ?? []), SUBSETTED] },
  } as FhirResource
}

function elementsOf(type: ServedType, elements: ResultPart['elements']): string[] {
  const { summary, kept = '' } = TYPE_ELEMENTS[type] ?? { summary: '' }
  const always = kept.split(' ')
  if (elements === 'summary') return [...always, ...summary.split(' ')]
  if (typeof elements === 'string') return [...always, 'text']
  const named = elements.flatMap((name) => {
    const [first = '', second] = name.split('.')
    if (second === undefined) return [first]
    return first === type ? [second] : []
  })
  // A choice of types is one element: `value` stands for `valueQuantity`.
  const choices = ['value', 'effective'].filter((name) => named.includes(name))
  const ofChoices = choices.flatMap((name) =>
    ['Quantity', 'String', 'DateTime', 'Period'].map((kind) => `${name}${kind}`),
  )
  return [...always, ...named, ...ofChoices]
}
