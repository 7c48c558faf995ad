import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import { followPages, MOST_CSV_ROWS, refuseLongCsv } from '@salus/kernel/http/csv'
import {
  type KeyColumn,
  KeysetPages,
  LISTED_INSTANT,
  textKey,
  UUID_KEY,
} from '@salus/kernel/http/keyset-pages'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { formatInstant, parseEndBound, parseStartBound } from '@salus/kernel/time/instants'
import { shownUnits } from '../teams/index.ts'
import type { ShownConnections } from './connections-of-users.ts'
import type { OrdersOfUsers, PatientName } from './orders-of-users.ts'
import { toUser } from './user.presenter.ts'
import type { UserParts } from './user-parts.ts'
import * as repository from './user-search.repository.ts'
import type { FoundUser, FoundUsers, UserOrderKey, UserSearch } from './user-search.schema.ts'
import { countUsers, findUserByClientId } from './users.repository.ts'

/** Maximum number of words; more do not narrow the search. */
const MOST_WORDS = 8
/** Beyond this number, users are searched in the order of the list, which ends with the page. */
const MANY = 2_000
/** Matches of a query are counted up to this number. */
const MOST_COUNTED = 10_000

/** Value of the position after the one user who is shown above the others. */
const BEFORE_ALL = ''

/** A column that also has a value which is none of its own. */
const orWord = (column: KeyColumn<string>, word: string): KeyColumn<string> => ({
  ...column,
  read: (part) => (part === word ? word : column.read(part)),
})

const pagesBy = (column: KeyColumn<string>) =>
  new KeysetPages({ value: orWord(column, BEFORE_ALL), id: UUID_KEY })

const PAGES: Readonly<Record<UserOrderKey, ReturnType<typeof pagesBy>>> = {
  created_at: pagesBy(LISTED_INSTANT),
  // A null byte is no text of PostgreSQL.
  name: pagesBy(textKey(/^[^\0]{0,200}$/u)),
  newest_data: pagesBy(orWord(LISTED_INSTANT, '-infinity')),
  attention: pagesBy(textKey(/^\d{1,6}$/)),
}

/**
 * Returns a page of users who match parts of their data
 * (docs/contract/02-users.md#post-v2usersearch). No term of the search is in a URL.
 * @throws AppError 400 `invalid_cursor`, `invalid_date_range`
 */
export async function searchPeople(
  scope: Scope,
  parts: UserParts,
  search: UserSearch,
  baseUrl: string,
): Promise<FoundUsers> {
  const filter = await toFilter(scope, parts, search)
  const { exact: _, ...others } = filter
  const [found, total] = await Promise.all([
    readPage(scope, search, filter),
    countMatches(scope, others),
  ])
  return {
    users: await describeUsers(scope, parts, found.page, baseUrl),
    total: total + found.top,
    next_cursor: found.nextCursor,
  }
}

type Filter = repository.UserSearchFilter & { exact: { id: string } | undefined }

/** Reads a page, which begins with the user whose own id is searched; `top` is their number. */
async function readPage(scope: Scope, search: UserSearch, { exact, ...others }: Filter) {
  const { next_cursor: cursor, limit, ...terms } = search
  const key = search.order_key ?? 'created_at'
  const order = { key, direction: search.order_direction ?? (key === 'name' ? 'asc' : 'desc') }
  const given = Object.entries(terms).filter(([, value]) => value != null)
  const sorted = given.sort(([one], [other]) => (one < other ? -1 : 1))
  const about = ['users', scope.environment.id, order, sorted]
  const start = PAGES[key].read(about, cursor)
  const after = start?.value === BEFORE_ALL ? null : start
  const [top, found] = await Promise.all([
    exact === undefined
      ? []
      : repository.findUsers(
          scope,
          { ...others, match: { ids: [exact.id] }, withoutId: null },
          { ...order, after: null, limit: 1 },
        ),
    repository.findUsers(scope, others, { ...order, after, limit: limit + 1 }),
  ])
  const shown = [...(start === null ? top : []), ...found]
  const cut = PAGES[key].cut(about, shown, limit, ({ position, id }) =>
    id === exact?.id ? { value: BEFORE_ALL, id } : { value: position, id },
  )
  return { ...cut, top: top.length }
}

/**
 * Returns all users whom a search finds, page by page, for a file.
 * @throws AppError 400 `too_many_rows`, `invalid_date_range`
 */
export async function exportPeople(
  scope: Scope,
  parts: UserParts,
  search: UserSearch,
  baseUrl: string,
): Promise<AsyncIterable<FoundUser[]>> {
  const filter = await toFilter(scope, parts, search)
  const { exact: _, ...others } = filter
  refuseLongCsv(
    await repository.countFoundUsers(scope, { ...others, withoutId: null }, MOST_CSV_ROWS + 1),
  )
  return followPages(async (cursor) => {
    const { page, nextCursor } = await readPage(scope, { ...search, next_cursor: cursor }, filter)
    return { rows: await describeUsers(scope, parts, page, baseUrl), next: nextCursor }
  })
}

/** Converts a search to a filter, with the user whose own id it is. */
async function toFilter(
  scope: Scope,
  { orders, connections }: UserParts,
  search: UserSearch,
): Promise<Filter> {
  const { provider = null, connection_status: status = null } = search
  const text = (search.query ?? '').trim().normalize('NFC')
  const from = search.start_date == null ? undefined : parseStartBound(search.start_date)
  const to = search.end_date == null ? undefined : parseEndBound(search.end_date)
  if (from !== undefined && to !== undefined && from > to) {
    throw badRequest('invalid_date_range', 'A range of dates ends before it starts.')
  }
  const now = environmentNow(scope).getTime()
  const daysAgo = (days: number | null | undefined) =>
    days == null ? null : new Date(now - days * DAY_MS)
  const match = await matchWords(scope, orders, text)
  const exact = text === '' ? undefined : await findUserByClientId(scope, text)
  const isNarrow = provider !== null || status !== null
  return {
    exact,
    match,
    onlyIds: search.user_ids ?? null,
    withoutId: exact?.id ?? null,
    isConnected: isNarrow ? connections.isConnected({ provider, status }) : undefined,
    createdFrom: from === undefined ? null : new Date(from),
    createdBefore: to === undefined ? null : new Date(to + 1),
    dataFrom: daysAgo(search.data_within_days),
    dataBefore: daysAgo(search.no_data_within_days),
    needsAttention: search.needs_attention ?? null,
    hasOpenOrders: search.has_open_orders ?? null,
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
  const { match, isConnected, withoutId, ...others } = filter
  const isEverybody = match === 'everybody' && isConnected === undefined && withoutId === null
  if (isEverybody && Object.values(others).every((value) => value === null)) {
    return countUsers(scope)
  }
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
    newest_data:
      row.newest_at === null || row.newest_data_resource === null
        ? null
        : { at: formatInstant(row.newest_at), resource: row.newest_data_resource },
    attention: {
      failed_connections: row.failed_connections ?? 0,
      open_tasks: row.open_tasks ?? 0,
    },
    open_orders: row.open_orders ?? 0,
    shown_units: shownUnits(row.units, scope.environment.settings.units),
  }
}
