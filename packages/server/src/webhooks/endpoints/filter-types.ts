import { invalidInput } from '@salus/kernel/errors'

/** True when a filter of an endpoint, null or empty for all, matches the type. */
export function matchesFilter(filterTypes: readonly string[] | null, eventType: string): boolean {
  if (filterTypes === null || filterTypes.length === 0) return true
  return filterTypes.some((filter) =>
    filter.endsWith('*') ? eventType.startsWith(filter.slice(0, -1)) : filter === eventType,
  )
}

/** True for a filter, exact or with a trailing star, that matches one of the types. */
export function holdsKnownType(eventTypes: ReadonlySet<string>, filter: string): boolean {
  if (!filter.endsWith('*')) return eventTypes.has(filter)
  return [...eventTypes].some((type) => type.startsWith(filter.slice(0, -1)))
}

/**
 * Refuses filters that can never match, because a mistyped one only causes silence.
 * @throws InputError 422 naming the first such entry
 */
export function refuseUnknownTypes(
  eventTypes: ReadonlySet<string>,
  filterTypes: readonly string[] | null | undefined,
  loc: ['body' | 'query', string] = ['body', 'filter_types'],
): void {
  for (const [index, filter] of (filterTypes ?? []).entries()) {
    if (holdsKnownType(eventTypes, filter)) continue
    const message = 'No event has this type; a trailing * stands for any ending'
    throw invalidInput([...loc, index], message, 'unknown_event_type')
  }
}
