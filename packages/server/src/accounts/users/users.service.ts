import type { FastifyBaseLogger } from 'fastify'
import { badRequest, invalidInput, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { dateAtOffset, formatInstant } from '../../platform/time/instants.ts'
import { pauseEndedConnections } from './ended-bounds.service.ts'
import type { OrdersOfUsers } from './orders-of-users.ts'
import { toUser } from './user-answer.ts'
import type { UserRow } from './users.repository.ts'
import * as repository from './users.repository.ts'
import type {
  UndoDeleteQuery,
  User,
  UserCreate,
  UserListQuery,
  UserUpdate,
} from './users.schema.ts'

/**
 * Days between a delete and the erasure of the data
 * (docs/contract/02-users.md#delete-v2useruser_id).
 */
const GRACE_DAYS = 7
const DAY_MS = 86_400_000
const SEARCH_LIMIT = 50

/** What every call of this service needs: where the data is, what time it is, whose it is. */
export interface UsersContext {
  db: Db
  clock: Clock
  log: Pick<FastifyBaseLogger, 'warn'>
  environment: Environment
  /** Public address of the deployment, for logos. */
  baseUrl: string
  /** Most users of a sandbox; 0 is no limit. */
  sandboxUserLimit: number
}

type Settings = Pick<
  UserUpdate,
  'fallback_time_zone' | 'fallback_birth_date' | 'ingestion_start' | 'ingestion_end'
>

/**
 * Creates a user.
 * @throws AppError 400 with the existing user's user_id and created_on when the client_user_id is
 * taken. The rule rests on a unique index, so it holds under any number of concurrent calls.
 */
export async function createUser(context: UsersContext, input: UserCreate): Promise<User> {
  const { db, clock, environment, log } = context
  const now = clock.now()
  const clientUserId = cleanClientUserId(input.client_user_id)
  refuseBadSettings(input, null, now)
  if (/^\S+@\S+\.\S+$/.test(clientUserId)) {
    log.warn('a client_user_id looks like an e-mail address; it should hold no personal data')
  }
  const row = {
    ...EMPTY_USER,
    ...toColumns(input, now),
    id: newId(),
    client_user_id: clientUserId,
    created_at: now,
  }
  const created = await db.transaction().execute(async (transaction) => {
    if (context.sandboxUserLimit > 0 && environment.kind === 'sandbox') {
      await repository.lockUserCreation(transaction, environment.id)
      const existing = await repository.countUsers(transaction, environment.id)
      if (existing >= context.sandboxUserLimit) {
        throw badRequest('user_limit_reached', 'The sandbox holds as many users as it may.')
      }
    }
    return repository.insertUser(transaction, environment.id, row)
  })
  if (!created) return refuseDuplicate(context, clientUserId)
  return toUser(context, { ...row, environment_id: environment.id, connections: [] })
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
  deleted_at: null,
}

async function refuseDuplicate(context: UsersContext, clientUserId: string): Promise<never> {
  const { db, environment } = context
  const existing = await repository.findUserByClientId(db, environment.id, clientUserId)
  // Only a delete between the two statements can make this happen; the caller may just try again.
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
      'The text holds a character that cannot be stored',
      'string_unicode',
    )
  }
  if (clean.length >= 1 && clean.length <= 255) return clean
  throw invalidInput(
    ['body', 'client_user_id'],
    'Input should have 1 to 255 characters, blanks at the ends not counted',
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

/** Columns of the settings that the input names; null clears, absent leaves alone. */
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

/** The stored user. @throws AppError 404 for an unknown, deleted or foreign one. */
export async function getUserRow(db: Db, environmentId: string, userId: string): Promise<UserRow> {
  const row = await repository.findUser(db, environmentId, userId)
  if (row === undefined) throw notFound('User')
  return row
}

export async function getUser(context: UsersContext, userId: string): Promise<User> {
  return toUser(context, await getUserRow(context.db, context.environment.id, userId))
}

export async function resolveUser(context: UsersContext, clientUserId: string): Promise<User> {
  const { db, environment } = context
  const row = await repository.findUserByClientId(db, environment.id, clientUserId)
  if (row === undefined) throw notFound('User')
  return toUser(context, row)
}

export async function listUsers(context: UsersContext, page: UserListQuery) {
  const { db, environment } = context
  const [rows, total] = await Promise.all([
    repository.listUsers(db, environment.id, page),
    repository.countUsers(db, environment.id),
  ])
  return { users: rows.map((row) => toUser(context, row)), total, ...page }
}

export async function searchUsers(context: UsersContext, text: string): Promise<User[]> {
  const { db, environment } = context
  const rows = await repository.searchUsers(db, environment.id, text, SEARCH_LIMIT)
  return rows.map((row) => toUser(context, row))
}

/** Changes settings of a user: an absent field stays, null clears it. */
export async function patchUser(
  context: UsersContext,
  userId: string,
  input: UserUpdate,
): Promise<void> {
  const { db, environment, clock } = context
  const stored = await getUserRow(db, environment.id, userId)
  const now = clock.now()
  refuseBadSettings(input, stored, now)
  const clientUserId = input.client_user_id
  const change = {
    ...toColumns(input, now),
    ...(typeof clientUserId === 'string' && { client_user_id: cleanClientUserId(clientUserId) }),
  }
  if (Object.keys(change).length === 0) return
  try {
    await db.transaction().execute(async (transaction) => {
      const { id: environmentId } = environment
      const found = await repository.updateUser(transaction, environmentId, userId, change)
      if (!found) throw notFound('User')
      if (input.ingestion_end) {
        await pauseEndedConnections(transaction, now, { environmentId, userId })
      }
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await refuseDuplicate(context, change.client_user_id ?? '')
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/**
 * Hides the user with all orders and deregisters the connections at once; the data is erased a week
 * later. Work that laboratories still have with the orders is for the operator to stop.
 */
export async function deleteUser(
  context: UsersContext,
  orders: OrdersOfUsers,
  userId: string,
): Promise<void> {
  const { db, environment, clock, log } = context
  const { id: environmentId } = environment
  const now = clock.now()
  const { openAtLab } = await db.transaction().execute(async (transaction) => {
    // Orders are locked before their person, here as where orders change.
    const held = await orders.hold(transaction, environmentId, userId)
    const found = await repository.updateUser(transaction, environmentId, userId, {
      deleted_at: now,
    })
    if (!found) throw notFound('User')
    await repository.deregisterConnections(transaction, environmentId, userId, now)
    return held
  })
  if (openAtLab === 0) return
  // Not of whom: the list of stuck orders tells the operator.
  log.warn({ openAtLab }, 'a user with open laboratory work was deleted: see the stuck orders')
}

/** Brings a user back within the week of grace; its connections stay deregistered. */
export async function undoDelete(
  context: UsersContext,
  orders: OrdersOfUsers,
  query: UndoDeleteQuery,
): Promise<void> {
  const { db, environment, clock } = context
  if ((query.user_id === undefined) === (query.client_user_id === undefined)) {
    throw invalidInput(
      ['query', 'user_id'],
      'Give exactly one of user_id and client_user_id',
      'exactly_one',
    )
  }
  const since = new Date(clock.now().getTime() - GRACE_DAYS * DAY_MS)
  const match = { userId: query.user_id, clientUserId: query.client_user_id, since }
  const { id: environmentId } = environment
  await db
    .transaction()
    .execute(async (transaction) => {
      const userId = await repository.restoreUser(transaction, environmentId, match)
      if (userId === undefined) throw notFound('Deleted user')
      await orders.resume(transaction, environmentId, userId)
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw badRequest('INVALID_REQUEST', 'Another user now has the same client_user_id.')
    })
}

/** Users whose grace is over, for the erasure job. */
export function listErasableUsers(db: Db, now: Date) {
  return repository.listErasableUsers(db, new Date(now.getTime() - GRACE_DAYS * DAY_MS))
}
