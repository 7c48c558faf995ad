import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'

export type FoundPerson = components['schemas']['FoundUser']
type PeopleFilters = components['schemas']['PeopleFilters']

/** The empty filters, as the address has them. */
export const ALL_PEOPLE = {
  provider: '',
  state: '',
  /** `in 7` for data within so many days, `none 7` for none. */
  data: '',
  attention: '',
  orders: '',
  from: '',
  to: '',
  sort: '',
  direction: '',
}
export type PeopleView = typeof ALL_PEOPLE

const yes = (value: string): boolean | undefined => (value === '' ? undefined : value === 'yes')

/** Returns the filters of an address, as the server and saved views have them. */
export function toPeopleFilters(view: PeopleView): PeopleFilters {
  const [kind, days] = view.data.split(' ')
  const filters = {
    provider: view.provider || undefined,
    connection_status: view.state || undefined,
    data_within_days: kind === 'in' ? Number(days) : undefined,
    no_data_within_days: kind === 'none' ? Number(days) : undefined,
    needs_attention: yes(view.attention),
    has_open_orders: yes(view.orders),
    start_date: view.from || undefined,
    end_date: view.to || undefined,
    order_key: view.sort || undefined,
    order_direction: view.direction || undefined,
  }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as PeopleFilters
}

/** Returns the address of a saved view. */
export function peopleViewOf(saved: Record<string, unknown>): PeopleView {
  const text = (name: string): string => String(saved[name] ?? '')
  const word = (name: string): string => ({ true: 'yes', false: 'no' })[text(name)] ?? ''
  const { data_within_days: within, no_data_within_days: without } = saved
  return {
    provider: text('provider'),
    state: text('connection_status'),
    data: within ? `in ${within}` : without ? `none ${without}` : '',
    attention: word('needs_attention'),
    orders: word('has_open_orders'),
    from: text('start_date'),
    to: text('end_date'),
    sort: text('order_key'),
    direction: text('order_direction'),
  }
}

/** Loads pages of people who match; rows stay while new ones are loading. */
export function usePeople(filters: PeopleFilters, words: string) {
  const { key, team } = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...key, 'people', words, filters],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.POST('/v2/user/search', {
          body: { query: words, ...filters, limit: 50, next_cursor: pageParam },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}
