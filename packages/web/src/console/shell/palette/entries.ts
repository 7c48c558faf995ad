import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { unwrapResponse } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import { includesAll, type Permission, useSession } from '../../api/session.ts'
import { endOfId } from '../../components/id.tsx'
import { viewsQuery } from '../../components/list/saved-views.tsx'
import { describeOrderStatus } from '../../components/order-words.ts'
import { findPeople } from '../../components/person-picker.tsx'
import { viewFromFilters } from '../../laboratories/orders/order-filters.ts'
import { nameOf } from '../../people/person/person-name.ts'
import { personQuery } from '../../people/person/person-queries.ts'
import { peopleViewOf } from '../../people/use-people.ts'
import { taskViewOf } from '../../review/tasks/task-filters.ts'
import { useSignOut } from '../../session/sign-out.ts'
import { eventViewOf } from '../../webhooks/events/event-view.ts'
import { NAVIGATION } from '../navigation.ts'
import { maySee } from '../page-permissions.ts'
import { listRecent, type Recent } from './recent.ts'

/** Something that can be opened or done. */
export interface Entry {
  key: string
  title: string
  detail?: string | undefined
  act: () => unknown
}

interface EntryGroup {
  title: string
  entries: Entry[]
}

interface Found {
  groups: EntryGroup[]
  isSearching: boolean
  error: unknown
}

/** A search begins after this pause in typing, with so many letters. */
const PAUSE_MS = 200
const FEWEST = 2
const MOST_ORDERS = 5
/** Typed words stay in memory for as long as this. */
const KEPT_MS = 30_000

const EVENT_ID = /^msg_[0-9a-z]{26}$/i

/** Returns what matches the typed words, in groups; without words what was open last. */
export function useEntries(environment: Environment, typed: string): Found {
  const words = typed.trim()
  const [debounced] = useDebouncedValue(words, PAUSE_MS)
  const session = useSession()
  const isSearched = debounced.length >= FEWEST && !EVENT_ID.test(debounced)
  const people = useQuery({
    queryKey: [...environment.key, 'palette', 'people', debounced],
    queryFn: ({ signal }) => findPeople(environment, debounced, signal),
    enabled: isSearched && maySee(session, '/$team/$env/people'),
    gcTime: KEPT_MS,
  })
  const orders = useQuery({
    queryKey: [...environment.key, 'palette', 'orders', debounced],
    queryFn: ({ signal }) => findOrders(environment, debounced, signal),
    enabled: isSearched && maySee(session, '/$team/$env/orders'),
    gcTime: KEPT_MS,
  })
  const open = useOpen(environment)
  const recent = useRecentEntries(environment, open)
  const views = useViewEntries(environment, open)
  const fixed = useFixedEntries(environment, open).map(({ title, entries }) => ({
    title,
    entries: entries.filter((entry) => matches(entry, words)),
  }))
  const isCurrent = isSearched && debounced === words
  const groups: EntryGroup[] = [
    { title: 'Recent', entries: words === '' ? recent : [] },
    {
      title: 'Events',
      entries: EVENT_ID.test(words) ? [open.entry('event', words, `Event ${words}`)] : [],
    },
    {
      title: 'People',
      entries: (isCurrent ? (people.data ?? []) : []).map(({ key, title, detail }) =>
        open.entry('user', key, title, detail),
      ),
    },
    {
      title: 'Orders',
      entries: (isCurrent ? (orders.data ?? []) : []).map(({ id, title, detail }) =>
        open.entry('order', id, title, detail),
      ),
    },
    { title: 'Views', entries: views.filter((entry) => matches(entry, words)) },
    ...fixed,
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: people.isFetching || orders.isFetching || debounced !== words,
    error: isCurrent ? (people.error ?? orders.error) : null,
  }
}

/** Whether each word begins a word of the title. */
function matches({ title, detail = '' }: Entry, words: string): boolean {
  const parts = `${title} ${detail}`.toLowerCase().split(/\s+/)
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)))
}

async function findOrders({ team }: Environment, words: string, signal: AbortSignal) {
  const query = { search_input: words, page: 1, size: MOST_ORDERS }
  const { orders } = await unwrapResponse(team.GET('/v3/orders', { params: { query }, signal }))
  return orders.map(({ id, lab_test: test, last_event: event, patient_details: patient }) => {
    const name = [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')
    const status = describeOrderStatus(event.status).label
    return { id, title: test.name, detail: [name, status].filter(Boolean).join(' · ') }
  })
}

/** Addresses of what has a page of its own. */
const PAGES = { user: 'people', order: 'orders', event: 'events' } as const

/** Opens pages of an environment. */
function useOpen({ teamId, env }: Environment) {
  const navigate = useNavigate()
  const to = (path: string, search: Record<string, string> = {}): unknown =>
    navigate({ to: `/${teamId}/${env}/${path}`, search: search as never })
  return {
    to,
    entry: (kind: Recent['kind'], id: string, title: string, detail?: string): Entry => ({
      key: `${kind} ${id}`,
      title,
      detail,
      act: () => to(`${PAGES[kind]}/${id}`),
    }),
  }
}
type Open = ReturnType<typeof useOpen>

const KIND_WORDS = { user: 'Person', order: 'Order', event: 'Event' } as const

/** Names are those that this page still has; storage has ids alone. */
function useRecentEntries(environment: Environment, open: Open): Entry[] {
  const queries = useQueryClient()
  const { teamId: team, env } = environment
  return listRecent({ team, env }).map(({ kind, id }) => {
    const short = kind === 'event' ? id : endOfId(id)
    const fallback = `${KIND_WORDS[kind]} ${short}`
    if (kind !== 'user') return open.entry(kind, id, fallback)
    const person = queries.getQueryData(personQuery(environment, id).queryKey)
    const title = person ? (nameOf(person) ?? person.client_user_id) : fallback
    return open.entry(kind, id, title, person ? 'Person' : undefined)
  })
}

/** Addresses of lists with saved views, and the words of a view there. */
const LISTS = {
  people: { path: 'people', title: 'People', toAddress: peopleViewOf },
  orders: { path: 'orders', title: 'Orders', toAddress: viewFromFilters },
  tasks: { path: 'tasks', title: 'Tasks', toAddress: taskViewOf },
  events: { path: 'events', title: 'Events', toAddress: eventViewOf },
} as const

/** Saved views of all lists. */
function useViewEntries(environment: Environment, open: Open): Entry[] {
  const { data: views = [] } = useQuery(viewsQuery(environment))
  return views.map(({ id, name, list, filters }) => {
    const { path, title, toAddress } = LISTS[list]
    const given = Object.entries(toAddress(filters)).filter(([, value]) => Boolean(value))
    const search = { ...Object.fromEntries(given), view: id } as Record<string, string>
    return { key: `view ${id}`, title: name, detail: title, act: () => open.to(path, search) }
  })
}

/** Pages and actions, which need no search. */
function useFixedEntries({ teamId: team, env }: Environment, open: Open): EntryGroup[] {
  const session = useSession()
  const other = env === 'sandbox' ? 'production' : 'sandbox'
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { setColorScheme } = useMantineColorScheme()
  const pages = NAVIGATION.flatMap(({ links }) =>
    links
      .filter(({ to }) => maySee(session, to))
      .map(({ to, title }) => ({
        key: to,
        title,
        act: () => open.to(to.replace('/$team/$env/', '')),
      })),
  )
  const action = (title: string, act: () => unknown): Entry => ({ key: title, title, act })
  const allowed = (permissions: Permission[], entry: Entry): Entry[] =>
    includesAll(session, permissions) ? [entry] : []
  return [
    {
      title: 'Pages',
      entries: [
        ...pages,
        action('First steps', () => navigate({ to: '/start' })),
        ...(session.is_operator
          ? [
              action('Operation', () => navigate({ to: '/operation' })),
              action('Audit log', () => navigate({ to: '/operation/audit' })),
            ]
          : []),
      ],
    },
    {
      title: 'Actions',
      entries: [
        ...allowed(
          ['people:write'],
          action('Add person', () => open.to('people', { add: 'person' })),
        ),
        ...allowed(
          ['orders:write'],
          action('New order', () => open.to('orders/new')),
        ),
        ...allowed(
          ['webhooks:read'],
          action('Find a missing event', () => open.to('events', { tab: 'why' })),
        ),
        action(`Open ${other}`, () =>
          navigate({ to: '/$team/$env/overview', params: { team, env: other } }),
        ),
        action('Light colors', () => setColorScheme('light')),
        action('Dark colors', () => setColorScheme('dark')),
        action('Sign out', signOut),
      ],
    },
  ]
}
