import { findProvider, toProviderRef } from '../../health/providers/index.ts'
import { decodeCursor, encodeCursor, isListedInstant } from '../../platform/http/cursor.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import type { OrdersOfUsers, PatientName } from './orders-of-users.ts'
import { toUser } from './user.presenter.ts'
import * as repository from './user-search.repository.ts'
import type { FoundUser, FoundUsers, UserSearch } from './user-search.schema.ts'

/** More words than these say nothing more. */
const MOST_WORDS = 8
const PAGE_SIZE = 50

const isPosition = ([isExact, createdAt, id, ...others]: unknown[]): boolean =>
  others.length === 0 &&
  typeof isExact === 'boolean' &&
  isListedInstant(createdAt) &&
  isUuid(String(id))

/**
 * A page of people, found by parts of what is known of them
 * (docs/contract/02-users.md#post-v2usersearch). Nothing of the search is in an address.
 * @throws AppError 400 `invalid_cursor`
 */
export async function searchPeople(
  scope: Scope,
  orders: OrdersOfUsers,
  search: UserSearch,
  baseUrl: string,
): Promise<FoundUsers> {
  const { query, provider = null, connection_status: status = null, limit = PAGE_SIZE } = search
  const text = (query ?? '').trim().normalize('NFC').toLowerCase()
  const about = ['users', scope.environment.id, text, provider, status]
  const after = search.next_cursor ? toPosition(about, search.next_cursor) : null
  const words = text === '' ? [] : text.split(/\s+/).slice(0, MOST_WORDS)
  const foundElsewhere = text === '' ? [] : await orders.findPeople(scope, words)
  const filter = { text, words, foundElsewhere, provider, status }
  const [found, total] = await Promise.all([
    repository.findUsers(scope, filter, { after, limit: limit + 1 }),
    repository.countFoundUsers(scope, filter),
  ])
  const rows = found.slice(0, limit)
  const nameless = rows.filter((row) => row.last_name === null).map((row) => row.id)
  const patients = nameless.length === 0 ? new Map() : await orders.findPatients(scope, nameless)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    users: rows.map((row) => toFoundUser(scope, row, patients.get(row.id), baseUrl)),
    total,
    next_cursor:
      last === undefined ? null : encodeCursor(about, [last.is_exact, last.position, last.id]),
  }
}

function toPosition(about: readonly unknown[], cursor: string): repository.UserPosition {
  const [isExact, createdAt, id] = decodeCursor(about, cursor, isPosition) as [
    boolean,
    string,
    string,
  ]
  return { isExact, createdAt, id }
}

function toFoundUser(
  scope: Scope,
  row: repository.FoundUserRow,
  patient: PatientName | undefined,
  baseUrl: string,
): FoundUser {
  const name = row.last_name === null ? patient : row
  const isStored = row.last_name !== null
  return {
    ...toUser(scope, row, baseUrl),
    first_name: name?.first_name ?? null,
    last_name: name?.last_name ?? null,
    email: name?.email ?? null,
    name_from: isStored ? 'demographics' : patient === undefined ? null : 'order',
    connections: row.connections.flatMap(({ provider: slug, status, created_at }) => {
      const provider = findProvider(slug)
      if (provider === undefined || status === 'deregistered') return []
      const created_on = formatInstant(new Date(created_at))
      return [{ provider: toProviderRef(baseUrl, provider), status, created_on }]
    }),
  }
}
