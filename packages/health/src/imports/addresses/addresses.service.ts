import type { Readable } from 'node:stream'
import { enterEnvironment } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey, maskKey, randomSecret } from '@salus/kernel/crypto/keys'
import { badRequest, notFound, RateLimitError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope, Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { ImportOptions } from '../import-options.ts'
import { listUnfinishedImports } from '../imports.repository.ts'
import { type ImportPort, receiveImport } from '../receive-import.ts'
import { findAddressBySecret, recordAddressUse } from './addresses.global.repository.ts'
import * as repository from './addresses.repository.ts'
import type { ImportAddress, NewImportAddress } from './addresses.schema.ts'

export const POSTING_PATH = '/v2/import/health_auto_export'
const MOST_ADDRESSES = 20
/** A phone that was off sends its days in a burst; more of them wait on the phone. */
const MOST_WAITING = 50
const WAIT_SECONDS = 120
const FORMAT = 'health_auto_export'

/**
 * Creates an address to which an app posts data of a user. Only a hash of it is stored.
 * @throws AppError 404 for an unknown user, 400 for too many addresses
 */
export async function createAddress(
  scope: Scope,
  userId: string,
  { label = 'Health Auto Export', baseUrl }: { label?: string | undefined; baseUrl: string },
): Promise<NewImportAddress> {
  const user = await getUserRow(scope, userId)
  const known = await repository.listAddresses(scope, user.id)
  if (known.length >= MOST_ADDRESSES) {
    throw badRequest('too_many_addresses', 'The user has the most addresses allowed.')
  }
  const secret = randomSecret()
  const row = await repository.insertAddress(scope, {
    ...{ user_id: user.id, id: newId(), label },
    ...{ secret_hash: hashKey(secret), masked_value: maskKey(secret) },
    created_at: scope.clock.now(),
  })
  return { ...toAddress(row), url: `${baseUrl}${POSTING_PATH}/${secret}` }
}

/** @throws AppError 404 for an unknown user */
export async function listAddresses(
  scope: Scope,
  userId: string,
): Promise<{ addresses: ImportAddress[] }> {
  const user = await getUserRow(scope, userId)
  const rows = await repository.listAddresses(scope, user.id)
  return { addresses: rows.map(toAddress) }
}

/** Revokes an address. @throws AppError 404 for an unknown user, and an address of another one */
export async function deleteAddress(
  scope: Scope,
  userId: string,
  id: string,
): Promise<{ success: boolean }> {
  const user = await getUserRow(scope, userId)
  if (!(await repository.deleteAddress(scope, user.id, id))) throw notFound('Address')
  return { success: true }
}

/** An address that a posting came to. */
export interface UsedAddress {
  id: string
  userId: string
  scope: Scope
}

/** Returns the address of a secret; undefined for an unknown or revoked one. */
export async function openAddress(
  stores: Stores,
  secret: string,
): Promise<UsedAddress | undefined> {
  const row = await findAddressBySecret(stores.db, hashKey(secret))
  const scope = row && (await enterEnvironment(stores, row.environment_id))
  if (row === undefined || scope === undefined) return undefined
  const now = stores.clock.now()
  // Exact to the minute, so that a burst writes once.
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= MINUTE_MS) {
    await recordAddressUse(stores.db, row, now)
  }
  return { id: row.id, userId: row.user_id, scope }
}

/**
 * Stores a posting and creates an import of it.
 * @param aggregation Header of the app: the time over which it summed values.
 * @throws AppError 413 over the limit, 400 for an empty body, RateLimitError while many wait
 */
export async function receivePosting(
  { scope, userId }: Pick<UsedAddress, 'scope' | 'userId'>,
  port: ImportPort,
  content: Readable,
  aggregation: unknown,
): Promise<{ import_id: string; status: string }> {
  const waiting = await listUnfinishedImports(scope, userId)
  if (waiting.length >= MOST_WAITING) throw new RateLimitError(scope.clock.now(), WAIT_SECONDS)
  const options = aggregationOf(aggregation)
  const { id, status } = await receiveImport(scope, port, userId, content, {
    format: FORMAT,
    options,
  })
  return { import_id: id, status }
}

/** The app writes Minutes, Hours, Days and others. */
function aggregationOf(header: unknown): Pick<ImportOptions, 'aggregation'> {
  const [, name] = /^(minute|hour|day)s?$/i.exec(typeof header === 'string' ? header : '') ?? []
  if (name === undefined) return {}
  return { aggregation: `${name.toLowerCase() as 'minute' | 'hour' | 'day'}s` }
}

const toAddress = (row: repository.AddressRow): ImportAddress => ({
  id: row.id,
  user_id: row.user_id,
  label: row.label,
  masked_value: row.masked_value,
  created_at: formatInstant(row.created_at),
  last_used_at: row.last_used_at && formatInstant(row.last_used_at),
})
