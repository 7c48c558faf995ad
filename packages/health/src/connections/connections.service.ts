import { endTasks, openTask } from '@salus/accounts/tasks'
import { getUserRow, type UserRow } from '@salus/accounts/users'
import { findProvider, logoUrl, type Provider, toProviderRef } from '@salus/contracts/providers'
import { badRequest, conflict, notFound } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { connectionCreated, connectionFailed } from './connections.events.ts'
import { REVOKE_GRANT } from './connections.jobs.ts'
import * as repository from './connections.repository.ts'
import type {
  Device,
  ManualConnectionBody,
  ProviderConnection,
  ResourceAvailability,
} from './connections.schema.ts'
import type { ConnectionStatus } from './connections.tables.ts'
import * as devices from './devices.repository.ts'
import { toDevice } from './devices.service.ts'
import { hasIngestionEnded } from './ended-bounds.service.ts'

const REVIVED_FOR_ALL = ['deregistered'] as const satisfies ConnectionStatus[]

const ANY_STATUS = [...REVIVED_FOR_ALL, 'connected', 'paused', 'error'] as const

/** Kind of the tasks about connections that failed. */
const TASKS = ['provider_connection'] as const

type Subject = Pick<UserRow, 'id' | 'client_user_id'>

/** Scopes, in the vendor's spelling, that a resource requires, and optional ones. */
interface ScopeNeed {
  required: readonly string[]
  optional: readonly string[]
}

/** Scopes by resource, as the connector of the provider declares them. */
export type ScopeTable = Readonly<Record<string, ScopeNeed>>

/** What the presentation of connections needs from the deployment. */
export interface ConnectionViews {
  /** Public address, for logos. */
  baseUrl: string
  /** Returns undefined for a provider without scopes. */
  scopesOf: (slug: string) => ScopeTable | undefined
}

/**
 * Connects a user to a provider whose data come from a mobile app or the team.
 * @param baseUrl Public address of the deployment, for logos.
 * @throws AppError 400 `demo_user`, 404 for the user, 409 when connected already (clients treat
 *   that as success) or when ingestion ended a week ago.
 */
export async function connectManually(
  scope: Scope,
  provider: string,
  body: ManualConnectionBody,
  baseUrl: string,
): Promise<void> {
  const user = await getUserRow(scope, body.user_id)
  if (await repository.hasConnectionOf(scope, user.id, 'demo')) {
    throw badRequest('demo_user', 'The user has demo connections and cannot have others.')
  }
  const connection = {
    id: newId(),
    userId: user.id,
    provider,
    externalUserId: body.provider_id ?? null,
    grantedPermissions: body.granted_permissions ?? null,
    at: scope.clock.now(),
  }
  // Clients connect before every sync and would revive ended connections forever.
  const hasEnded = hasIngestionEnded(user, connection.at)
  const revive = hasEnded ? REVIVED_FOR_ALL : ([...REVIVED_FOR_ALL, 'paused', 'error'] as const)
  const connected = await connectUser(scope, user, connection, { revive, baseUrl })
  if (connected !== undefined) return
  if (hasEnded) {
    throw conflict('ingestion_ended', "The user's ingestion_end is over; the connection is paused.")
  }
  throw conflict('already_connected', 'The user is connected to this provider.')
}

/** Connects a user on behalf of an import; a paused or failed connection is left as it is. */
export async function ensureConnected(
  scope: Scope,
  user: Subject,
  provider: string,
  baseUrl: string,
): Promise<void> {
  const nothingKnown = { externalUserId: null, grantedPermissions: null }
  const at = scope.clock.now()
  const connection = { ...nothingKnown, id: newId(), userId: user.id, provider, at }
  await connectUser(scope, user, connection, { revive: REVIVED_FOR_ALL, baseUrl })
}

/** An account as a pulled provider reported it. */
export interface ProviderAccount {
  provider: string
  /** The vendor's account id. */
  accountId: string
  /** Name with which the user signed in with a password. */
  accountName?: string | null
  /** Scopes in the vendor's spelling; null where the provider has no scopes. */
  grantedScopes: readonly string[] | null
  /** Region of the vendor's service, where it has several. */
  region: string | null
  isDemo?: boolean
}

/**
 * Connects a user to an account at a cloud provider, whatever the state of an earlier connection,
 * and raises the event. The caller adds credentials and pulls in the same transaction.
 */
export async function connectAccount(
  tx: TransactionScope,
  user: Subject,
  { provider, accountId, ...account }: ProviderAccount,
  options: { baseUrl: string; scopes: ScopeTable | undefined },
): Promise<repository.ConnectionRow> {
  const at = tx.clock.now()
  const known = { externalUserId: accountId, grantedPermissions: null, ...account }
  const connection = { ...known, id: newId(), userId: user.id, provider, at }
  const connected = await connectUser(tx, user, connection, { ...options, revive: ANY_STATUS })
  if (connected === undefined) throw new Error(`The connection to ${provider} was not made.`)
  return connected
}

/** Creates or revives the connection and raises the event, or does neither. */
function connectUser(
  scope: Scope,
  user: Subject,
  connection: repository.NewConnection,
  options: {
    revive: readonly ConnectionStatus[]
    baseUrl: string
    scopes?: ScopeTable | undefined
  },
): Promise<repository.ConnectionRow | undefined> {
  const { revive, baseUrl, scopes } = options
  return scope.transaction(async (tx) => {
    const connected = await repository.insertOrReviveConnection(tx, connection, revive)
    const provider = findProvider(connection.provider)
    if (connected === undefined || provider === undefined) return connected
    const reference = toProviderRef(baseUrl, provider)
    const data = {
      user_id: user.id,
      provider: reference,
      source: reference,
      external_user_id: externalUserIdOf(connected),
      resource_availability: availabilityOf(provider, scopes, connected.granted_scopes),
    }
    const event = newEvent({ type: connectionCreated, user, data })
    await writeEvents(tx, [event])
    await endTasks(tx, TASKS, [connected.id], 'completed')
    return connected
  })
}

/**
 * Ends a live connection with a final error and raises the event once; returns false when it is not
 * live.
 * @param error Without personal data: the API and an event show it.
 */
export async function failConnection(
  scope: Scope,
  user: Subject,
  provider: string,
  error: { error_type: string; error_message: string },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const details = { ...error, errored_at: tx.clock.now().toISOString() }
    const id = await repository.setConnectionError(tx, user.id, provider, details)
    if (id === undefined) return false
    const data = {
      user_id: user.id,
      provider,
      message: error.error_message,
      error_type: error.error_type,
      error_details: error.error_message,
    }
    await writeEvents(tx, [newEvent({ type: connectionFailed, user, data })])
    const focus = { type: 'provider_connection', id } as const
    await openTask(tx, { kind: 'provider_connection', focus, userId: user.id })
    return true
  })
}

/** Ends a connection; its data are kept. @throws AppError 404 when there is none. */
export async function endConnection(scope: Scope, userId: string, provider: string): Promise<void> {
  await getUserRow(scope, userId)
  await scope.transaction(async (tx) => {
    const id = await repository.deregisterConnection(tx, userId, provider, tx.clock.now())
    if (id === undefined) throw notFound('Connection')
    await endTasks(tx, TASKS, [id], 'cancelled')
    await addJob(tx.db, REVOKE_GRANT, { environmentId: tx.environment.id, userId, provider })
  })
}

/** Pauses connections of users to a provider, also those in error. */
export async function pauseConnections(
  tx: TransactionScope,
  userIds: readonly string[],
  provider: string,
): Promise<void> {
  const paused = await repository.pauseConnections(tx, userIds, provider, tx.clock.now())
  await endTasks(tx, TASKS, paused, 'cancelled')
}

/** Returns all live connections, oldest first. @throws AppError 404 for an unknown user */
export async function listConnections(
  scope: Scope,
  userId: string,
  { baseUrl, scopesOf }: ConnectionViews,
): Promise<ProviderConnection[]> {
  await getUserRow(scope, userId)
  const rows = await repository.listConnections(scope, userId)
  return rows.flatMap((row) => {
    const provider = findProvider(row.provider)
    if (provider === undefined) return []
    return [toProviderConnection(baseUrl, provider, row, scopesOf(row.provider))]
  })
}

/** Returns the username of a sign-in by password, or the vendor's id of other accounts. */
const externalUserIdOf = ({
  account_name: name,
  external_user_id: id,
}: Pick<repository.ConnectionRow, 'account_name' | 'external_user_id'>): string | null => name ?? id

function toProviderConnection(
  baseUrl: string,
  provider: Provider,
  row: repository.ConnectionRow,
  scopes: ScopeTable | undefined,
): ProviderConnection {
  const error = row.error_details
  return {
    name: provider.name,
    slug: provider.slug,
    logo: logoUrl(baseUrl, provider.slug),
    status: row.status,
    created_on: formatInstant(row.created_at),
    resource_availability: availabilityOf(provider, scopes, row.granted_scopes),
    error_details: error && { ...error, errored_at: formatInstant(new Date(error.errored_at)) },
    external_user_id: externalUserIdOf(row),
  }
}

/**
 * Returns the availability of resources. All resources of a provider without scopes are available.
 * With other providers a resource is unavailable when the user denied a required scope
 * (docs/contract/02-users.md#resourceavailability).
 */
function availabilityOf(
  provider: Provider,
  scopes: ScopeTable | undefined,
  granted: readonly string[] | null,
): Record<string, ResourceAvailability> {
  return Object.fromEntries(
    provider.resources.map((resource) => [
      resource,
      resourceAvailability(scopes?.[resource], granted),
    ]),
  )
}

function resourceAvailability(need: ScopeNeed | undefined, granted: readonly string[] | null) {
  if (need === undefined || granted === null) {
    return { status: 'available' as const, scope_requirements: null }
  }
  const isGranted = (name: string): boolean => granted.includes(name)
  const select = (isWanted: boolean) => ({
    required: need.required.filter((name) => isGranted(name) === isWanted),
    optional: need.optional.filter((name) => isGranted(name) === isWanted),
  })
  const scope_requirements = { user_granted: select(true), user_denied: select(false) }
  const isAvailable = scope_requirements.user_denied.required.length === 0
  return {
    status: isAvailable ? ('available' as const) : ('unavailable' as const),
    scope_requirements,
  }
}

/** @throws AppError 404 for an unknown user */
export async function listDevices(scope: Scope, userId: string): Promise<Device[]> {
  await getUserRow(scope, userId)
  return (await devices.listDevices(scope, userId)).map(toDevice)
}

/** @throws AppError 404 for an unknown user or device */
export async function getDevice(scope: Scope, userId: string, deviceId: string): Promise<Device> {
  await getUserRow(scope, userId)
  const row = await devices.findDevice(scope, userId, deviceId)
  if (row === undefined) throw notFound('Device')
  return toDevice(row)
}
