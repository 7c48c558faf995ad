/** The empty filters of the list of events, as the address has them. */
export const NO_EVENT_FILTERS = { type: '', user: '', status: '', since: '', until: '' }
type EventView = typeof NO_EVENT_FILTERS

/** Returns the filters of an address, as a saved view stores them. */
export function eventFiltersOf({ type, user, status, since, until }: EventView) {
  const filters = { event_type: type, user_id: user, status, since, until }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}

/** Returns the address of a saved view. */
export function eventViewOf(saved: Record<string, unknown>): EventView {
  const text = (name: string): string => String(saved[name] ?? '')
  return {
    type: text('event_type'),
    user: text('user_id'),
    status: text('status'),
    since: text('since'),
    until: text('until'),
  }
}
