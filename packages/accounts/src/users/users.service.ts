import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest, invalidInput, notFound } from '@salus/kernel/errors'
import { newTimedId } from '@salus/kernel/ids'
import type { Scope, Stores } from '@salus/kernel/scope'
import { dateAtOffset, formatInstant } from '@salus/kernel/time/instants'
import { refuseHeldPerson } from '../legal-holds/index.ts'
import type { ConnectionsOfUsers } from './connections-of-users.ts'
import { toUser } from './user.presenter.ts'
import type { UserParts, UserViews } from './user-parts.ts'
import { listErasableUsers as findErasable } from './users.global.repository.ts'
import type { UserRow } from './users.repository.ts'
import * as repository from './users.repository.ts'
import type {
  UndoDeleteQuery,
  User,
  UserCreate,
  UserListQuery,
  UserUpdate,
} from './users.schema.ts'

/** Days from a delete to the erasure (docs/contract/02-users.md#delete-v2useruser_id). */
const GRACE_DAYS = 7
const SEARCH_LIMIT = 50

type Settings = Pick<
  UserUpdate,
  'fallback_time_zone' | 'fallback_birth_date' | 'ingestion_start' | 'ingestion_end'
>

/**
 * Creates a user.
 * @param options Maximum number of users of a sandbox, 0 for no limit.
 * @throws AppError 400 with the existing user's user_id and created_on when the client_user_id is
 *   in use. The rule uses a unique index, so it holds under any number of concurrent calls.
 */
export async function createUser(
  scope: Scope,
  input: UserCreate,
  { sandboxUserLimit }: { sandboxUserLimit: number },
): Promise<User> {
  const { environment, log } = scope
  const now = scope.clock.now()
  const clientUserId = cleanClientUserId(input.client_user_id)
  refuseBadSettings(input, null, now)
  if (/^\S+@\S+\.\S+$/.test(clientUserId)) {
    log.warn('a client_user_id looks like an e-mail address; it should hold no personal data')
  }
  const row = {
    ...EMPTY_USER,
    ...toColumns(input, now),
    id: newTimedId(),
    client_user_id: clientUserId,
    created_at: now,
  }
  const created = await scope.transaction(async (tx) => {
    if (sandboxUserLimit > 0 && environment.kind === 'sandbox') {
      await repository.lockUserCreation(tx)
      const existing = await repository.countUsers(tx)
      if (existing >= sandboxUserLimit) {
        throw badRequest(
          'user_limit_reached',
          'The sandbox has reached its maximum number of users.',
        )
      }
    }
    return repository.insertUser(tx, row)
  })
  if (!created) return refuseDuplicate(scope, clientUserId)
  return toUser(scope, { ...row, environment_id: environment.id }, undefined)
}

const EMPTY_USER = {
  fallback_time_zone: null,
  fallback_time_zone_source: null,
  fallback_time_zone_updated_at: null,
  fallback_birth_date: null,
  fallback_birth_date_source: null,
  fallback_birth_date_updated_at: null,
  ingestion_start: null,
  ingestion_end: null,
  units: null,
  sign_in_generation: 0,
  deleted_at: null,
}

async function refuseDuplicate(scope: Scope, clientUserId: string): Promise<never> {
  const existing = await repository.findUserByClientId(scope, clientUserId)
  // Only a delete between the two statements can cause this; the caller may just try again.
  if (existing === undefined) {
    throw badRequest('conflict', 'A user with this client_user_id was being deleted. Try again.')
  }
  throw badRequest('INVALID_REQUEST', 'client_user_id already belongs to a user.', {
    user_id: existing.id,
    created_on: formatInstant(existing.created_at),
  })
}

function cleanClientUserId(text: string): string {
  const clean = text.trim()
  if (clean.includes('\0') || !clean.isWellFormed()) {
    throw invalidInput(
      ['body', 'client_user_id'],
      'The text has a character that cannot be stored',
      'string_unicode',
    )
  }
  if (clean.length >= 1 && clean.length <= 255) return clean
  throw invalidInput(
    ['body', 'client_user_id'],
    'Input should have 1 to 255 characters, not counting blanks at the ends',
    'string_length',
  )
}

function refuseBadSettings(input: Settings, stored: UserRow | null, now: Date): void {
  if (input.fallback_birth_date && input.fallback_birth_date > dateAtOffset(now.getTime(), 0)) {
    throw invalidInput(['body', 'fallback_birth_date'], 'The date is in the future', 'date_past')
  }
  const start =
    input.ingestion_start === undefined ? stored?.ingestion_start : input.ingestion_start
  const end = input.ingestion_end === undefined ? stored?.ingestion_end : input.ingestion_end
  if (start && end && start > end) {
    throw invalidInput(
      ['body', 'ingestion_end'],
      'ingestion_end is before ingestion_start',
      'date_range',
    )
  }
}

/** Returns the columns of the given settings; null clears one, an absent one does not change. */
function toColumns(input: Settings, now: Date) {
  const source = (value: string | null) => (value === null ? null : 'manual')
  const at = (value: string | null) => (value === null ? null : now)
  const { fallback_time_zone: timeZone, fallback_birth_date: birthDate } = input
  return {
    ...(timeZone !== undefined && {
      fallback_time_zone: timeZone,
      fallback_time_zone_source: source(timeZone),
      fallback_time_zone_updated_at: at(timeZone),
    }),
    ...(birthDate !== undefined && {
      fallback_birth_date: birthDate,
      fallback_birth_date_source: source(birthDate),
      fallback_birth_date_updated_at: at(birthDate),
    }),
    ...(input.ingestion_start !== undefined && { ingestion_start: input.ingestion_start }),
    ...(input.ingestion_end !== undefined && { ingestion_end: input.ingestion_end }),
  }
}

/** Returns the stored user. @throws AppError 404 for an unknown, deleted or foreign one. */
export async function getUserRow(scope: Scope, userId: string): Promise<UserRow> {
  const row = await repository.findUser(scope, userId)
  if (row === undefined) throw notFound('User')
  return row
}

/** @throws AppError 404 for an unknown, deleted or foreign one */
export async function getUser(scope: Scope, userId: string, views: UserViews): Promise<User> {
  return showUser(scope, await getUserRow(scope, userId), views)
}

/** Returns the user with this client_user_id. @throws AppError 404 when there is none */
export async function resolveUser(
  scope: Scope,
  clientUserId: string,
  views: UserViews,
): Promise<User> {
  const row = await repository.findUserByClientId(scope, clientUserId)
  if (row === undefined) throw notFound('User')
  return showUser(scope, row, views)
}

/** Returns one page of the users that are not deleted, and their total number. */
export async function listUsers(scope: Scope, page: UserListQuery, views: UserViews) {
  const [rows, total] = await Promise.all([
    repository.listUsers(scope, page),
    repository.countUsers(scope),
  ])
  return { users: await showUsers(scope, rows, views), total, ...page }
}

/** Returns the first users who match a text, at most `SEARCH_LIMIT`. */
export async function searchUsers(scope: Scope, text: string, views: UserViews): Promise<User[]> {
  return showUsers(scope, await repository.searchUsers(scope, text, SEARCH_LIMIT), views)
}

async function showUser(scope: Scope, row: UserRow, views: UserViews): Promise<User> {
  const shown = await views.connections.show(scope, [row.id], views.baseUrl)
  return toUser(scope, row, shown.get(row.id))
}

async function showUsers(
  scope: Scope,
  rows: readonly UserRow[],
  { connections, baseUrl }: UserViews,
): Promise<User[]> {
  const ids = rows.map(({ id }) => id)
  const shown = await connections.show(scope, ids, baseUrl)
  return rows.map((row) => toUser(scope, row, shown.get(row.id)))
}

/** Changes settings of a user: an absent field stays, null clears it. */
export async function patchUser(
  scope: Scope,
  connections: ConnectionsOfUsers,
  userId: string,
  input: UserUpdate,
): Promise<void> {
  const stored = await getUserRow(scope, userId)
  const now = scope.clock.now()
  refuseBadSettings(input, stored, now)
  const clientUserId = input.client_user_id
  const change = {
    ...toColumns(input, now),
    ...(input.units !== undefined && { units: input.units }),
    ...(typeof clientUserId === 'string' && { client_user_id: cleanClientUserId(clientUserId) }),
  }
  if (Object.keys(change).length === 0) return
  try {
    await scope.transaction(async (tx) => {
      const found = await repository.updateUser(tx, userId, change)
      if (!found) throw notFound('User')
      if (input.ingestion_end) await connections.pauseEnded(tx, userId)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await refuseDuplicate(scope, change.client_user_id ?? '')
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/**
 * Hides the user with all orders and deregisters the connections at once; the data are erased a
 * week later. The operator has to stop work that laboratories still do for the orders.
 * @throws AppError 404; 409 `legal_hold`
 */
export async function deleteUser(
  scope: Scope,
  { orders, connections }: UserParts,
  userId: string,
): Promise<void> {
  const now = scope.clock.now()
  const { openAtLab } = await scope.transaction(async (tx) => {
    // Orders are locked before their user, here as everywhere where orders change.
    const held = await orders.hold(tx, userId)
    await refuseHeldPerson(tx, userId)
    const found = await repository.updateUser(tx, userId, { deleted_at: now })
    if (!found) throw notFound('User')
    await connections.end(tx, userId)
    return held
  })
  if (openAtLab === 0) return
  // The log names no user; the list of stuck orders does.
  scope.log.warn(
    { openAtLab },
    'a user with open laboratory work was deleted: see the stuck orders',
  )
}

/** Restores a user within the week after the delete, unless an erasure was requested. */
export async function undoDelete(
  scope: Scope,
  { orders }: UserParts,
  query: UndoDeleteQuery,
): Promise<void> {
  if ((query.user_id === undefined) === (query.client_user_id === undefined)) {
    throw invalidInput(
      ['query', 'user_id'],
      'Give exactly one of user_id and client_user_id',
      'exactly_one',
    )
  }
  const since = new Date(scope.clock.now().getTime() - GRACE_DAYS * DAY_MS)
  const match = { userId: query.user_id, clientUserId: query.client_user_id, since }
  await scope
    .transaction(async (tx) => {
      const userId = await repository.restoreUser(tx, match)
      if (userId === undefined) throw notFound('Deleted user')
      await orders.resume(tx, userId)
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw badRequest('INVALID_REQUEST', 'Another user now has the same client_user_id.')
    })
}

/** Returns users whose week after the delete is over, or whose erasure was requested. */
export function listErasableUsers({ db, clock }: Pick<Stores, 'db' | 'clock'>) {
  const now = clock.now()
  return findErasable(db, new Date(now.getTime() - GRACE_DAYS * DAY_MS), now)
}
