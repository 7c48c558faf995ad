/** The empty filters of the list of tasks, as the address has them. */
export const NO_TASK_FILTERS = { tab: 'open', kind: '', owner: '', user: '' }
type TaskView = typeof NO_TASK_FILTERS

/** Returns the filters of an address, as a saved view stores them: without the person. */
export function taskFiltersOf({ tab, kind, owner }: TaskView): Record<string, unknown> {
  return {
    ...(kind !== '' && { kind }),
    ...(tab !== 'open' && { status: tab }),
    ...(owner !== '' && { is_assigned: owner === 'some' }),
  }
}

/** Returns the address of a saved view. */
export const taskViewOf = (saved: Record<string, unknown>): TaskView => ({
  tab: String(saved.status ?? 'open'),
  kind: String(saved.kind ?? ''),
  owner: saved.is_assigned === undefined ? '' : saved.is_assigned ? 'some' : 'none',
  user: '',
})
