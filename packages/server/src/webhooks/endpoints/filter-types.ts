import { invalidInput } from '../../platform/errors.ts'

/** True when a filter of an endpoint, null or empty for all, holds the type. */
export function matchesFilter(filterTypes: readonly string[] | null, eventType: string): boolean {
  if (filterTypes === null || filterTypes.length === 0) return true
  return filterTypes.some((filter) =>
    filter.endsWith('*') ? eventType.startsWith(filter.slice(0, -1)) : filter === eventType,
  )
}

/**
 * Refuses filters that could never match: a mistyped one looks like silence to whoever waits.
 * @throws InputError 422 naming the first such entry
 */
export function refuseUnknownTypes(
  eventTypes: ReadonlySet<string>,
  filterTypes: readonly string[] | null | undefined,
  place: ['body' | 'query', string] = ['body', 'filter_types'],
): void {
  for (const [index, filter] of (filterTypes ?? []).entries()) {
    const isKnown = filter.endsWith('*')
      ? [...eventTypes].some((type) => type.startsWith(filter.slice(0, -1)))
      : eventTypes.has(filter)
    if (isKnown) continue
    const message = 'No event has this type; a trailing * stands for any ending'
    throw invalidInput([...place, index], message, 'unknown_event_type')
  }
}
