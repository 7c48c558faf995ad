import {
  type ConnectionStatus,
  getUserRow,
  hasIngestionEnded,
  type UserRow,
} from '../../accounts/users/index.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { newEvent, writeEvents } from '../../platform/events/events.ts'
import { newId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import {
  findProvider,
  logoUrl,
  PROVIDERS,
  type Provider,
  toProviderRef,
} from '../providers/index.ts'
import { connectionCreated } from './connections.events.ts'
import * as repository from './connections.repository.ts'
import type {
  Device,
  ManualConnectionBody,
  ProviderConnection,
  ProviderDescription,
  ResourceAvailability,
} from './connections.schema.ts'
import * as devices from './devices.repository.ts'
import { toDevice } from './devices.service.ts'

const REVIVED_FOR_ALL = ['deregistered'] as const satisfies ConnectionStatus[]

type Subject = Pick<UserRow, 'id' | 'client_user_id'>

/**
 * Connects a user to a provider that a mobile app or the team itself feeds.
 * @param baseUrl The public address of the deployment, for logos.
 * @throws AppError 409 when connected already (clients take that as success) or when ingestion ended a
 * week ago, 404 for the user.
 */
export async function connectManually(
  scope: Scope,
  provider: string,
  body: ManualConnectionBody,
  baseUrl: string,
): Promise<void> {
  const user = await getUserRow(scope, body.user_id)
  const connection = {
    id: newId(),
    userId: user.id,
    provider,
    externalUserId: body.provider_id ?? null,
    grantedPermissions: body.granted_permissions ?? null,
    at: scope.clock.now(),
  }
  // Of a person whose ingestion ended, clients that connect before every sync would revive it for ever.
  const hasEnded = hasIngestionEnded(user, connection.at)
  const revive = hasEnded ? REVIVED_FOR_ALL : ([...REVIVED_FOR_ALL, 'paused', 'error'] as const)
  const connected = await connectUser(scope, user, connection, { revive, baseUrl })
  if (connected) return
  if (hasEnded) {
    throw conflict('ingestion_ended', "The user's ingestion_end is over; the connection is paused.")
  }
  throw conflict('already_connected', 'The user is connected to this provider.')
}

/** Makes sure of a connection on behalf of an import; a paused or failed one is left as it is. */
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

/** Makes or revives the connection and raises the event, or does neither. */
function connectUser(
  scope: Scope,
  user: Subject,
  connection: repository.NewConnection,
  { revive, baseUrl }: { revive: readonly ConnectionStatus[]; baseUrl: string },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const connected = await repository.connect(tx, connection, revive)
    const provider = findProvider(connection.provider)
    if (!connected || provider === undefined) return connected
    const reference = toProviderRef(baseUrl, provider)
    const data = {
      user_id: user.id,
      provider: reference,
      source: reference,
      external_user_id: connection.externalUserId,
      resource_availability: availabilityOf(provider),
    }
    const event = newEvent({ type: connectionCreated, user, data })
    await writeEvents(tx, [event])
    return true
  })
}

/** Ends a connection; the data it brought stays. @throws AppError 404 when there is none. */
export async function disconnect(scope: Scope, userId: string, provider: string): Promise<void> {
  await getUserRow(scope, userId)
  const found = await repository.deregister(scope, userId, provider, scope.clock.now())
  if (!found) throw notFound('Connection')
}

export async function listConnections(
  scope: Scope,
  userId: string,
  baseUrl: string,
): Promise<ProviderConnection[]> {
  await getUserRow(scope, userId)
  const rows = await repository.listConnections(scope, userId)
  return rows.flatMap((row) => {
    const provider = findProvider(row.provider)
    return provider === undefined ? [] : [toProviderConnection(baseUrl, provider, row)]
  })
}

function toProviderConnection(
  baseUrl: string,
  provider: Provider,
  row: repository.ConnectionRow,
): ProviderConnection {
  const error = row.error_details
  return {
    name: provider.name,
    slug: provider.slug,
    logo: logoUrl(baseUrl, provider.slug),
    status: row.status,
    created_on: formatInstant(row.created_at),
    resource_availability: availabilityOf(provider),
    error_details: error && { ...error, errored_at: formatInstant(new Date(error.errored_at)) },
    external_user_id: row.external_user_id,
  }
}

/**
 * Providers without scopes have every resource they support available, with no scope requirements
 * (docs/contract/02-users.md#resourceavailability). Providers with scopes bring their own table
 * with their connector.
 */
function availabilityOf(provider: Provider): Record<string, ResourceAvailability> {
  const available: ResourceAvailability = { status: 'available', scope_requirements: null }
  return Object.fromEntries(provider.resources.map((resource) => [resource, available]))
}

const BLE_SUFFIX = /_ble$/

/** Kind of a provider, as the list filters by it: meters are ble, SDK stores are apps. */
function sourceTypeOf(provider: Provider): 'app' | 'ble' | 'provider' {
  if (BLE_SUFFIX.test(provider.slug)) return 'ble'
  return provider.authType === 'sdk' ? 'app' : 'provider'
}

/** Providers that this deployment can connect: the SDK ones, until connectors are there. */
export function listProviders(
  baseUrl: string,
  sourceType: string | null | undefined,
): ProviderDescription[] {
  return PROVIDERS.filter((provider) => provider.authType === 'sdk')
    .filter((provider) => !sourceType || sourceTypeOf(provider) === sourceType)
    .map((provider) => ({
      name: provider.name,
      slug: provider.slug,
      description: provider.description,
      logo: logoUrl(baseUrl, provider.slug),
      auth_type: provider.authType,
      supported_resources: [...provider.resources],
    }))
}

export async function listDevices(scope: Scope, userId: string): Promise<Device[]> {
  await getUserRow(scope, userId)
  return (await devices.listDevices(scope, userId)).map(toDevice)
}

export async function getDevice(scope: Scope, userId: string, deviceId: string): Promise<Device> {
  await getUserRow(scope, userId)
  const row = await devices.findDevice(scope, userId, deviceId)
  if (row === undefined) throw notFound('Device')
  return toDevice(row)
}
