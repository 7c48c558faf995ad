import { objectsOf } from '../json.ts'
import { readFhirValue } from './observation-value.ts'
import type { Resource, Resources } from './resources.ts'

/** An Observation of a report. */
export interface FoundObservation {
  resource: Resource
  /** Number of the isolate that it is or belongs to; null outside of cultures. */
  subId: string | null
  /** Whether it only groups others. */
  isHeading: boolean
}

/**
 * Finds the Observations of a report: those of `result`, their members, and those that were derived
 * from one of them. One with a value and with such dependents is an isolate, and they share its
 * number. Each is found once, even where references lead in a circle.
 */
export function findObservations(report: Resource, resources: Resources): FoundObservation[] {
  const derived = new Map<Resource, Resource[]>()
  for (const resource of resources.ofType('Observation')) {
    for (const origin of resources.findAll(resource.json.derivedFrom, resource)) {
      derived.set(origin, [...(derived.get(origin) ?? []), resource])
    }
  }
  const dependentsOf = (resource: Resource) => [
    ...resources.findAll(resource.json.hasMember, resource),
    ...(derived.get(resource) ?? []),
  ]
  const tops = resources.findAll(report.json.result, report).filter(isObservation)
  // What depends on another one comes below it.
  const dependent = new Set(tops.flatMap((top) => dependentsOf(top).filter((each) => each !== top)))
  const roots = tops.filter((top) => !dependent.has(top))
  const found = new Map<Resource, FoundObservation>()
  let isolates = 0
  // A list instead of recursion, because the depth is the sender's.
  const waiting = [...roots, ...tops].map((resource) => ({
    resource,
    subId: null as string | null,
  }))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { resource, subId } = next
    if (found.has(resource)) continue
    const dependents = dependentsOf(resource).filter(isObservation)
    const hasValue = readFhirValue(resource.json).value.kind !== 'none'
    const isIsolate = dependents.length > 0 && hasValue && subId === null
    const own = isIsolate ? String(++isolates) : subId
    const isHeading = objectsOf(resource.json.hasMember).length > 0 && !hasValue
    found.set(resource, { resource, subId: own, isHeading })
    waiting.unshift(...dependents.map((each) => ({ resource: each, subId: own })))
  }
  return [...found.values()]
}

const isObservation = ({ type }: Resource): boolean => type === 'Observation'
