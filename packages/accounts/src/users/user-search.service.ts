import { KeysetPages, LISTED_INSTANT, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { shownUnits } from '../teams/index.ts'
import type { ShownConnections } from './connections-of-users.ts'
import type { OrdersOfUsers, PatientName } from './orders-of-users.ts'
import { toUser } from './user.presenter.ts'
import type { UserParts } from './user-parts.ts'
import * as repository from './user-search.repository.ts'
import type { FoundUser, FoundUsers, UserSearch } from './user-search.schema.ts'
import { countUsers, findUserByClientId } from './users.repository.ts'

/** Maximum number of words; more do not narrow the search. */
const MOST_WORDS = 8
/** Beyond this number, users are searched in the order of the list, which ends with the page. */
const MANY = 2_000
/** Matches of a query are counted up to this number. */
const MOST_COUNTED = 10_000

/** Position after the one user who is shown above the others. */
const BEFORE_ALL: repository.UserPosition = {
  createdAt: '2999-12-31 23:59:59+00',
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

const PAGES = new KeysetPages({ createdAt: LISTED_INSTANT, id: UUID_KEY })

/**
 * Returns a page of users who match parts of their data
 * (docs/contract/02-users.md#post-v2usersearch). No term of the search is in a URL.
 * @throws AppError 400 `invalid_cursor`
 */
export async function searchPeople(
  scope: Scope,
  parts: UserParts,
  search: UserSearch,
  baseUrl: string,
): Promise<FoundUsers> {
  const { orders, connections } = parts
  const { provider = null, connection_status: status = null, limit } = search
  const text = (search.query ?? '').trim().normalize('NFC')
  const about = ['users', scope.environment.id, text, provider, status]
  const after = PAGES.read(about, search.next_cursor)
  const isNarrow = provider !== null || status !== null
  const narrow = {
    isConnected: isNarrow ? connections.isConnected({ provider, status }) : undefined,
  }
  const match = await matchWords(scope, orders, text)
  const exact = text === '' ? undefined : await findUserByClientId(scope, text)
  const others = { ...narrow, match, withoutId: exact?.id ?? null }
  const [top, found, total] = await Promise.all([
    exact === undefined
      ? []
      : repository.findUsers(
          scope,
          { ...narrow, match: { ids: [exact.id] }, withoutId: null },
          { after: null, limit: 1 },
        ),
    repository.findUsers(scope, others, { after, limit: limit + 1 }),
    countMatches(scope, others),
  ])
  const shown = [...(after === null ? top : []), ...found]
  const { page, nextCursor } = PAGES.cut(about, shown, limit, ({ position, id }) =>
    id === exact?.id ? BEFORE_ALL : { createdAt: position, id },
  )
  return {
    users: await describeUsers(scope, parts, page, baseUrl),
    total: total + top.length,
    next_cursor: nextCursor,
  }
}

async function matchWords(
  scope: Scope,
  orders: OrdersOfUsers,
  query: string,
): Promise<repository.WordMatch> {
  if (query === '') return 'everybody'
  const text = query.toLowerCase()
  const words = text.split(/\s+/).slice(0, MOST_WORDS)
  const [ids, patients] = await Promise.all([
    repository.listUsersByWords(scope, { text, words, most: MANY }),
    orders.findPeople(scope, words),
  ])
  return ids.length < MANY ? { ids: [...new Set([...ids, ...patients])] } : { ids: patients, words }
}

function countMatches(scope: Scope, filter: repository.UserSearchFilter): Promise<number> {
  if (filter.match === 'everybody' && filter.isConnected === undefined) return countUsers(scope)
  return repository.countFoundUsers(scope, filter, MOST_COUNTED)
}

/** Returns users as they are shown; orders provide the names of users who have no other name. */
async function describeUsers(
  scope: Scope,
  { orders, connections }: UserParts,
  rows: readonly repository.FoundUserRow[],
  baseUrl: string,
): Promise<FoundUser[]> {
  const nameless = rows.filter((row) => row.last_name === null).map((row) => row.id)
  const ids = rows.map((row) => row.id)
  const [patients, shown] = await Promise.all([
    nameless.length === 0 ? new Map<string, PatientName>() : orders.findPatients(scope, nameless),
    connections.show(scope, ids, baseUrl),
  ])
  return rows.map((row) => toFoundUser(scope, row, patients.get(row.id), shown.get(row.id)))
}

function toFoundUser(
  scope: Scope,
  row: repository.FoundUserRow,
  patient: PatientName | undefined,
  connections: ShownConnections | undefined,
): FoundUser {
  const isStored = row.last_name !== null
  const name = isStored ? row : patient
  return {
    ...toUser(scope, row, connections),
    first_name: name?.first_name ?? null,
    last_name: name?.last_name ?? null,
    email: name?.email ?? null,
    name_from: isStored ? 'demographics' : patient === undefined ? null : 'order',
    connections: connections?.foundConnections ?? [],
    shown_units: shownUnits(row.units, scope.environment.settings.units),
  }
}
